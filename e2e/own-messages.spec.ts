import { threeTopics } from './support/dialogues.ts';
import { expect, test } from './support/test.ts';

test.use({ sharesPage: true });
test.describe.configure({ mode: 'default' });

test('a message is shown as written, code in it monospaced, and folded where it is long', async ({ app }) => {
  await app.open();
  const lines = Array.from({ length: 30 }, (_, at) => `* item number ${at + 1} of the list`).join('\n');
  await app.send(`Sort this list with \`sort -u\`, please:\n${lines}`);
  const turn = app.turn(1);
  await expect(turn.locator('code', { hasText: '`sort -u`' })).toHaveCSS('font-family', /mono/);
  await expect(turn).toContainText('* item number 19 of the list');
  const more = turn.getByRole('button', { name: 'Show all 31 lines' });
  await expect(turn.getByText('item number 20 of the list')).toHaveCount(0);
  await more.press('Enter');
  await expect(turn.getByText('item number 30 of the list').first()).toBeVisible();
  await turn.getByRole('button', { name: 'Show less' }).click();
  await expect(more).toBeVisible();
});

test('the arrow up in an empty field edits the last message', async ({ app, page }) => {
  await app.open();
  await app.send(threeTopics[0]);
  await app.message.fill('x');
  await app.message.press('ArrowUp');
  await expect(app.turn(1).getByRole('textbox', { name: 'Edited message' })).toHaveCount(0);
  await app.message.fill('');
  await app.message.press('ArrowUp');
  await expect(app.turn(1).getByRole('textbox', { name: 'Edited message' })).toBeFocused();
  await page.keyboard.press('Escape');
});

test('what is typed after a change was sent goes into the next message, in a narrow window too', async ({
  app,
  page,
}) => {
  await page.setViewportSize({ width: 720, height: 800 });
  await app.open();
  await app.send(threeTopics[0]);
  await app.message.press('ArrowUp');
  await expect(app.turn(1).getByRole('textbox', { name: 'Edited message' })).toBeFocused();
  await page.keyboard.type(' Thanks.');
  await page.keyboard.press('Enter');
  await page.keyboard.type('H');
  await expect(app.message).toHaveValue('H');
});

test.describe('on a touch screen', () => {
  test.use({ sharesPage: false, hasTouch: true, viewport: { width: 390, height: 844 } });

  test('Enter begins a new line, and the button sends', async ({ app }) => {
    await app.open();
    await app.message.fill('Two lines:');
    await app.message.press('Enter');
    await app.message.pressSequentially('this is the second.');
    await expect(app.message).toHaveValue('Two lines:\nthis is the second.');
    await app.button('Send').click();
    await expect(app.turn(1)).toContainText('this is the second.');
  });

  test('a menu opens at a tap and closes at another, and not where a scroll begins', async ({ app, page }) => {
    await app.open();
    await app.send(threeTopics[0]);
    const change = app.turn(1).getByRole('button', { name: 'Change' });
    const menu = page.getByRole('menu');
    for (const type of ['pointerdown', 'pointercancel']) await change.dispatchEvent(type, { pointerType: 'touch' });
    await expect(change).toHaveAttribute('aria-expanded', 'false');
    await change.tap();
    await expect(menu).toBeVisible();
    await change.tap();
    await expect(menu).toBeHidden();
  });
});

test.describe('in a browser with no other conversation', () => {
  test.use({ sharesPage: false });

  test('what is not sent yet stays with its conversation, over a reload too', async ({ app }) => {
    await app.open();
    await app.message.fill('Not begun yet');
    await app.reload();
    await expect(app.message).toHaveValue('Not begun yet');
    await app.send(threeTopics[0]);
    await expect(app.message).toHaveValue('');
    await app.message.fill('And by train?');
    await app.button('New conversation').click();
    await expect(app.message).toHaveValue('');
    await app.send(threeTopics[4]);
    await app.message.fill('Overnight?');
    await (await app.listConversations()).getByText(/Lisbon/).click();
    await expect(app.message).toHaveValue('And by train?');
    // The conversation used last is opened again.
    await app.reload();
    await expect(app.message).toHaveValue('Overnight?');
    await (await app.listConversations()).getByText(/Lisbon/).click();
    await expect(app.message).toHaveValue('And by train?');
  });
});
