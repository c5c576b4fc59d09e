import { strToU8, zipSync } from 'fflate';
import { docx, lockedPdf, PNG, pdf } from '../src/features/attachments/testing/made-files.ts';
import { startOpenAiServer } from '../src/models/runtimes/server/testing/open-ai-server.ts';
import type { App } from './support/app.ts';
import { expectNoViolations } from './support/axe.ts';
import { startHub } from './support/hub.ts';
import { ImportDialog } from './support/import-dialog.ts';
import { ModelsDialog } from './support/models-dialog.ts';
import { expect, test } from './support/test.ts';

test.use({ sharesPage: true });
test.describe.configure({ mode: 'default' });

const given = (name: string, bytes: Uint8Array | string, mimeType = '') => ({
  name,
  mimeType,
  buffer: Buffer.from(bytes),
});

/** Chooses files through the composer's button. */
const choose = async (app: App, ...files: ReturnType<typeof given>[]): Promise<void> => {
  const choosing = app.page.waitForEvent('filechooser');
  await app.button('Attach').click();
  await (await choosing).setFiles(files);
};

/** The attached files that have been read. */
const attached = (app: App) => app.page.getByRole('list', { name: 'Attached' }).locator('li:not([data-reading])');

/** Drops files on an element, or pastes them into it. */
const give = async (app: App, selector: string, kind: 'drop' | 'paste', name: string, text: string): Promise<void> => {
  await app.page.locator(selector).evaluate(
    (element, { kind, name, text }) => {
      const data = new DataTransfer();
      data.items.add(new File([text], name, { type: 'text/plain' }));
      const how = { bubbles: true, cancelable: true };
      element.dispatchEvent(
        kind === 'drop'
          ? new DragEvent('drop', { ...how, dataTransfer: data })
          : new ClipboardEvent('paste', { ...how, clipboardData: data }),
      );
    },
    { kind, name, text },
  );
};

test('text, a PDF and a Word document go with a message, are there after a reload, and are found and sent', async ({
  app,
  page,
}) => {
  await app.open();
  await choose(
    app,
    given('packing.txt', 'Bring the green umbrella and two maps.', 'text/plain'),
    given('contract.pdf', pdf('The landlord pays for the boiler.', 'Notice is three months.'), 'application/pdf'),
    given('letter.docx', docx('Dear Ms Quist,', 'the piano arrives on Tuesday.')),
  );
  await expect(attached(app)).toHaveCount(3);
  await expectNoViolations(page);
  // Unsent files survive a reload.
  await app.reload();
  await expect(attached(app)).toHaveCount(3);
  await app.send('What is in these?');
  await expect(attached(app)).toHaveCount(0);

  await app.reload();
  const files = app.turn(1).getByRole('list', { name: 'Attachments' });
  await expect(files.getByRole('button')).toHaveText(['packing.txt', 'contract.pdf', 'letter.docx']);
  await files.getByRole('button', { name: 'contract.pdf' }).click();
  const viewer = app.dialog('contract.pdf');
  await expect(viewer).toContainText('[page 2]');
  await expect(viewer).toContainText('Notice is three months.');
  await expectNoViolations(page);
  await page.keyboard.press('Escape');
  await expect(viewer).toHaveCount(0);

  await app.button('Inspect turn 1').click();
  await app.inspector.getByRole('tab', { name: 'Context' }).click();
  await expect(app.inspector).toContainText('the piano arrives on Tuesday.');
  await app.inspector.getByRole('tab', { name: 'Turn' }).click();
  const downloading = page.waitForEvent('download');
  await app.inspector.getByRole('button', { name: 'Download packing.txt' }).click();
  expect((await downloading).suggestedFilename()).toBe('packing.txt');
  await expect(app.forest.getByRole('img', { name: 'Came with 3 files' })).toBeVisible();
});

test('a file is dropped or pasted on the composer, taken away by a key, and comes back with an undone message', async ({
  app,
  page,
}) => {
  await app.open();
  await give(app, '#message', 'drop', 'dropped.txt', 'dropped words');
  await give(app, '#message', 'paste', 'pasted.txt', 'pasted words');
  await expect(attached(app)).toHaveCount(2);
  await expect(app.dialog('Import')).toHaveCount(0);
  await app.button('Remove dropped.txt').focus();
  await page.keyboard.down('Delete');
  await expect(attached(app)).toHaveCount(1);
  await expect(app.button('Remove pasted.txt')).toBeFocused();
  // Held down until the next file has the focus.
  await page.keyboard.down('Delete');
  await page.keyboard.up('Delete');
  await expect(app.button('Remove pasted.txt')).toBeFocused();

  // Without any text, the file name is the message.
  await app.button('Send').click();
  await expect(app.turn(1)).toContainText('pasted.txt');
  await app.settled();
  await app.undo.click();
  await expect(app.turns).toHaveCount(0);
  await expect(attached(app)).toHaveCount(1);

  // Elsewhere on the page, the same file is imported.
  await give(app, 'header', 'drop', 'other.txt', 'User: hello\nAssistant: hi');
  await expect(app.dialog('Import')).toBeVisible();
});

