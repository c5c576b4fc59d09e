import type { Page } from '@playwright/test';
import { type OpenAiServer, startOpenAiServer } from '../src/models/runtimes/server/testing/open-ai-server.ts';
import { App } from './support/app.ts';
import { blockDatabases } from './support/break-storage.ts';
import { ModelsDialog } from './support/models-dialog.ts';
import { test as base, expect } from './support/test.ts';

const KEY = 'sk-test-7391-not-to-be-kept';
const MODEL = 'small-model';

const test = base.extend<{ server: OpenAiServer; models: ModelsDialog }>({
  server: async ({ chosenOrigins }, use) => {
    const server = await startOpenAiServer({ models: [MODEL, 'other-model'], key: KEY });
    chosenOrigins.add(new URL(server.address).origin);
    await use(server);
    await server.close();
  },
  models: ({ app }, use) => use(new ModelsDialog(app)),
});

/** Everything that this browser stores for the page, and what the tab stores. */
const stored = (page: Page): Promise<{ kept: string; session: string }> =>
  page.evaluate(async () => {
    const request = <T>(made: IDBRequest<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        made.onsuccess = () => resolve(made.result);
        made.onerror = () => reject(made.error);
      });
    const rows: unknown[] = [{ ...localStorage }];
    for (const { name = '' } of await indexedDB.databases()) {
      const database = await request(indexedDB.open(name));
      for (const store of database.objectStoreNames) {
        rows.push(await request(database.transaction(store).objectStore(store).getAll()));
      }
      database.close();
    }
    return { kept: JSON.stringify(rows), session: JSON.stringify({ ...sessionStorage }) };
  });

test('a server’s model replies; where the text goes is said, and its key is kept for the tab alone', async ({
  app,
  page,
  context,
  server,
  models,
}) => {
  await app.open();
  await models.addServer({ address: server.address, key: KEY, model: MODEL });
  await expect(models.root).toContainText(`Text of the conversation leaves this browser for ${server.address}.`);
  await models.useAdded('chat');
  await expect(await models.stateOf('chat')).toHaveText('ready');
  await expect(models.now).toContainText(`Text of the conversation leaves this browser for ${server.address}.`);
  await models.close();
  await app.send('How tall is the Eiffel Tower?');
  await expect(app.turn(1)).toContainText('You said: How tall is the Eiffel Tower?');
  await expect(app.turn(1)).toContainText(/tokens\/s|prefilled/);
  expect(server.requests.at(-1)?.headers.authorization).toBe(`Bearer ${KEY}`);

  const { kept, session } = await stored(page);
  expect(kept).toContain(MODEL);
  expect(kept).not.toContain(KEY);
  expect(session).toContain(KEY);
  await app.reload();
  await app.send('And the Shard?');
  await expect(app.turn(2)).toContainText('You said: And the Shard?');

  // Another tab is another session.
  const other = new App(await context.newPage());
  await other.open();
  await other.send('And the Atomium?');
  await expect(other.turn(3)).toContainText(/requires a key \(401\)/);
});

test('where nothing can be stored, a server’s model that was just added replies', async ({
  app,
  page,
  server,
  models,
}) => {
  await page.addInitScript(blockDatabases);
  await app.open();
  await models.useServer({ address: server.address, key: KEY, model: MODEL }, 'chat');
  await models.close();
  await app.send('How tall is the Eiffel Tower?');
  await expect(app.turn(1)).toContainText('You said: How tall is the Eiffel Tower?');
});

test('a server that lets nobody in any more is said to refuse until it answers again, and its window is set by hand', async ({
  app,
  page,
  server,
  models,
}) => {
  await app.open();
  await models.useServer({ address: server.address, key: KEY, model: MODEL }, 'chat');
  await models.go('server');
  const window = models.root.getByRole('textbox', { name: `Window of ${MODEL}` });
  await window.fill('12');
  await models.button(`Set the window of ${MODEL}`).click();
  await expect(window).toHaveAccessibleDescription(/from 512/);
  await window.fill('2,048');
  await models.button(`Set the window of ${MODEL}`).click();
  await expect(page.getByRole('status').filter({ hasText: 'at most 2,048 tokens' })).toBeAttached();
  await expect(await models.stateOf('chat')).toHaveText('ready');
  await models.close();

  server.fail({ kind: 'status', status: 401 });
  await app.send('And the swallows?');
  const pill = page.getByRole('button', { name: `Replies: ${MODEL}, refused (401)` });
  await pill.click();
  await expect(page.getByRole('dialog', { name: `${MODEL} refused (401)` })).toContainText('does not accept the key');
  await page.keyboard.press('Escape');
  await app.reload();
  await app.send('And the storks?');
  // The message that was refused is sent with the next one.
  await expect(app.turns.last()).toContainText(/You said: And the swallows\?\s+And the storks\?/);
  await expect(page.getByRole('button', { name: `Replies: ${MODEL}, ready` })).toBeVisible();
  await models.open('server');
  await expect(window).toHaveValue('2048');
});

