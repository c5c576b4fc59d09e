import type { Locator } from '@playwright/test';
import { launchOptions, SOFTWARE_GPU } from '../scripts/find-browser.mjs';
import { expect, test } from './support/model-test.ts';

/*
 * WebGPU on the processor, for machines without a GPU and users who ask for it. It writes a token or two a second, too slow to decide and
 * summarise as well. Not every machine has it, and where several tests share few processors Chromium may end it. Then there is nothing to
 * test, and the reason says so.
 */
test.use({ launchOptions: await launchOptions(SOFTWARE_GPU) });

const STORY = 'Once upon a time there was a dog';
const writer = { runtime: 'transformers', hub: 'long/stories260K', task: 'generate', device: 'webgpu' } as const;
const embedder = {
  runtime: 'transformers',
  hub: 'local/glove-wink-100d-30k',
  task: 'embed',
  device: 'webgpu',
} as const;
const WRITER = /stories260K \(transformers\.js, WebGPU, /;
const ELSEWHERE = /stories260K \(transformers\.js, WASM, [^)]*\)/;
/** Either the request to the GPU or the GPU itself may fail first. */
const LOST = 'The GPU was lost while the model';
const EMBEDDER = /glove-wink-100d-30k \(transformers\.js, WebGPU, /;

test('what is asked to run on WebGPU does: replies that are stopped and gone on with, vectors; a lost GPU is told, and the next try has a new one', async ({
  app,
  browser,
  hub,
  models,
  answers,
}, { skip }) => {
  const replyStreams = async (turn: Locator) => {
    const lost = turn.getByText(LOST);
    await expect(turn.locator('[data-streaming="true"]').or(lost).first()).toBeVisible();
    skip(await lost.isVisible(), 'The browser lost its software GPU by itself.');
  };
  await app.open();
  await models.useFromHub(hub, writer, 'chat');
  await expect(await models.stateOf('chat')).toHaveText('ready');
  await models.addOwn(embedder);
  await models.useAdded('embed');
  await expect(await models.stateOf('embed')).toHaveText('ready');
  await models.close();
  await app.setReplies({ 'Longest reply': '6' });

  await answers.after(2);
  await app.message.fill(STORY);
  await app.button('Send').click();
  const turn = app.turn(1);
  const reply = turn.locator('[data-streaming]');
  await replyStreams(turn);
  await app.button('Stop').click();
  await expect(turn).toContainText('Stopped before the reply was complete.');
  const kept = await reply.innerText();
  await answers.letGo();
  await turn.getByRole('button', { name: 'Continue' }).click();
  await expect(turn).not.toContainText('Stopped before');
  await app.settled();
  await expect(turn).toContainText(new RegExp(`${WRITER.source}|${ELSEWHERE.source}|${LOST}`));
  const said = await turn.innerText();
  skip(said.includes(LOST), 'The browser lost its software GPU by itself.');
  skip(ELSEWHERE.test(said), `The browser has no software GPU that runs the model: ${ELSEWHERE.exec(said)?.[0]}`);
  expect((await reply.innerText()).length).toBeGreaterThan(kept.length);

  await app.send('The dog ran to the park with a red ball');
  await app.inspector.getByRole('tab', { name: 'Decision' }).click();
  await expect(app.inspector).toContainText('The dog ran to the park');
  await expect(app.inspector.getByText(EMBEDDER).first()).toBeVisible();

  await answers.after(1);
  await app.message.fill('Then the cat came');
  await app.button('Send').click();
  const lost = app.turn(3);
  await replyStreams(lost);
  const gpu = await browser.newBrowserCDPSession();
  await gpu.send('Browser.crashGpuProcess').catch(() => undefined);
  await answers.letGo();
  await app.settled();
  await expect(lost).toContainText(LOST);
  await lost.getByRole('button', { name: 'Try again' }).click();
  await app.settled();
  await expect(lost).not.toContainText('The GPU was lost');
  await expect(lost).toContainText(WRITER);
});
