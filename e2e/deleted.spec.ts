import type { Locator, Page } from '@playwright/test';
import { App } from './support/app.ts';
import { BOTH_THEMES, BOTH_THEMES_NARROW, expectNoViolationsIn } from './support/axe.ts';
import { breakStorage } from './support/break-storage.ts';
import { threeTopics } from './support/dialogues.ts';
import { expect, test } from './support/test.ts';

const item = (items: Locator, says: string): Locator => items.filter({ hasText: says });

/** Opens the dialog from the end of the list of conversations. */
const openFromList = async (app: App, count: number): Promise<Locator> => {
  await app.listConversations();
  await app.button(`Recently deleted (${count})`).click();
  return app.dialog('Recently deleted');
};

const openFromPalette = async (app: App): Promise<Locator> => {
  await app.page.keyboard.press('ControlOrMeta+k');
  await app.dialog('Commands').getByRole('combobox').fill('trash');
  await app.page.keyboard.press('Enter');
  await expect(app.dialog('Recently deleted')).toBeVisible();
  return app.dialog('Recently deleted');
};

/** Two conversations, the first of them deleted. Returns its title. */
const deleteFirst = async (app: App): Promise<string> => {
  await app.open();
  await app.send(threeTopics[0]);
  await app.button('New conversation').click();
  await app.send(threeTopics[2]);
  const items = await app.listConversations();
  const deleting = items.last().getByRole('button', { name: /^Delete / });
  const title = ((await deleting.getAttribute('aria-label')) ?? '').replace('Delete ', '');
  await deleting.click();
  await expect(items).toHaveCount(1);
  await app.button('Conversations').click();
  await expect(items).toHaveCount(0);
  return title;
};

/** Puts deleted conversations into the database, as if they had been deleted minute by minute. */
const seedDeleted = (page: Page, count: number): Promise<void> =>
  page.evaluate(async (many) => {
    const opening = indexedDB.open('coppice');
    const db = await new Promise<IDBDatabase>((resolve, reject) => {
      opening.onsuccess = () => resolve(opening.result);
      opening.onerror = () => reject(opening.error);
    });
    const transaction = db.transaction('conversations', 'readwrite');
    for (let at = 0; at < many; at++) {
      const deletedAt = Date.now() - at * 60_000;
      const title = `Old talk ${at}`;
      transaction
        .objectStore('conversations')
        .put({ id: `old${at}`, title, turns: 3, createdAt: 1, updatedAt: 1, deletedAt });
    }
    await new Promise((resolve) => {
      transaction.oncomplete = resolve;
    });
    db.close();
  }, count);

test('a deleted conversation is restored into its folder once the notice is gone, and opened', async ({
  app,
  page,
}) => {
  await app.open();
  await app.send(threeTopics[0]);
  const items = await app.listConversations();
  const first = items.first();
  await first.getByRole('button', { name: /^More for/ }).click();
  await page.getByRole('menuitem', { name: 'Folder' }).press('ArrowRight');
  await page.getByRole('menuitem', { name: 'New folder…' }).click();
  await expect(page.getByRole('combobox', { name: /^Folder of/ })).toBeFocused();
  await page.keyboard.type('Travel');
  await page.keyboard.press('Enter');
  const folder = page.getByRole('button', { name: 'Travel 1', exact: true });
  await expect(folder).toBeVisible();
  await expect(page.getByRole('button', { name: /^Recently deleted/ })).toHaveCount(0);
  await items
    .last()
    .getByRole('button', { name: /^Delete / })
    .click();
  await expect(page.getByRole('region', { name: 'Notices' })).toContainText('It stays in Recently deleted for a day.');
  await app.button('Close notice').click();
  await app.reload();

  const dialog = await openFromList(app, 1);
  const row = dialog.getByRole('listitem');
  await expect(row).toContainText(/1 turn · deleted just now · gone for good tomorrow at /);
  await row.getByRole('button', { name: /^Restore / }).click();
  await expect(dialog).toContainText('No deleted conversations.');
  await expect(dialog.getByRole('status')).toContainText('restored.');
  await dialog.getByRole('button', { name: 'Open' }).click();
  await expect(app.turn(1)).toContainText(threeTopics[0]);
  await app.listConversations();
  await expect(folder).toBeVisible();
});

