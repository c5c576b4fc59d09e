import { startOpenAiServer } from '../src/models/runtimes/server/testing/open-ai-server.ts';
import { ModelsDialog } from './support/models-dialog.ts';
import { expect, test } from './support/test.ts';

const MODEL = 'small-model';
const REPLIES: Readonly<Record<string, string>> = {
  'best paint for a kitchen ceiling': 'A scrubbable matt emulsion for kitchens: it resists steam and grease.',
  'how many coats': 'Two coats of the emulsion, with four hours between them, on a primed ceiling.',
  'my sourdough starter smells of acetone': 'It is hungry, not dead: feed the starter flour and water twice a day.',
  'and how much': 'Equal weights: 50 g of starter, 50 g of flour and 50 g of water at every feeding.',
  'and before the first one?':
    'Sand the old ceiling lightly where the paint is glossy, then prime it before the emulsion.',
};

test('a message that only hints at its topic is moved there once its reply tells, says so, and goes back with one undo', async ({
  app,
  chosenOrigins,
}) => {
  const server = await startOpenAiServer({
    models: [MODEL],
    // Text retrieved for a message precedes it.
    answer: ({ body }) =>
      Object.entries(REPLIES).find(([message]) => body.messages.at(-1).content.endsWith(message))?.[1] ??
      'I do not know.',
  });
  chosenOrigins.add(new URL(server.address).origin);
  await app.open();
  const models = new ModelsDialog(app);
  await models.useServer({ address: server.address, model: MODEL }, 'chat');
  await models.close();
  for (const message of Object.keys(REPLIES)) await app.send(message);
  await app.settled();

  await expect(app.turn(5)).toContainText('as its reply showed');
  expect(await app.shape()).toEqual([
    expect.stringContaining('1 '),
    expect.stringContaining('2 Turn 1'),
    expect.stringContaining('Turn 2'),
    expect.stringMatching(/Turn 5.*\(active\)/),
    expect.stringContaining('1 '),
    expect.stringContaining('Turn 3'),
    expect.stringContaining('Turn 4'),
  ]);
  await app.undo.click();
  await expect(app.turn(5)).not.toContainText('as its reply showed');
  await expect(app.turn(4)).toBeVisible();
  await app.redo.click();
  await expect(app.turn(5)).toContainText('as its reply showed');
  await server.close();
});
