import type { Locator } from '@playwright/test';
import { threeTopics } from './support/dialogues.ts';
import { Edits } from './support/edits.ts';
import { expect, test } from './support/test.ts';

test.use({ sharesPage: true });
test.describe.configure({ mode: 'default' });

test('a conversation is held, walked, corrected and undone with the keyboard alone', async ({ app, page }) => {
  const { keyboard } = page;
  await app.open();
  for (const message of threeTopics.slice(0, 2)) {
    // An empty conversation focuses the message field.
    await expect(app.message).toBeFocused();
    await keyboard.type(message);
    await keyboard.press('Enter');
    await expect(app.turns.filter({ hasText: message })).toBeVisible();
    await app.settled();
    await app.message.focus();
  }

  // To the outline, and to its first turn.
  await app.forest.getByRole('button', { name: 'Outline' }).focus();
  await keyboard.press('Enter');
  await app.outlineTurn(2).focus();
  await keyboard.press('ArrowUp');
  await expect(app.outlineTurn(1)).toBeFocused();
  await keyboard.press('Enter');
  await expect(app.outlineTurn(1)).toHaveAttribute('aria-selected', 'true');
  await keyboard.press('Shift+Enter');
  await expect(app.outlineTurn(1)).toHaveAttribute('aria-current', 'true');
  await expect(app.turn(2)).toHaveCount(0);

  await keyboard.press('Control+z');
  await expect(app.outlineTurn(2)).toHaveAttribute('aria-current', 'true');

  await app.turn(2).getByRole('button', { name: 'Change' }).focus();
  await keyboard.press('Enter');
  await expect(page.getByRole('menu')).toBeVisible();
  await new Edits(app).walkTo(page.getByRole('menuitem', { name: 'New topic' }));
  await keyboard.press('Enter');
  await expect(app.why(2)).toContainText('moved by you');
});

test('in the outline, the focus moves to the next row when one is deleted', async ({ app, page }) => {
  const { keyboard } = page;
  await app.open();
  for (const message of threeTopics.slice(0, 3)) await app.send(message);
  await app.showOutline();
  await app.outlineTurn(1).focus();
  for (const number of [1, 2]) {
    await keyboard.press('Delete');
    await expect(app.outlineTurn(number)).toHaveCount(0);
    await expect(app.outlineTurn(number + 1)).toBeFocused();
  }
  await expect(app.outlineTurn(3)).toHaveAttribute('aria-current', 'true');
});

test('a title that is left with a key leaves the focus in the outline, and with a click where was clicked', async ({
  app,
  page,
}) => {
  const { keyboard } = page;
  await app.open();
  await app.send(threeTopics[0]);
  await app.showOutline();
  const topic = app.outline.getByRole('treeitem').first();
  const title = app.outline.getByRole('textbox', { name: 'Topic title' });
  await topic.focus();
  await keyboard.press('F2');
  await expect(title).toBeFocused();
  await keyboard.type('Journeys');
  await keyboard.press('Enter');
  await expect(topic).toBeFocused();
  await expect(topic).toContainText('Journeys');

  await keyboard.press('F2');
  await expect(title).toBeFocused();
  await keyboard.type('Travels');
  await app.message.click();
  await expect(topic).toContainText('Travels');
  await keyboard.type('And then?');
  await expect(app.message).toHaveValue('And then?');
});

test('Escape of an input method closes nothing and keeps what is written', async ({ app, page }) => {
  await app.open();
  await app.send(threeTopics[0]);
  const staysUntilEscape = async (field: Locator) => {
    await expect(field).toBeFocused();
    await field.fill('ひらがな');
    await app.escapeComposing();
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    expect(await field.isVisible()).toBe(true);
    await expect(field).toHaveValue('ひらがな');
    await page.keyboard.press('Escape');
    await expect(field).toBeHidden();
  };
  await page.keyboard.press('Control+k');
  await staysUntilEscape(app.dialog('Commands').getByRole('combobox'));
  await page.keyboard.press('Control+j');
  await staysUntilEscape(app.dialog('Where the message goes').getByRole('combobox'));
  await app.showOutline();
  await app.outlineTurn(1).focus();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('F2');
  await staysUntilEscape(app.outline.getByRole('textbox', { name: 'Topic title' }));
});

test('the canvas is walked with the keyboard', async ({ app, page }) => {
  await app.open();
  for (const message of threeTopics.slice(0, 2)) await app.send(message);
  const canvas = app.forest.getByRole('application');
  await canvas.focus();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await expect(app.inspector).toContainText('Turn 1');
});

test('F6 goes through all panes of a narrow page, and the message is skipped to wherever the chat is', async ({
  app,
  page,
}) => {
  await app.open();
  await app.send(threeTopics[0]);
  const skip = page.getByRole('link', { name: 'Skip to the message' });
  const isSkippedTo = async () => {
    await skip.focus();
    await page.keyboard.press('Enter');
    await expect(app.message).toBeFocused();
  };
  await app.button('Show chat').click();
  await expect(app.message).toBeHidden();
  await isSkippedTo();

  await app.resize({ width: 390, height: 844 });
  await page.keyboard.press('F6');
  await expect(app.forest).toBeFocused();
  await page.keyboard.press('F6');
  await expect(app.inspector).toBeFocused();
  await page.keyboard.press('F6');
  await expect(page.getByRole('region', { name: 'Chat' })).toBeFocused();
  await page.keyboard.press('Shift+F6');
  await expect(app.inspector).toBeFocused();
  await isSkippedTo();
});

test('dialogs take the focus and give it back', async ({ app, page }) => {
  await app.open();
  const isHeld = async (name: string, opener: string) => {
    await expect(app.dialog(name)).toBeVisible();
    await expect.poll(() => app.dialog(name).evaluate((dialog) => dialog.contains(document.activeElement))).toBe(true);
    await page.keyboard.press('Escape');
    await expect(app.dialog(name)).toBeHidden();
    await expect(app.button(opener)).toBeFocused();
  };
  for (const name of ['Import', 'Export', 'Models', 'Settings', 'Conversations']) {
    await app.button(name).focus();
    await page.keyboard.press('Enter');
    await isHeld(name, name);
  }
  for (const name of ['Analysis', 'Shortcuts', 'Commands']) {
    await app.button('More').focus();
    await page.keyboard.press('Enter');
    await app.button(name).focus();
    await page.keyboard.press('Enter');
    await isHeld(name, 'More');
  }
  // One that takes the place of another gives it back to what had opened that.
  await app.button('Settings').click();
  await app.dialog('Settings').getByRole('button', { name: 'Export this conversation' }).click();
  await isHeld('Export', 'Settings');
  // A clicked button shows its tooltip on hover, not when focus returns to it.
  await app.button('Settings').click();
  await app.dialog('Settings').getByRole('button', { name: 'Close' }).click();
  await expect(app.button('Settings')).toBeFocused();
  await expect(page.getByRole('tooltip')).toHaveCount(0);
});
