import { App } from './support/app.ts';
import { expectNoViolations } from './support/axe.ts';
import { threeTopics } from './support/dialogues.ts';
import { expect, test } from './support/test.ts';

test('conversations are listed most recent first, renamed, opened, and deleted with undo', async ({ app, page }) => {
  await app.open();
  await app.send(threeTopics[0]);
  await app.button('New conversation').click();
  await expect(app.turns).toHaveCount(0);
  await app.send(threeTopics[2]);

  const items = await app.listConversations();
  await expect(items).toHaveCount(2);
  await expect(items.first().getByRole('button').first()).toHaveAttribute('aria-current', 'true');

  await items
    .first()
    .getByRole('button', { name: /^Rename/ })
    .click();
  await expect(items.first().getByRole('textbox')).toBeFocused();
  await page.keyboard.type('Broken script');
  await page.keyboard.press('Enter');
  await expect(items.first()).toContainText('Broken script');

  await items
    .first()
    .getByRole('button', { name: /^Delete/ })
    .click();
  await expect(items).toHaveCount(1);
  await page.getByRole('button', { name: 'Revert' }).click();
  await app.listConversations();
  await expect(items).toHaveCount(2);

  await items.last().getByRole('button').first().click();
  await expect(app.turn(1)).toContainText(threeTopics[0]);
});

test('conversations are deleted and renamed one after the other by keyboard, and nothing else with them', async ({
  app,
  page,
}) => {
  const { keyboard } = page;
  await app.open();
  for (const [at, message] of threeTopics.slice(0, 3).entries()) {
    if (at > 0) await app.button('New conversation').click();
    await expect(app.turns).toHaveCount(0);
    await app.send(message);
  }
  const items = await app.listConversations();
  await expect(items).toHaveCount(3);
  const line = (at: number) => items.nth(at).getByRole('button').first();
  await line(0).focus();
  await keyboard.press('ArrowDown');
  await expect(line(1)).toBeFocused();
  await keyboard.down('Delete');
  await expect(items).toHaveCount(2);
  await expect(line(1)).toBeFocused();
  // Held down until the next row has the focus.
  await keyboard.down('Delete');
  await keyboard.up('Delete');
  await expect(line(1)).toBeFocused();
  await keyboard.press('Delete');
  await expect(items).toHaveCount(1);
  await expect(line(0)).toBeFocused();

  const field = items.first().getByRole('textbox');
  await keyboard.press('F2');
  await expect(field).toBeFocused();
  await keyboard.type('Journeys');
  await keyboard.press('Enter');
  await expect(line(0)).toBeFocused();
  await expect(line(0)).toContainText('Journeys');
  await keyboard.press('F2');
  await expect(field).toBeFocused();
  await keyboard.press('Escape');
  await expect(line(0)).toBeFocused();

  // Where another place was clicked, the focus is there.
  await keyboard.press('F2');
  await expect(field).toBeFocused();
  await page.getByRole('searchbox', { name: 'Filter conversations' }).click();
  await expect(field).toHaveCount(0);
  await expect(page.getByRole('searchbox', { name: 'Filter conversations' })).toBeFocused();
  await expect(app.turns).toHaveCount(1);
});

test('a list that stays open keeps up with the time', async ({ app, page }) => {
  await page.clock.install({ time: '2026-11-20T12:00:00' });
  await app.open();
  await app.send(threeTopics[0]);
  const items = await app.listConversations();
  await expect(items).toContainText('just now');
  await page.clock.fastForward('05:00');
  await expect(items).toContainText('minutes ago');
  await page.clock.fastForward('24:00:00');
  await expect(items.getByRole('heading')).toHaveText('Yesterday');
});

