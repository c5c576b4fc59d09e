import type { App } from './support/app.ts';
import { expectNoViolations } from './support/axe.ts';
import { BrokenEmbedder } from './support/broken-embedder.ts';
import { choosePolicy } from './support/choose-policy.ts';
import { threeTopics } from './support/dialogues.ts';
import { expect, test } from './support/test.ts';

const inspect = async (app: App, turn: number, tab: 'Decision' | 'Context'): Promise<void> => {
  await app.showOutline();
  await app.outlineTurn(turn).click();
  await app.inspector.getByRole('tab', { name: tab }).click();
};

test('under context-agent-code a turn shows which paths were asked about, and what was said of each', async ({
  app,
  page,
}) => {
  await app.open();
  await choosePolicy(app, 'context-agent-code');
  for (const message of threeTopics.slice(0, 7)) await app.send(message);
  await inspect(app, 7, 'Decision');
  const { inspector } = app;
  await expect(inspector).toContainText('This policy asks about one path after another');
  const paths = inspector.getByRole('list', { name: 'Paths asked about' }).getByRole('listitem');
  // The chickpeas, where the conversation was, then Lisbon, the first of the others.
  await expect(paths).toHaveCount(2);
  await expect(paths.nth(0)).toContainText(/to turn 6no/);
  await expect(paths.nth(1)).toContainText(/to turn 2yes/);
  await paths.nth(1).getByRole('button', { name: 'turn 2' }).click();
  await expect(inspector).toContainText(threeTopics[1]);
  await inspect(app, 5, 'Decision');
  await expect(inspector).toContainText('so the topic is new');
  await expectNoViolations(page, { where: 'paths asked about' });
  await inspect(app, 7, 'Context');
  await expect(inspector.getByText(/^context-agent-code · /)).toBeVisible();
});

test('where the embedder of a memory fails the last turns are sent, and the line and the inspector say so', async ({
  app,
  page,
}) => {
  const embedder = await BrokenEmbedder.install(page);
  await app.open();
  await choosePolicy(app, 'memtree');
  for (const message of threeTopics.slice(0, 2)) await app.send(message);
  await embedder.break();
  await app.send(threeTopics[2]);
  await expect(app.turn(3)).toContainText('fallback');
  for (const tab of ['Decision', 'Context'] as const) {
    await inspect(app, 3, tab);
    await expect(app.inspector.getByText('Used instead: truncation instead of memtree.')).toBeVisible();
    await expectNoViolations(page, { where: `fallbacks under ${tab}` });
  }
  await expect(app.inspector.getByText(/^truncation · /)).toBeVisible();
  await embedder.mend();
  await app.send(threeTopics[3]);
  await inspect(app, 4, 'Context');
  await expect(app.inspector.getByText(/^memtree · /)).toBeVisible();
});
