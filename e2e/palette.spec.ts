import { BOTH_THEMES, expectNoViolationsIn } from './support/axe.ts';
import { threeTopics } from './support/dialogues.ts';
import { expect, test } from './support/test.ts';

test.use({ sharesPage: true });
test.describe.configure({ mode: 'default' });

// Goes first: the later tests choose a theme.
test('the palette and the shortcuts are accessible in both themes', async ({ app, page }) => {
  await app.open();
  await app.send(threeTopics[0]);
  await page.keyboard.press('Control+k');
  await expect(app.dialog('Commands')).toBeVisible();
  await expectNoViolationsIn(page, BOTH_THEMES, { where: 'palette' });
  await page.keyboard.press('Escape');
  await app.openDialog('Shortcuts');
  await expect(app.dialog('Shortcuts')).toContainText('In an empty field: edit the last message');
  await expect(app.dialog('Shortcuts')).toContainText('The button at the bottom of the canvas');
  await expectNoViolationsIn(page, BOTH_THEMES, { where: 'shortcuts' });
});

test('commands, turns and conversations are found and done with the keyboard alone', async ({ app, page }) => {
  const { keyboard } = page;
  await app.open();
  for (const message of threeTopics.slice(0, 3)) await app.send(message);
  const palette = app.dialog('Commands');
  const field = palette.getByRole('combobox', { name: 'Commands' });
  const option = (name: RegExp) => palette.getByRole('option', { name });

  // Works even in the message field, where other shortcuts do not.
  await app.message.focus();
  await keyboard.press('Control+k');
  await expect(field).toBeFocused();
  await expect(palette.getByRole('group', { name: 'Chat' })).toBeVisible();
  await expect(option(/^Redo.*There is nothing to redo\./)).toHaveAttribute('aria-disabled', 'true');
  await expect(option(/^Undo.*Ctrl Z/)).toBeVisible();

  await field.pressSequentially('theme dark');
  await expect(field).toHaveValue('theme dark');
  const dark = option(/^Theme: dark/);
  await expect(dark).toHaveAttribute('aria-selected', 'true');
  await expect(field).toHaveAttribute('aria-activedescendant', (await dark.getAttribute('id')) ?? '');
  await keyboard.press('Enter');
  await expect(palette).toBeHidden();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expect(app.message).toBeFocused();

  // Recently used, so it comes first.
  await keyboard.press('Control+k');
  await expect(field).toBeFocused();
  await expect(palette.getByRole('group', { name: 'Recently used' }).getByRole('option')).toHaveText([/^Theme: dark/]);

  await field.pressSequentially('turn 1');
  await expect(field).toHaveValue('turn 1');
  await keyboard.press('ArrowDown');
  await keyboard.press('ArrowUp');
  // The list matches everything that was typed.
  await expect(option(/“turn 1”$/)).toBeVisible();
  for (let i = 0; i < 20 && (await option(/^Go to turn 1: /).getAttribute('aria-selected')) !== 'true'; i++) {
    await keyboard.press('ArrowDown');
  }
  await keyboard.press('Enter');
  await expect(app.turn(1)).toBeInViewport();
  await expect(app.turn(1)).toHaveAttribute('data-selected', 'true');

  // Its own shortcut closes it too, but not while it is still held down.
  await keyboard.down('Control');
  await keyboard.down('k');
  await expect(field).toBeFocused();
  await keyboard.down('k');
  await keyboard.up('k');
  await expect(palette).toBeVisible();
  await keyboard.press('k');
  await keyboard.up('Control');
  await expect(palette).toBeHidden();
});

test('a command that cannot be done says why and stays there', async ({ app, page }) => {
  await app.open();
  await page.keyboard.press('Control+k');
  const palette = app.dialog('Commands');
  const field = palette.getByRole('combobox');
  await expect(field).toBeFocused();
  await field.pressSequentially('delete with all');
  await expect(field).toHaveValue('delete with all');
  await expect(
    palette.getByRole('option', { name: /^Delete with all under it.*There is no turn yet\./ }),
  ).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(palette).toBeVisible();
});

test('shortcuts do what they say, and never while somebody types, in a dialog or composing', async ({ app, page }) => {
  const { keyboard } = page;
  await app.open();
  for (const message of threeTopics.slice(0, 2)) await app.send(message);
  await app.message.focus();
  await keyboard.type('?h/[');
  await expect(app.message).toHaveValue('?h/[');
  await app.message.fill('');

  // A character still being composed does not count yet.
  await app.forest.focus();
  await page.evaluate(() => {
    const event = new KeyboardEvent('keydown', { key: '?', isComposing: true, bubbles: true, cancelable: true });
    document.body.dispatchEvent(event);
  });
  await expect(app.dialog('Shortcuts')).toBeHidden();

  await keyboard.press('Delete');
  await expect(app.turn(2)).toHaveCount(0);
  await keyboard.press('Control+z');
  await expect(app.turn(2)).toBeVisible();

  await keyboard.press('?');
  await expect(app.dialog('Shortcuts')).toBeVisible();
  await keyboard.press('Delete');
  await keyboard.press('Escape');
  await expect(app.dialog('Shortcuts')).toBeHidden();
  await expect(app.turn(2)).toBeVisible();

  // The drawer keeps single keys for itself, and no others.
  await app.listConversations();
  await expect(app.dialog('Conversations').getByRole('button', { name: /2 turns/ })).toBeFocused();
  await keyboard.press('?');
  await keyboard.press('Control+k');
  await expect(app.dialog('Commands').getByRole('combobox')).toBeFocused();
  await expect(app.dialog('Shortcuts')).toBeHidden();
  await expect(app.dialog('Conversations')).toBeHidden();
});