test('the list stays where it is wanted: in folders, tagged, pinned, filtered and put away, after a reload and in another tab', async ({
  app,
  page,
  context,
}) => {
  await app.open();
  await app.send(threeTopics[0]);
  await app.button('New conversation').click();
  await app.send(threeTopics[2]);
  const items = await app.listConversations();
  await expect(items.first().getByRole('heading')).toHaveText('Today');
  await app.button('Keep the list open').click();
  const list = page.getByRole('complementary', { name: 'All conversations' });
  await expect(list).toBeFocused();
  const first = list.getByRole('listitem').filter({ has: page.locator('[aria-current]') });
  await items.last().getByRole('button').first().click();
  await expect(app.turn(1)).toContainText(threeTopics[0]);

  const more = first.getByRole('button', { name: /^More for/ });
  await more.click();
  await page.getByRole('menuitem', { name: 'Folder' }).press('ArrowRight');
  await page.getByRole('menuitem', { name: 'New folder…' }).click();
  await expect(page.getByRole('combobox', { name: /^Folder of/ })).toBeFocused();
  await page.keyboard.type('Travel');
  await page.keyboard.press('Enter');
  const folder = list.getByRole('button', { name: 'Travel 1', exact: true });
  await expect(folder).toHaveAttribute('aria-expanded', 'true');
  await more.click();
  await page.getByRole('menuitem', { name: 'Tags…' }).click();
  await expect(page.getByRole('textbox', { name: /^Tags of/ })).toBeFocused();
  await page.keyboard.type('rail, #Summer');
  await page.keyboard.press('Enter');
  await expect(first).toContainText('#rail #Summer');
  await items
    .last()
    .getByRole('button', { name: /^More for/ })
    .click();
  await page.getByRole('menuitem', { name: 'Pin', exact: true }).click();
  await expect(items.first().getByRole('heading')).toHaveText('Pinned');

  // Moves from line to line by keyboard and closes a folder.
  await items.first().getByRole('button').first().focus();
  await page.keyboard.press('ArrowDown');
  await expect(folder).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(items).toHaveCount(2);
  await expectNoViolations(page, { where: 'list that stays' });

  // Another tab finds tagged conversations even in a closed folder and puts one away; this tab follows.
  const tab = new App(await context.newPage());
  await tab.open();
  const found = tab.page.getByRole('list', { name: 'Conversations' }).getByRole('listitem');
  await tab.page.getByRole('group', { name: 'Tags' }).getByRole('button', { name: '#rail' }).click();
  await expect(found).toHaveCount(2);
  await found
    .last()
    .getByRole('button', { name: /^More for/ })
    .click();
  await tab.page.getByRole('menuitem', { name: 'Archive' }).click();
  await expect(items).toHaveCount(1);
  await tab.page.close();

  await app.reload();
  await expect(app.turn(1)).toContainText(threeTopics[2]);
  await list.getByRole('button', { name: 'Archive · 1' }).click();
  await expect(items.last().or(folder).first()).toBeVisible();
  await folder.click();
  await expect(items.last()).toContainText('#rail');
  await app.button('Conversations').click();
  await expect(list).toBeHidden();
});

test('a persona is made, new conversations begin with it, and those that have begun keep their own', async ({
  app,
  page,
}) => {
  await app.open();
  await app.send(threeTopics[0]);
  await app.listConversations();
  await app.button('Personas…').click();
  const dialog = app.dialog('Personas');
  await dialog.getByRole('button', { name: 'New persona' }).click();
  await expect(dialog.getByRole('textbox', { name: 'Name' })).toBeFocused();
  await page.keyboard.type('Pirate');
  await dialog.getByRole('textbox', { name: 'Instructions' }).fill('Answer like a pirate.');
  const temperature = dialog.getByRole('textbox', { name: 'Temperature' });
  await temperature.fill('9');
  await expect(temperature).toHaveAccessibleDescription(/from 0 to 2/);
  await temperature.fill('1,2');
  await dialog.getByRole('button', { name: 'Use for new conversations' }).click();
  await expectNoViolations(page, { where: 'Personas' });
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(app.button('Reply settings')).toBeVisible();

  await app.button('New conversation').first().click();
  await expect(app.button('Persona: Pirate')).toBeVisible();
  await app.reload();
  await app.button('New conversation').first().click();
  await app.send(threeTopics[2]);
  await expect(app.button('Reply settings: own prompt · temperature 1.2')).toBeVisible();
  await app.inspector.getByRole('tab', { name: 'Context' }).click();
  await expect(app.inspector).toContainText('Answer like a pirate.');

  await app.button('New conversation').first().click();
  await app.button('Persona: Pirate').click();
  await page.getByRole('menuitemradio', { name: 'Default instructions' }).click();
  await expect(app.button('Reply settings')).toBeVisible();
  await app.send(threeTopics[0]);
  await expect(app.button('Reply settings')).toBeVisible();
});