test('a long text that is pasted stays text, and can go as a file instead', async ({ app, page }) => {
  await app.open();
  const long = 'A line of a long log. '.repeat(250).trim();
  await app.message.fill('See: ');
  const paste = (pasted: string) =>
    app.message.evaluate(async (element, text) => {
      const field = element as HTMLTextAreaElement;
      const data = new DataTransfer();
      data.setData('text/plain', text);
      const event = new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData: data });
      if (!field.dispatchEvent(event)) return;
      // As for a person, the page is drawn before the text is inserted.
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      field.setRangeText(text, field.value.length, field.value.length, 'end');
      field.dispatchEvent(new InputEvent('input', { bubbles: true }));
    }, pasted);
  await paste(long);
  await expect(app.message).toHaveValue(`See: ${long}`);
  await page.getByRole('button', { name: 'Attach as a file instead' }).click();
  await expect(app.message).toHaveValue('See:');
  await expect(attached(app)).toContainText('pasted text.txt');
  await paste(` ${long}`);
  await expect(page.getByRole('button', { name: 'Attach as a file instead' })).toBeVisible();
});

test('what cannot be attached says why, and the rest is', async ({ app }) => {
  await app.open();
  await choose(
    app,
    given('locked.pdf', lockedPdf(), 'application/pdf'),
    given('scan.pdf', pdf(''), 'application/pdf'),
    given('program.exe', Uint8Array.of(0x4d, 0x5a, 0, 1)),
    given('large.txt', 'too long '.repeat(70_000)),
    given('fine.txt', 'fine'),
  );
  await expect(attached(app)).toHaveText([/^fine\.txt/]);
  for (const words of [
    /locked\.pdf is not attached.*locked with a password/s,
    /scan\.pdf is not attached.*pages are pictures/s,
    /program\.exe is not attached.*none of them/s,
    /large\.txt is not attached.*630,000 characters.*at most 600,000/s,
  ]) {
    await expect(app.problem.filter({ hasText: words })).toBeVisible();
  }
});

test('an export’s files are kept and shown, those that it lacks are marked, and our own export brings them along', async ({
  app,
  page,
}) => {
  const message = (role: string, parts: unknown[], attachments: unknown[] = []) => ({
    author: { role },
    content: { content_type: 'multimodal_text', parts },
    metadata: { attachments },
  });
  const pointer = (id: string) => ({ content_type: 'image_asset_pointer', asset_pointer: `file-service://${id}` });
  const asked = message(
    'user',
    ['What is it?', pointer('file-Cat')],
    [
      { id: 'file-Cat', name: 'cat.png' },
      { id: 'file-Purr', name: 'purr.wav' },
      { id: 'file-Gone', name: 'notes.pdf' },
    ],
  );
  const chat = {
    conversation_id: 'c',
    title: 'A cat',
    current_node: 'a',
    mapping: {
      u: { id: 'u', parent: null, children: ['a'], message: asked },
      a: { id: 'a', parent: 'u', children: [], message: message('assistant', ['A cat.', pointer('file-Drawn')]) },
    },
  };
  const archive = zipSync({
    'conversations.json': strToU8(JSON.stringify([chat])),
    'file-Cat-1.png': PNG,
    'file-Purr-3.wav': Uint8Array.of(0x52, 0x49, 0x46, 0x46, 0, 1, 2, 3),
    'dalle-generations/file-Drawn-2.png': PNG.slice(),
  });
  await app.open();
  const dialog = new ImportDialog(app);
  await dialog.open();
  await dialog.root
    .getByLabel('File', { exact: true })
    .setInputFiles({ name: 'chatgpt.zip', mimeType: 'application/zip', buffer: Buffer.from(archive) });
  await dialog.root.getByRole('button', { name: 'Open as it was' }).click();
  await expect(page.getByText('1 file was not in the export').first()).toBeVisible();
  const files = app.turn(1).getByRole('list', { name: 'Attachments' });
  const shown = async () => {
    await expect(files.getByRole('button', { name: 'cat.png' }).locator('img')).toBeVisible();
    await expect(files.getByText('notes.pdf was not in the export')).toBeVisible();
    await expect(files).toHaveCount(2);
  };
  await shown();
  await expectNoViolations(page);
  await files.getByRole('button', { name: 'purr.wav' }).click();
  await expect(app.dialog('purr.wav')).toContainText('It cannot be shown here. Download it to open it.');
  await page.keyboard.press('Escape');

  const log = await app.exported();
  expect(log).toContain('data:image/png;base64,');
  await page.evaluate(
    () =>
      new Promise<void>((resolve, reject) => {
        const deleting = indexedDB.deleteDatabase('coppice');
        deleting.onsuccess = () => resolve();
        deleting.onerror = () => reject(deleting.error);
      }),
  );
  await app.reload();
  await expect(app.turns).toHaveCount(0);
  await dialog.open();
  await dialog.giveFile('a-cat.coppice.jsonl', log);
  await dialog.openConversation();
  await shown();
  const settings = await app.openDialog('Settings');
  await expect(settings).toContainText('2 attached files');
});

