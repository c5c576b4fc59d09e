import { App } from './support/app.ts';
import { threeTopics } from './support/dialogues.ts';
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
