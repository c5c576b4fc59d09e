import type { Page } from '@playwright/test';
import { App } from './support/app.ts';
import { blockDatabases } from './support/break-storage.ts';
import { gardenMessages, threeTopics } from './support/dialogues.ts';
import { ImportDialog } from './support/import-dialog.ts';
import { ReplayBar } from './support/replay-bar.ts';
import { expect, test } from './support/test.ts';

const blockSiteData = (): void => {
  const refuse = () => {
    throw new DOMException('blocked for the test', 'SecurityError');
  };
  IDBFactory.prototype.open = refuse;
  LockManager.prototype.request = async () => refuse();
  for (const name of ['sessionStorage', 'localStorage']) Object.defineProperty(window, name, { get: refuse });
  window.BroadcastChannel = new Proxy(BroadcastChannel, { construct: refuse });
};

for (const [what, block] of [
  ['IndexedDB', blockDatabases],
  ['site data', blockSiteData],
] as const) {
  test(`where ${what} is blocked the page says so, goes on, and offers to export`, async ({ app, page }) => {
    await page.addInitScript(block);
    await app.open();
    await expect(app.problem).toContainText('Nothing new is being saved');
    await app.send(threeTopics[0]);
    await expect(app.turn(1)).toBeVisible();

    await app.problem.getByRole('button', { name: 'Export' }).click();
    await expect(app.dialog('Export')).toBeVisible();
  });
}

test('a conversation that is exported and imported again has lost nothing', async ({ app, context }) => {
  await app.open();
  const dialog = new ImportDialog(app);
  await dialog.open();
  await dialog.paste(JSON.stringify(gardenMessages.slice(0, 4)));
  await dialog.replay();
  await new ReplayBar(app).ended();
  await app.correctToNewTopic(2);
  await expect(app.why(2)).toContainText('moved by you');
  const shape = await app.titledShape();
  const file = await app.exported();

  const other = new App(await context.newPage());
  await other.open();
  const otherDialog = new ImportDialog(other);
  await otherDialog.open();
  await otherDialog.giveFile('again.coppice.jsonl', file);
  await otherDialog.openConversation();
  await other.settled();
  await expect.poll(() => other.shape()).toEqual(shape);
  // The whole log came along, so earlier actions can still be undone.
  await other.undo.click();
  await expect.poll(() => other.shape()).not.toEqual(shape);
});

interface StoredRow {
  readonly id?: string;
  readonly updatedAt?: number;
  readonly bytes?: ArrayBuffer;
}

/** Returns all rows of a table, after storing those in `put`. */
const stored = (page: Page, table: string, put: readonly StoredRow[] = []): Promise<StoredRow[]> =>
  page.evaluate(
    async ([name, changed]) => {
      const done = <T>(request: IDBRequest<T>) =>
        new Promise<T>((resolve, reject) => {
          request.onsuccess = () => resolve(request.result);
          request.onerror = () => reject(request.error);
        });
      const database = await done(indexedDB.open('coppice'));
      const rows = database.transaction(name, 'readwrite').objectStore(name);
      for (const row of changed) rows.put(row);
      const all = await done<StoredRow[]>(rows.getAll());
      database.close();
      // Bytes cannot be passed back from the page.
      return all.map((row) => (row.bytes === undefined ? row : { ...row, bytes: new ArrayBuffer(0) }));
    },
    [table, put] as const,
  );

/** Makes all conversations look as if they were last written to that many days ago. */
const age = async (page: Page, days: number): Promise<void> => {
  const metas = await stored(page, 'conversations');
  await stored(
    page,
    'conversations',
    metas.map((meta) => ({ ...meta, updatedAt: (meta.updatedAt ?? 0) - days * 86_400_000 })),
  );
};

/** How many log rows are compressed, and how many are not. */
const rowsOfLogs = async (page: Page) => {
  const rows = await stored(page, 'entries');
  const compressed = rows.filter((row) => 'bytes' in row).length;
  return { compressed, others: rows.length - compressed };
};

test('what has not been written to for a week is compressed, and goes on as it was', async ({ app, page }) => {
  await app.open();
  await app.send(threeTopics[0]);
  await app.send(threeTopics[1]);
  await app.settled();
  await age(page, 8);
  const before = await rowsOfLogs(page);
  expect(before.compressed).toBe(0);
  await app.button('New conversation').click();
  await expect(app.turns).toHaveCount(0);
  await app.send(threeTopics[2]);
  await app.settled();
  const others = (await rowsOfLogs(page)).others - before.others;
  await app.reload();
  await expect.poll(() => rowsOfLogs(page)).toEqual({ compressed: 1, others });

  const items = await app.listConversations();
  await items.last().getByRole('button').first().click();
  await expect(app.turn(2)).toContainText(threeTopics[1]);
  await app.send(threeTopics[2]);
  await app.reload();
  await expect(app.turn(3)).toContainText(threeTopics[2]);
  await app.undo.click();
  await expect(app.turn(2)).toContainText(threeTopics[1]);
});

test('the settings say what takes how much, and what is made again when it is needed can go', async ({ app }) => {
  await app.open();
  await app.send(threeTopics[0]);
  await app.settled();
  const settings = await app.openDialog('Settings');
  const table = settings.getByRole('table', { name: 'Storage by type' });
  await expect(table).toHaveAttribute('aria-busy', 'false');
  await expect(table.getByRole('row', { name: /^Conversations/ })).toContainText(/\d (B|kB)/);
  const vectors = table.getByRole('row', { name: /^Vectors of turns/ });
  await expect(vectors).toContainText('kB');
  await vectors.getByRole('button', { name: 'Clear: Vectors of turns' }).click();
  await expect(vectors).toHaveCount(0);
  await app.page.keyboard.press('Escape');

  await app.reload();
  await app.send(threeTopics[2]);
  await expect(app.why(2)).toContainText('new topic');
});
