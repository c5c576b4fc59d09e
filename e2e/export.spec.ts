import { readFile } from 'node:fs/promises';
import type { Locator } from '@playwright/test';
import { WRITERS } from '../src/features/exchange/write/writers.ts';
import type { App } from './support/app.ts';
import { expectNoViolations } from './support/axe.ts';
import { forestLog, oakAndShip } from './support/forest-log.ts';
import { ImportDialog } from './support/import-dialog.ts';
import { expect, test } from './support/test.ts';

test.use({ sharesPage: true });
test.describe.configure({ mode: 'default' });

const openLog = async (app: App): Promise<void> => {
  await app.open();
  const dialog = new ImportDialog(app);
  await dialog.open();
  const note = (idOf: (name: string) => string) => [
    { type: 'turn-noted' as const, nodeId: idOf('Acorn'), note: 'plant it' },
  ];
  await dialog.giveFile('made-up.coppice.jsonl', forestLog(oakAndShip, note));
  await dialog.openConversation();
  await expect(app.turns).toHaveCount(2);
};

const choose = (dialog: Locator, name: string) =>
  dialog.getByRole('radiogroup', { name: 'Format' }).getByRole('radio', { name, exact: true }).check();

const downloaded = async (app: App, dialog: Locator): Promise<{ name: string; path: string }> => {
  const downloading = app.page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Download' }).click();
  const file = await downloading;
  return { name: file.suggestedFilename(), path: await file.path() };
};

test('every format is one file, and what it leaves out is named before', async ({ app, page }) => {
  await openLog(app);
  for (const { name, ending, holds } of WRITERS) {
    const dialog = await app.openDialog('Export');
    await choose(dialog, name);
    const missing = dialog.getByRole('region', { name: 'Not in this format' });
    if ((holds as readonly string[]).includes('notes')) await expect(missing).not.toContainText('1 note');
    else await expect(missing).toContainText('1 note');
    if (name === 'Preference pairs') {
      // No turn has two replies, so there is nothing to save, and the dialog says so.
      await dialog.getByRole('button', { name: 'Download' }).click();
      await expect(dialog.getByRole('status')).toContainText('This conversation has nothing to export');
      await dialog.getByRole('button', { name: 'Close' }).click();
      continue;
    }
    const file = await downloaded(app, dialog);
    expect(file.name).toBe(`oak${ending}`);
    expect((await readFile(file.path)).length).toBeGreaterThan(50);
    await expect(dialog).toBeHidden();
  }
  await expectNoViolations(page);
});

test('a conversation goes out as an Open WebUI chat, and comes in as the same forest', async ({ app }) => {
  await openLog(app);
  const dialog = await app.openDialog('Export');
  await choose(dialog, 'Open WebUI chats');
  const { path } = await downloaded(app, dialog);
  await app.button('New conversation').click();
  const importing = new ImportDialog(app);
  await importing.open();
  await importing.giveFile('chats.json', await readFile(path, 'utf8'));
  const row = importing.root.getByRole('table', { name: 'What was read' }).getByRole('row').nth(1);
  await expect(row.getByRole('cell')).toHaveText(['Oak', '10', '5', '2', '2']);
  await importing.root.getByRole('button', { name: 'Open as it was' }).click();
  await expect(app.turn(5)).toContainText('Mast');
  await app.showOutline();
  await expect(app.page.getByRole('treeitem', { name: /^Turn \d/ })).toHaveCount(5);
});

// Counts the conversations, so it needs a page without any others.
test.describe(() => {
  test.use({ sharesPage: false });

  test('all conversations go out as one file', async ({ app }) => {
    await openLog(app);
    await app.button('New conversation').click();
    await app.send('How tall does a hazel grow?');
    const dialog = await app.openDialog('Export');
    await choose(dialog, 'llama.cpp sessions');
    await dialog.getByRole('button', { name: 'All 2' }).click();
    const { name, path } = await downloaded(app, dialog);
    expect(name).toBe('conversations.llama.jsonl');
    const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
    expect(lines.filter((line) => JSON.parse(line).type === 'session')).toHaveLength(2);
  });
});

test('the page that is exported opens offline, in light and dark, and only the path is in it where so chosen', async ({
  app,
  browser,
}) => {
  await openLog(app);
  let dialog = await app.openDialog('Export');
  await choose(dialog, 'HTML page');
  const whole = await downloaded(app, dialog);
  dialog = await app.openDialog('Export');
  await choose(dialog, 'HTML page');
  await dialog.getByRole('button', { name: 'Active path' }).click();
  const path = await downloaded(app, dialog);
  for (const colorScheme of ['light', 'dark'] as const) {
    const context = await browser.newContext({ colorScheme, offline: true });
    const page = await context.newPage();
    await page.setContent(await readFile(whole.path, 'utf8'));
    await expect(page.getByRole('article')).toHaveCount(5);
    await expect(page.getByRole('heading', { level: 2 })).toHaveText(['Oak', 'Ship']);
    await expectNoViolations(page, { where: colorScheme });
    await page.setContent(await readFile(path.path, 'utf8'));
    await expect(page.getByRole('article')).toHaveCount(2);
    await context.close();
  }
});

test('the picture is drawn by the browser as it is', async ({ app, page }) => {
  await openLog(app);
  const dialog = await app.openDialog('Export');
  await choose(dialog, 'PNG picture');
  const { path } = await downloaded(app, dialog);
  const url = `data:image/png;base64,${(await readFile(path)).toString('base64')}`;
  const width = await page.evaluate(async (src) => {
    const image = new Image();
    image.src = src;
    await image.decode();
    return image.naturalWidth;
  }, url);
  expect(width).toBeGreaterThan(600);
});
