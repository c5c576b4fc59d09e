import type { Page } from '@playwright/test';
import type { Fault } from './support/hub-faults.ts';
import { expect, GENERATORS, test } from './support/model-test.ts';

const { own, name } = GENERATORS['llama.cpp'];

/** Opens what the header says about the failed model. */
const whyFailed = async (page: Page, state: string) => {
  await page.getByRole('button', { name: `Replies: ${name}, ${state}` }).click();
  return page.getByRole('dialog', { name: `${name} ${state}` });
};

const faults: readonly (readonly [string, Omit<Fault, 'path'>, RegExp, 'Try again' | 'Check the settings'])[] = [
  ['is not there', { status: 404 }, /There is no stories260K-f32\.gguf from/, 'Check the settings'],
  ['is private', { status: 401 }, /refuses .* \(401\)\. There may be no such model/, 'Check the settings'],
  ['may not be read by pages', { noCors: true }, /does not let this page read from it \(CORS\)/, 'Check the settings'],
  ['breaks off again and again', { cutAt: 500_000 }, /was interrupted\. The part received is kept/, 'Try again'],
  [
    'is another length than was told',
    { wrongLengthBy: 5000 },
    /is .* bytes long, not .* as the server said/,
    'Try again',
  ],
  ['comes damaged', { corrupt: true }, /was damaged during the download \(its SHA-256 differs\)/, 'Try again'],
  ['is refused for a while', { status: 429, retryAfter: 60 }, /asks to wait/, 'Try again'],
];

for (const [what, fault, words, remedy] of faults) {
  test(`a download that ${what} says so, and one button goes on`, async ({ app, page, hub, models }) => {
    hub.fail({ path: 'local/', ...fault });
    await app.open();
    await models.useFromHub(hub, own, 'chat');
    const state = fault.status === 401 ? 'refused (401)' : 'failed';
    await expect(await models.stateOf('chat')).toHaveText(state);
    await expect(models.now).toContainText(words);
    await expect(models.now.getByRole('button', { name: 'Use the embedded model' })).toBeVisible();
    await models.close();
    const why = await whyFailed(page, state);
    await expect(why).toContainText(words);
    hub.fail();
    await why.getByRole('button', { name: remedy }).click();
    if (remedy === 'Try again') {
      await expect(page.getByRole('button', { name: new RegExp(`^Replies: ${name}, ready`) })).toBeVisible();
    } else {
      await expect(models.root.getByRole('region', { name: 'Add a model' })).toBeVisible();
      await models.open('chat');
      await models.now.getByRole('button', { name: 'Use the embedded model' }).click();
      await expect(models.now).toContainText('recall');
    }
  });
}

test('where the browser has no room left, it says how much it needs, and leads to what can be deleted', async ({
  app,
  page,
  context,
  hub,
  models,
  baseURL,
}) => {
  await app.open();
  const cdp = await context.newCDPSession(page);
  await cdp.send('Storage.overrideQuotaForOrigin', { origin: new URL(baseURL ?? '').origin, quotaSize: 500_000 });
  await models.useFromHub(hub, own, 'chat');
  await expect(await models.stateOf('chat')).toHaveText('failed');
  await expect(models.now).toContainText(/needs .* more.* Delete models that you no longer use/);
  await models.now.getByRole('button', { name: 'Free space' }).click();
  await expect(models.root.getByRole('region', { name: 'Downloaded models' })).toBeVisible();
});

test('a file of one’s own that is no model is refused with words', async ({ app, models }) => {
  await app.open();
  await models.open('add');
  await models.root.getByLabel('File', { exact: true }).setInputFiles({
    name: 'notes.gguf',
    mimeType: 'application/octet-stream',
    buffer: Buffer.from('Milk, eggs, flour'),
  });
  await models.button('Add').click();
  await expect(models.root.getByRole('alert')).toContainText('notes.gguf is not a GGUF file');
});

test('the reply of a model whose worker the browser ends without a word keeps what came, and goes on', async ({
  app,
  page,
  hub,
  models,
  answers,
}) => {
  await app.open();
  await models.useFromHub(hub, own, 'chat');
  await expect(await models.stateOf('chat')).toHaveText('ready');
  await models.close();
  await answers.after(6);
  await app.message.fill('Once upon a time there was a dog');
  await app.button('Send').click();
  const turn = app.turn(1);
  const reply = turn.locator('[data-streaming]');
  await expect(reply).toHaveText(/\S/);
  const worker = page.workers().find((one) => one.url().includes('wllama-worker'));
  await worker?.evaluate(() => self.close());
  await expect(turn).toContainText('The model’s worker ended: the browser stopped it.');
  await expect(page.getByRole('button', { name: `Replies: ${name}, failed` })).toBeVisible();
  const kept = await reply.innerText();
  await answers.letGo();
  await turn.getByRole('button', { name: 'Continue' }).click();
  await expect(turn.getByText(/tokens\/s/)).toBeVisible();
  await app.settled();
  const whole = await reply.innerText();
  expect(whole.startsWith(kept)).toBe(true);
  expect(whole.length).toBeGreaterThan(kept.length);
  await expect(page.getByRole('button', { name: `Replies: ${name}, ready` })).toBeVisible();
  // The failure is shown where it matters, and nowhere else.
  await expect(app.problem).toHaveCount(0);
});
