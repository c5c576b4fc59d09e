import { threeTopics } from './support/dialogues.ts';
import { expect, test } from './support/test.ts';

test.use({ sharesPage: true });
test.describe.configure({ mode: 'default' });

test('a chat over three topics with returns finds each its place, and is as left after a reload', async ({ app }) => {
  await app.open();
  for (const message of threeTopics.slice(0, 3)) await app.send(message);
  await expect(app.why(3)).toContainText('new topic');
  for (const message of threeTopics.slice(3)) await app.send(message);
  await expect(app.why(10)).toContainText('returned to');

  const shape = await app.shape();
  expect(shape.filter((row) => row.startsWith('1 ')).length, 'topics').toBe(3);
  await expect(app.outlineTurn(10)).toHaveAttribute('aria-current', 'true');

  await app.reload();
  await expect(app.turn(10)).toBeVisible();
  expect(await app.shape()).toEqual(shape);
});

test('a return goes on where the old topic was left', async ({ app }) => {
  await app.open();
  for (const message of threeTopics.slice(0, 4)) await app.send(message);
  await app.send('Back to Lisbon: which day trips from Lisbon can we do in a week?');

  await expect(app.why(5)).toContainText('returned to');
  // The conversation is the active path: the topic returned to, without the one in between.
  await expect(app.turn(1)).toBeVisible();
  await expect(app.turn(3)).toHaveCount(0);
});

test('the next message goes on from a turn made active', async ({ app }) => {
  await app.open();
  for (const message of threeTopics.slice(0, 4)) await app.send(message);
  await app.showOutline();
  await app.outlineTurn(2).dblclick();

  await expect(app.outlineTurn(2)).toHaveAttribute('aria-current', 'true');
  await expect(app.turn(2)).toBeVisible();
  await expect(app.turn(4)).toHaveCount(0);
});

test('the context shown is what was sent, and the inspector says why', async ({ app }) => {
  await app.open();
  await app.send(threeTopics[0]);
  await app.send(threeTopics[1]);

  await app.inspector.getByRole('tab', { name: 'Decision' }).click();
  await expect(app.inspector).toContainText(threeTopics[1]);
  await app.inspector.getByRole('tab', { name: 'Context' }).click();
  await expect(app.inspector).toContainText(threeTopics[0]);
  await app.inspector.getByRole('tab', { name: 'Turn', exact: true }).click();
  await expect(app.inspector).toContainText(threeTopics[1]);
});