test('keys are given, taken and reset, hold at once, and are still there after a reload', async ({ app, page }) => {
  const { keyboard } = page;
  await app.open();
  await app.send(threeTopics[0]);
  const dialog = await app.openDialog('Shortcuts');
  const row = (words: string) => dialog.getByRole('button', { name: new RegExp(`^${words}: `) });
  const record = async (words: string) => {
    await row(words).focus();
    await keyboard.press('Enter');
    await expect(dialog.getByText('Press the new keys.')).toBeVisible();
  };

  await record('Undo');
  await keyboard.press('Control+Shift+u');
  await expect(row('Undo')).toHaveAccessibleName(/Ctrl Shift U/);

  // A shortcut that belongs to another command is named, and taken over only if the user says so.
  await record('Redo');
  await keyboard.press('Control+k');
  await expect(dialog.getByText('belongs to')).toContainText('Ctrl K belongs to “All commands…”.');
  await keyboard.press('Escape');
  await expect(dialog).toBeVisible();
  await expect(row('Redo')).toHaveAccessibleName(/Ctrl Shift Z or Ctrl Y/);
  // Shortcuts reserved by the browser are refused.
  await record('Redo');
  await page.evaluate(() =>
    window.dispatchEvent(new KeyboardEvent('keydown', { key: 't', ctrlKey: true, cancelable: true })),
  );
  await expect(dialog.getByText('This shortcut is reserved by the browser.')).toBeVisible();
  await keyboard.press('Escape');
  // Whoever searches instead gives no keys.
  await record('Redo');
  const sought = dialog.getByRole('searchbox', { name: 'Search commands and keys' });
  await sought.click();
  await keyboard.type('redo');
  await expect(sought).toHaveValue('redo');
  await expect(row('Redo')).toHaveAccessibleName(/Ctrl Shift Z or Ctrl Y/);
  await sought.fill('');
  await keyboard.press('Escape');
  await expect(dialog).toBeHidden();

  const undone = async () => {
    await app.forest.focus();
    await keyboard.press('Control+z');
    await expect(app.turn(1)).toBeVisible();
    // The browser's own undo, no longer intercepted, may have gone to the message field.
    await app.forest.focus();
    await keyboard.press('Control+Shift+u');
    await expect(app.turn(1)).toHaveCount(0);
    // With no turn left, the message field takes the focus.
    await expect(app.message).toBeFocused();
    await app.forest.focus();
    await keyboard.press('Control+y');
    await expect(app.turn(1)).toBeVisible();
  };
  await undone();
  await app.reload();
  await undone();

  await page.keyboard.press('Control+k');
  await app.dialog('Commands').getByRole('combobox').fill('undo');
  await expect(app.dialog('Commands').getByRole('option', { name: /^Undo.*Ctrl Shift U/ })).toBeVisible();
  await page.keyboard.press('Escape');

  await app.openDialog('Shortcuts');
  await dialog.getByRole('button', { name: 'Reset all' }).click();
  await expect(row('Undo')).toHaveAccessibleName(/Ctrl Z/);
  await expect(dialog.getByRole('button', { name: 'Reset all' })).toBeDisabled();
  await expect(dialog).toBeFocused();
});

test('on a phone the palette is under More, and fits', async ({ app }) => {
  await app.resize({ width: 390, height: 844 });
  await app.open();
  await app.openDialog('Commands');
  await expect(app.dialog('Commands').getByRole('combobox')).toBeFocused();
  const box = await app.dialog('Commands').boundingBox();
  expect(box?.x).toBeGreaterThanOrEqual(0);
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(390);
});

test.describe('in a page of its own, which is slowed down', () => {
  test.use({ sharesPage: false });

  test('Enter right after the last letter does what was typed', async ({ app, page }) => {
    await app.open();
    // So slow that the list lags behind the typing.
    const machine = await page.context().newCDPSession(page);
    await machine.send('Emulation.setCPUThrottlingRate', { rate: 8 });
    await page.keyboard.press('Control+k');
    const field = app.dialog('Commands').getByRole('combobox');
    await expect(field).toBeFocused();
    await field.pressSequentially('theme dark');
    await page.keyboard.press('Enter');
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
    await expect(app.dialog('Commands')).toBeHidden();
  });
});