test('a key is kept on the machine only where that is asked for, and forgotten with the server', async ({
  app,
  page,
  server,
  models,
}) => {
  await app.open();
  await models.addServer({ address: server.address, key: KEY, remember: true, model: MODEL });
  await expect.poll(async () => (await stored(page)).kept).toContain(KEY);
  await models.useAdded('chat');
  await models.go('server');
  await models.button(`Forget ${server.address}`).click();
  await expect(models.root.getByRole('list', { name: 'Servers' })).toHaveCount(0);
  await expect.poll(async () => (await stored(page)).kept).not.toContain(KEY);
  await models.go('chat');
  await expect(models.now).toContainText('recall');
});

test('a server that cannot be had says why: no such address, pages kept out, a wrong key, no such server', async ({
  app,
  server,
  models,
  chosenOrigins,
}) => {
  await app.open();
  const nobody = 'http://127.0.0.1:9/v1';
  chosenOrigins.add(new URL(nobody).origin);
  const alert = models.root.getByRole('alert');
  await models.connect({ address: nobody });
  await expect(alert).toContainText('127.0.0.1:9');
  await models.connect({ address: server.address, key: 'wrong' });
  await expect(alert).toContainText('does not accept the key (401)');
  server.set({ cors: false });
  await models.connect({ address: server.address, key: KEY });
  await expect(alert).toContainText(/does not let .* page|CORS/);
  server.set({ cors: true });
  server.fail({ kind: 'web-page' }, '/models');
  await models.connect({ address: server.address, key: KEY });
  await expect(alert).toContainText('not as an OpenAI-compatible server does');
  await models.connect({ address: server.address, key: KEY });
  await expect(models.root.getByRole('list', { name: 'Models of the server' })).toContainText('other-model');
});

test('a reply that breaks off keeps what came and goes on; too many requests, and a wrong decision, are told', async ({
  app,
  server,
  models,
}) => {
  await app.open();
  await models.useServer({ address: server.address, key: KEY, model: MODEL }, 'chat');
  await models.choose('decide', 'Same as chat');
  await expect(await models.stateOf('decide')).toHaveText('ready');
  await models.close();

  server.set({ answer: 'one two three four five six' });
  server.fail({ kind: 'unfinished', after: 3 });
  await app.message.fill('Count to six, please.');
  await app.button('Send').click();
  const turn = app.turn(1);
  const reply = turn.locator('[data-streaming]');
  await expect(turn.getByRole('button', { name: 'Continue' })).toBeVisible();
  await expect(reply).toHaveText(/^one two three$/);
  await expect(turn).toContainText('was interrupted');
  // Anything still in flight on a connection that breaks may be lost.
  server.fail({ kind: 'cut', after: 3 });
  await turn.getByRole('button', { name: 'Try again' }).click();
  await expect(turn).toContainText('2/2');
  await expect(turn).toContainText('was interrupted');
  await app.settled();
  await turn.getByRole('button', { name: 'Try again' }).click();
  await expect(reply).toHaveText('one two three four five six');
  await app.settled();

  // The decision is asked first; the answer is prose.
  await app.send('And then count on to ten.');
  await app.inspector.getByRole('tab', { name: 'Decision' }).click();
  await expect(app.inspector.getByRole('region', { name: 'Fallbacks' })).toContainText('embedded decider');
  await expect(app.turn(2)).toContainText('fallback');

  await models.choose('decide', 'embedded decider');
  await models.close();
  server.fail({ kind: 'status', status: 429, headers: { 'retry-after': '30' } });
  await app.turn(2).getByRole('button', { name: 'Regenerate' }).click();
  await expect(app.turn(2)).toContainText('has had too many requests (429). Try again in 30 s.');
  await app.turn(2).getByRole('button', { name: 'Try again' }).click();
  await expect(app.turn(2).locator('[data-streaming]')).toHaveText('one two three four five six');
});

test('a server decides in the form that is asked for; the trace shows the question and the answer', async ({
  app,
  server,
  models,
}) => {
  await app.open();
  await models.useServer({ address: server.address, key: KEY, model: MODEL }, 'decide');
  await models.close();
  await app.send('Which neighbourhood of Lisbon is quiet?');
  server.set({
    answer: ({ body }) => (body.response_format === undefined ? 'Hm.' : '{"action":"create","target":0}'),
  });
  await app.send('Is Alfama in Lisbon quiet at night?');
  await expect(app.why(2)).toContainText('new topic');
  await app.inspector.getByRole('tab', { name: 'Decision' }).click();
  const trace = app.inspector.getByRole('region', { name: 'Trace' });
  await trace.getByText('Prompt').click();
  await expect(trace).toContainText('New message: "Is Alfama in Lisbon quiet at night?"');
  await trace.getByText('Raw answer').click();
  await expect(trace).toContainText('{"action":"create","target":0}');
});
