import { App } from './support/app.ts';
import { threeTopics } from './support/dialogues.ts';
import { holdRecall } from './support/held-answers.ts';
import { expect, test } from './support/test.ts';

test('a tab killed in the middle of a reply loses no turn; the reply is marked and goes on', async ({
  context,
  page,
}) => {
  const first = new App(page);
  await first.open();
  await holdRecall(page);
  await first.message.fill(threeTopics[0]);
  await first.button('Send').click();
  await expect(first.button('Stop')).toBeVisible();
  await expect(first.turn(1)).toContainText('language model');
  await page.close();

  const second = new App(await context.newPage());
  await second.open();
  await expect(second.turn(1)).toContainText('Interrupted');
  await second.turn(1).getByRole('button', { name: 'Continue' }).click();
  await expect(second.turn(1)).not.toContainText('Interrupted');
  await second.settled();
  await expect(second.turn(1).getByRole('button', { name: 'Continue' })).toHaveCount(0);
});

test('a reply that is stopped keeps what came of it', async ({ app, page }) => {
  await app.open();
  await holdRecall(page);
  await app.message.fill(threeTopics[0]);
  await app.button('Send').click();
  // What is typed after either button is pressed goes into the next message.
  await expect(app.message).toBeFocused();
  await expect(app.turn(1)).toContainText('language model');
  await app.button('Stop').click();
  await expect(app.message).toBeFocused();

  await expect(app.turn(1)).toContainText('Stopped');
  await expect(app.turn(1)).toContainText('language model');
});

test('a reply is stopped with its keys while the caret is in the message', async ({ app, page }) => {
  await app.open();
  await holdRecall(page);
  await app.message.fill(threeTopics[0]);
  await app.message.press('Enter');
  await expect(app.turn(1)).toContainText('language model');
  await app.message.press('ControlOrMeta+.');
  await expect(app.turn(1)).toContainText('Stopped');
});

test('a message that was sent is there after a reload at once', async ({ context, page }) => {
  const first = new App(page);
  await first.open();
  await first.message.fill(threeTopics[0]);
  await first.button('Send').click();
  await expect(first.turn(1)).toBeVisible();
  await page.close();

  const second = new App(await context.newPage());
  await second.open();
  await expect(second.turn(1)).toContainText(threeTopics[0]);
  await second.settled();
});
