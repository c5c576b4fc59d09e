import { threeTopics } from './support/dialogues.ts';
import { expectHeld } from './support/edits.ts';
import { expect, test } from './support/test.ts';

test.use({ sharesPage: true });
test.describe.configure({ mode: 'default' });

test('a correction moves the turn; undo and redo take it back and forth, across a reload', async ({ app }) => {
  await app.open();
  for (const message of threeTopics.slice(0, 2)) await app.send(message);
  const before = await app.shape();

  await app.correctToNewTopic(2);
  await expect(app.why(2)).toContainText('moved by you');
  const after = await app.titledShape();
  await expectHeld(app, () => app.shape(), before, after);
  await app.undo.click();
  await expect.poll(() => app.shape()).toEqual(before);
});

test('a turn becomes a branch of an earlier one', async ({ app }) => {
  await app.open();
  for (const message of threeTopics.slice(0, 2)) await app.send(message);
  await app.send('How loud is Alfama in Lisbon on a Saturday night?');

  await app.correctToBranchFrom(3, 1);
  await expect(app.why(3)).toContainText('moved by you');
  await expect(app.why(3)).toContainText('turn 1');
  // The path now bypasses the second turn.
  await expect(app.turn(2)).toHaveCount(0);
});

test('undo takes back what the engine did, message and all', async ({ app }) => {
  await app.open();
  await app.send(threeTopics[0]);
  const before = await app.shape();
  await app.send(threeTopics[2]);

  await app.undo.click();
  await expect.poll(() => app.shape()).toEqual(before);
});