test.describe('in a browser that nothing was kept or chosen in', () => {
  test.use({ sharesPage: false });

  test('a picture goes to a model that sees; one that does not is told its name, and the person beforehand', async ({
    app,
    page,
    chosenOrigins,
  }) => {
    const server = await startOpenAiServer({ models: ['blind-model', 'some-vision-model'] });
    chosenOrigins.add(new URL(server.address).origin);
    const models = new ModelsDialog(app);
    await app.open();
    const choice = page.getByRole('button', { name: 'Choose a model that can see pictures' });
    await choose(app, given('cat.png', PNG, 'image/png'));
    await expect(app.page.getByRole('status').filter({ hasText: 'No language model is chosen' })).toBeVisible();

    await models.useServer({ address: server.address, model: 'blind-model' }, 'chat');
    await models.close();
    await expect(
      app.page.getByRole('status').filter({ hasText: /blind-model .*cannot see this picture/ }),
    ).toBeVisible();
    await app.send('What is this?');
    await expect(app.turn(1)).toContainText('[picture cat.png, not shown to this model]');
    const said = () => server.requests.findLast(({ path }) => path.endsWith('/chat/completions'))?.body.messages;
    expect(typeof said().at(-1).content).toBe('string');

    await models.useServer({ address: server.address, model: 'some-vision-model' }, 'chat');
    await models.close();
    await choose(app, given('dog.png', PNG, 'image/png'));
    await expect(attached(app)).toHaveCount(1);
    await expect(choice).toHaveCount(0);
    await app.send('And this, beside the other?');
    const shown = said().flatMap(({ content }: { content: unknown }) =>
      Array.isArray(content) ? content.slice(1) : [],
    );
    // The same one-pixel picture twice: the previous turn's picture is shown again.
    const url = `data:image/png;base64,${Buffer.from(PNG).toString('base64')}`;
    expect(shown).toEqual([
      { type: 'image_url', image_url: { url } },
      { type: 'image_url', image_url: { url } },
    ]);
    await expect(app.turn(2)).toContainText('[picture dog.png]');
    await app.turn(2).getByRole('button', { name: 'dog.png' }).click();
    await expect(app.dialog('dog.png').getByRole('img', { name: 'dog.png' })).toBeVisible();
    await page.keyboard.press('Escape');
    await app.button('Inspect turn 2').click();
    await app.inspector.getByRole('tab', { name: 'Context' }).click();
    await expect(app.inspector).toContainText('The message, with 1 file');
    await expect(app.inspector).toContainText('2 pictures, about');
    // A plain chat would have sent the pictures too.
    await expect(app.inspector).toContainText(/tokens of [12],\d{3} in a plain chat, (±0|−\d+)\s%/);
    await expect(app.inspector).toContainText('and, as pictures: dog.png');
    await server.close();
  });

  test('a model of transformers.js sees a picture on the processor', async ({ app, page, chosenOrigins }) => {
    const hub = await startHub();
    chosenOrigins.add(hub.address).add(hub.cdn);
    const models = new ModelsDialog(app);
    await app.open();
    await models.useFromHub(hub, { runtime: 'transformers', hub: 'made/seeing', task: 'generate' }, 'chat');
    await expect(await models.stateOf('chat')).toHaveText('ready');
    await models.close();
    const red = await page.evaluate(async () => {
      const canvas = Object.assign(document.createElement('canvas'), { width: 40, height: 20 });
      const pen = canvas.getContext('2d');
      if (pen !== null) pen.fillStyle = '#d00';
      pen?.fillRect(0, 0, 40, 20);
      return canvas.toDataURL().replace(/^.*,/, '');
    });
    await choose(app, given('wall.png', Buffer.from(red, 'base64'), 'image/png'));
    await expect(attached(app)).toHaveCount(1);
    await app.send('What colour is it?');
    await expect(app.turn(1)).toContainText('red.');
    await hub.stop();
  });

  test('purging a turn purges its files', async ({ app, page }) => {
    await app.open();
    await choose(app, given('secret.txt', 'The safe opens with 4711 and a kick.'), given('cat.png', PNG, 'image/png'));
    await app.send('Keep this.');
    const kept = () =>
      page.evaluate(async () => {
        const open = indexedDB.open('coppice');
        await new Promise((resolve) => {
          open.onsuccess = resolve;
        });
        const all = open.result.transaction(['blobs', 'entries']);
        const read = (name: string) =>
          new Promise<unknown[]>((resolve) => {
            const request = all.objectStore(name).getAll();
            request.onsuccess = () => resolve(request.result);
          });
        const [blobs, entries] = await Promise.all([read('blobs'), read('entries')]);
        open.result.close();
        return { blobs: blobs.length, says: JSON.stringify(entries).includes('4711') };
      });
    expect(await kept()).toEqual({ blobs: 2, says: true });
    await app.button('More for turn 1').click();
    await page.getByRole('menuitem', { name: /Purge/ }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Purge turn 1' }).click();
    await expect(app.turns).toHaveCount(0);
    expect(await kept()).toEqual({ blobs: 0, says: false });
  });
});
