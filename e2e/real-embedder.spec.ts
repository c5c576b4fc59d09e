import type { App } from './support/app.ts';
import { ImportDialog } from './support/import-dialog.ts';
import { expect, test } from './support/model-test.ts';
import { repliedLog } from './support/replied-log.ts';

const PLANTS = ['tomatoes', 'carrots', 'peas', 'onions', 'beans', 'leeks', 'beetroot', 'spinach', 'chard', 'garlic'];
/** More turns than are compared in one go. */
const TURNS = 40;

const EMBEDDED = /^(?:θ 0\.45 · )?use-lite-en int8$/;
const OTHER = /^(?:θ 0\.\d+ · )?glove-wink-100d-30k \(transformers\.js, WASM/;

const openGarden = async (app: App): Promise<void> => {
  await app.open();
  const dialog = new ImportDialog(app);
  await dialog.open();
  const turns = Array.from({ length: TURNS }, (_, i) => ({
    message: `When should I plant the ${PLANTS[i % PLANTS.length]} in bed ${i + 1} of the garden?`,
    reply: `Plant them in week ${10 + (i % 30)}, when the soil in bed ${i + 1} is warm.`,
  }));
  await dialog.giveFile('garden.coppice.jsonl', repliedLog(turns));
  await dialog.openConversation();
  await app.settled();
};

/** Sends a message; `by` matches the embedder that must place it, and its θ where the decider has a gate. */
const expectPlaced = async (app: App, message: string, by: RegExp): Promise<void> => {
  await app.send(message);
  await app.inspector.getByRole('tab', { name: 'Decision' }).click();
  await expect(app.inspector).toContainText(message);
  await expect(app.inspector.getByText(by)).toBeVisible();
};

test('another embedder compares the conversation anew while the one before goes on, then decides by its own θ; and back', async ({
  app,
  page,
  hub,
  models,
  answers,
}) => {
  await openGarden(app);
  await models.open();
  await models.setHub(hub.address);
  await models.addOwn({ runtime: 'transformers', hub: 'local/glove-wink-100d-30k', task: 'embed' });
  await answers.after(1, 'embedded');
  await models.useAdded('embed');
  await expect(await models.stateOf('embed')).toHaveText(/^comparing \d+ %$/);
  await expect(models.now).toContainText(`of ${TURNS} turns`);
  await expect(models.now).toContainText('You can keep writing.');
  await models.close();
  await expect(page.getByLabel(/^Embeds: glove-wink-100d-30k, comparing \d+ %/)).toBeVisible();
  await expectPlaced(app, 'And how deep do I plant the garlic in bed 40 of the garden?', EMBEDDED);

  await answers.letGo();
  await expect(await models.stateOf('embed')).toHaveText('ready');
  await models.close();
  await expectPlaced(app, 'And how far apart do I plant the garlic in bed 40 of the garden?', OTHER);

  await models.choose('embed', 'use-lite-en int8');
  await expect(await models.stateOf('embed')).toHaveText('ready');
  await models.delete('glove-wink-100d-30k');
  await models.close();
  await expectPlaced(app, 'And how often do I water the garlic in bed 40 of the garden?', EMBEDDED);
});
