import { readFile } from 'node:fs/promises';
import type { App } from './support/app.ts';
import { expectNoViolations } from './support/axe.ts';
import { ImportDialog } from './support/import-dialog.ts';
import { expect, test } from './support/test.ts';

const openBackup = async (app: App) => {
  await app.page.keyboard.press('ControlOrMeta+k');
  await app.dialog('Commands').getByRole('combobox').fill('Backup');
  await app.page.keyboard.press('Enter');
  const dialog = app.dialog('Backup');
  await expect(dialog).toBeVisible();
  return dialog;
};

const backUp = async (app: App): Promise<Buffer> => {
  const dialog = await openBackup(app);
  const downloading = app.page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Download a backup' }).click();
  const file = await downloading;
  expect(file.suggestedFilename()).toMatch(/^coppice-backup-\d{4}-\d\d-\d\d\.zip$/);
  return readFile(await file.path());
};

const titles = async (app: App) => {
  const items = await app.listConversations();
  await expect(items.first()).toBeVisible();
  return items;
};

test('a backup is merged in another browser: its conversations come, what is there stays, again nothing is doubled', async ({
  app,
  page,
}) => {
  await app.open();
  await app.send('How do I prune a hazel?');
  await app.button('New conversation').click();
  await app.send('What is a coppice?');
  const backup = await backUp(app);

  // Like a browser that has only one of them, plus one of its own.
  await app.button('New conversation').click();
  await app.send('Which saw is best?');
  const dialog = await openBackup(app);
  await dialog.getByLabel('Backup file').setInputFiles({ name: 'b.zip', mimeType: 'application/zip', buffer: backup });
  const table = dialog.getByRole('table', { name: 'What is new' });
  await expect(table.getByRole('row', { name: 'that are here already' })).toContainText('2');
  await expect(table.getByRole('row', { name: 'that are only here' })).toContainText('1');
  await expect(table.getByRole('row', { name: 'continue differently there: Merge keeps both' })).toContainText('0');
  await expectNoViolations(page, { where: 'backup' });
  await dialog.getByRole('button', { name: 'Merge' }).click();
  await expect(dialog).toBeHidden();
  await expect(app.turn(1)).toContainText('Which saw is best?');
  await expect(await titles(app)).toHaveCount(3);
});

test('dropped on a fresh page, a backup brings everything back', async ({ app, browser, address }) => {
  await app.open();
  await app.send('How do I prune a hazel?');
  const backup = await backUp(app);
  const context = await browser.newContext({ baseURL: address });
  const { App: Page } = await import('./support/app.ts');
  const other = new Page(await context.newPage());
  await other.open();
  await other.page.evaluate(
    (bytes) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([new Uint8Array(bytes)], 'backup.zip'));
      document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    },
    [...backup],
  );
  const dialog = new ImportDialog(other).root;
  await expect(dialog.getByRole('table', { name: 'What is new' })).toContainText('not here1');
  await dialog.getByRole('button', { name: 'Restore…' }).click();
  await expect(dialog).toContainText(
    'conversations, keyboard shortcuts, personas, engine settings and what the decider learned',
  );
  await dialog.getByRole('button', { name: 'Restore it' }).click();
  await expect(other.turn(1)).toContainText('How do I prune a hazel?');
  await context.close();
});

test('what is no backup is refused in words', async ({ app }) => {
  await app.open();
  const dialog = await openBackup(app);
  await dialog
    .getByLabel('Backup file')
    .setInputFiles({ name: 'x.zip', mimeType: 'application/zip', buffer: Buffer.from('PK not really') });
  await expect(dialog.getByRole('alert')).toContainText('x.zip is not a backup of Coppice');
});

test('copies go into a folder that was chosen, and stop when told to', async ({ app, page }) => {
  // A folder in the browser's own storage stands in for one on disk, which no test can choose.
  await page.addInitScript(() => {
    Object.assign(window, { showDirectoryPicker: () => navigator.storage.getDirectory() });
  });
  await app.open();
  await app.send('How do I prune a hazel?');
  const copies = (await openBackup(app)).getByRole('region', { name: 'Copies into a folder' });
  await expect(copies).toContainText('Off.');
  await copies.getByRole('button', { name: 'Choose a folder…' }).click();
  await expect(copies.getByRole('status')).toContainText('Last saved just now');
  const size = await page.evaluate(async () => {
    const folder = await navigator.storage.getDirectory();
    for await (const name of folder.keys()) {
      if (/^coppice-backup-[0-9a-f]{8}\.zip$/.test(name))
        return (await (await folder.getFileHandle(name)).getFile()).size;
    }
    return 0;
  });
  expect(size).toBeGreaterThan(500);
  await copies.getByRole('button', { name: 'Stop' }).click();
  await expect(copies).toContainText('Off.');

  // Another browser, or this one without its data, leaves the copy as it is and offers to open it.
  await page.evaluate(async () => {
    const folder = await navigator.storage.getDirectory();
    for await (const name of folder.keys()) {
      if (!name.startsWith('coppice-backup')) continue;
      const copy = await (await folder.getFileHandle('coppice-backup.zip', { create: true })).createWritable();
      await copy.write(await (await folder.getFileHandle(name)).getFile());
      return copy.close();
    }
  });
  await copies.getByRole('button', { name: 'Choose a folder…' }).click();
  await copies.getByRole('button', { name: 'Open coppice-backup.zip' }).click();
  await expect(app.dialog('Backup').getByRole('table', { name: 'What is new' })).toContainText('here already1');
});
