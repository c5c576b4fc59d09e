import { App } from './support/app.ts';
import { threeTopics } from './support/dialogues.ts';
import { holdRecall } from './support/held-answers.ts';
import { expect, test } from './support/test.ts';

test('two tabs of one conversation follow each other', async ({ app, context }) => {
  await app.open();
  await app.send(threeTopics[0]);
  const other = new App(await context.newPage());
  await other.open();
  await expect(other.turn(1)).toContainText(threeTopics[0]);

  await other.send(threeTopics[1]);
  await expect(app.turn(2)).toContainText(threeTopics[1]);
  await app.correctToNewTopic(2);
  await expect(other.why(2)).toContainText('moved by you');
  await other.sameAs(app);
});

test('a reply goes on in another tab when the one it was asked for in is closed', async ({ app, context }) => {
  await app.open();
  await app.send(threeTopics[0]);
  const closing = new App(await context.newPage());
  await closing.open();
  await holdRecall(closing.page);
  await closing.message.fill(threeTopics[1]);
  await closing.button('Send').click();
  await expect(app.turn(2)).toContainText('language model');
  await expect(app.turn(2)).not.toContainText('Interrupted');
  await closing.page.close();

  await expect(app.turn(2)).toContainText('Interrupted');
  await app.turn(2).getByRole('button', { name: 'Continue' }).click();
  await app.settled();
  await expect(app.turn(2)).not.toContainText('Interrupted');
});
