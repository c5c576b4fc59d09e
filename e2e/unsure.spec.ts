import { expect, test } from './support/test.ts';

test('where the decider is unsure, the other places it thought of are one click away', async ({ app }) => {
  await app.open();
  const messages = [
    'My tomato leaves turn yellow, why?',
    'I water them every day.',
    'What should I cook with 12 ripe tomatoes?',
    'I want to learn the guitar. Where do I start?',
    'and for the garden?',
  ];
  for (const message of messages) await app.send(message);
  const turn = app.turn(messages.length);
  const other = turn.getByRole('button', { name: /^Move turn 5 to/ }).first();
  await expect(turn.getByText(/^\d+ % sure\. Or is it$/)).toBeVisible();
  expect(await turn.getByRole('button', { name: /^Move turn 5 to/ }).count()).toBeGreaterThanOrEqual(2);
  await other.focus();
  await app.page.keyboard.press('Enter');
  await expect(app.why(messages.length)).toContainText('moved by you');
  // The person has spoken: nothing is asked any more.
  await expect(other).toHaveCount(0);
  expect(await app.exported()).toContain('"label":{"engine"');
});