test('deleting now asks first, cannot be undone, and leaves nothing to find', async ({ app, page }) => {
  const title = await deleteFirst(app);
  const dialog = await openFromPalette(app);
  await expectNoViolationsIn(page, BOTH_THEMES, { where: 'Recently deleted' });
  const remove = dialog.getByRole('button', { name: `Delete now: ${title}` });
  await remove.click();
  const confirmation = page.getByRole('alertdialog', { name: /^Delete “.+” now\?$/ });
  await expect(confirmation).toHaveAccessibleDescription(/can’t be undone/);
  await page.keyboard.press('Escape');
  await expect(confirmation).toBeHidden();
  await expect(remove).toBeFocused();

  await page.keyboard.press('Delete');
  await confirmation.getByRole('button', { name: 'Delete now' }).click();
  await expect(dialog.getByRole('status')).toContainText('deleted for good');
  await expect(dialog).toContainText('No deleted conversations.');
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await app.reload();
  await expect(await app.listConversations()).toHaveCount(1);
  await expect(page.getByRole('button', { name: /^Recently deleted/ })).toHaveCount(0);
});

test('hundreds are listed, walked through by keyboard, restored one after the other and deleted at once, also on a phone', async ({
  app,
  page,
}) => {
  await app.open();
  await app.send(threeTopics[0]);
  await seedDeleted(page, 300);
  await app.reload();
  const dialog = await openFromList(app, 300);
  const rows = dialog.getByRole('list', { name: 'Deleted conversations' }).getByRole('listitem');
  await expect(rows.first()).toHaveAttribute('aria-setsize', '300');
  expect(await rows.count()).toBeLessThan(60);
  const restore = (at: number) => dialog.getByRole('button', { name: `Restore Old talk ${at}`, exact: true });
  await restore(0).focus();
  await page.keyboard.press('ArrowDown');
  await expect(restore(1)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(restore(2)).toBeFocused();
  await expect(restore(1)).toHaveCount(0);
  await page.keyboard.press('End');
  await expect(restore(299)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(restore(298)).toBeFocused();

  await app.resize({ width: 390, height: 844 });
  await expectNoViolationsIn(page, BOTH_THEMES_NARROW, { where: 'Recently deleted on a phone' });
  await dialog.getByRole('button', { name: 'Delete all now' }).click();
  const confirmation = page.getByRole('alertdialog', { name: 'Delete 298 conversations now?' });
  await confirmation.getByRole('button', { name: 'Delete now' }).click();
  await expect(dialog.getByRole('status')).toContainText('298 conversations deleted for good.');
  await expect(rows).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(await app.listConversations()).toHaveCount(3);
});

test('another tab follows: what is restored leaves its list, and what it has open is left when it is deleted for good', async ({
  app,
  context,
}) => {
  await app.open();
  await app.send(threeTopics[0]);
  const other = new App(await context.newPage());
  await other.open();
  await expect(other.turn(1)).toContainText(threeTopics[0]);
  const items = await app.listConversations();
  const remove = items.first().getByRole('button', { name: /^Delete / });
  await remove.click();
  await expect(app.turns).toHaveCount(0);

  const there = await openFromPalette(other);
  await expect(there.getByRole('listitem')).toHaveCount(1);
  const here = await openFromList(app, 1);
  await here.getByRole('button', { name: /^Restore / }).click();
  await expect(there).toContainText('No deleted conversations.');
  await other.page.keyboard.press('Escape');

  await app.page.keyboard.press('Escape');
  await app.listConversations();
  await remove.click();
  await openFromList(app, 1);
  await here.getByRole('button', { name: /^Delete now/ }).click();
  await app.page.getByRole('alertdialog').getByRole('button', { name: 'Delete now' }).click();
  await expect(other.turns).toHaveCount(0);
  await expect(other.page.getByRole('region', { name: 'Notices' })).toContainText('deleted for good in another tab');
  await other.send(threeTopics[2]);
  await expect(other.problem).toHaveCount(0);
});

test('where the storage fails, the dialog says so and nothing is gone', async ({ app, page }) => {
  const title = await deleteFirst(app);
  const dialog = await openFromPalette(app);
  const mend = await breakStorage(page);
  await dialog.getByRole('button', { name: `Delete now: ${title}` }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete now' }).click();
  await expect(dialog.getByRole('alert')).toContainText(/^Deleting “.+” failed\./);
  const restore = dialog.getByRole('button', { name: `Restore ${title}` });
  await restore.click();
  await expect(dialog.getByRole('alert')).toContainText(/^Restoring “.+” failed\./);

  await mend();
  await restore.click();
  await expect(dialog.getByRole('status')).toContainText('restored.');
  await page.keyboard.press('Escape');
  const items = await app.listConversations();
  await expect(items).toHaveCount(2);
  await item(items, title).getByRole('button').first().click();
  await expect(app.turn(1)).toContainText(threeTopics[0]);
});
