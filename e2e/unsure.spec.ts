import { expect, test } from './support/test.ts';

test('where the decider is unsure, the other places it thought of are one click away', async ({ app }) => {
  await app.open();
  const messages = [
    'How do I get candle wax out of a tablecloth?',
    'It is linen.',
    'What is a good first telescope for a child?',
    'Who invented the zipper?',
    'Is that safe?',
  ];
  for (const message of messages) await app.send(message);
  const turn = app.turn(messages.length);
  const other = turn.getByRole('button', { name: /^Move turn 5 to/ }).first();
  await expect(turn.getByText(/^\d+ % sure\. Or is it$/)).toBeVisible();
  expect(await turn.getByRole('button', { name: /^Move turn 5 to/ }).count()).toBeGreaterThanOrEqual(2);
  await other.focus();
  await app.page.keyboard.press('Enter');
  await expect(app.why(messages.length)).toContainText('moved by you');
  // The user has answered, so nothing more is asked.
  await expect(other).toHaveCount(0);
  expect(await app.exported()).toContain('"label":{"engine"');
});
