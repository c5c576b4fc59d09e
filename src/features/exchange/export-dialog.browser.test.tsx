import { createRoot } from 'react-dom/client';
import { expect, onTestFinished, test } from 'vitest';
import { page } from 'vitest/browser';
import { plainApp } from '../../app/testing/plain-app.ts';
import { type Storage, StorageFailure } from '../../engine/storage.ts';
import { countingChat } from '../../engine/testing/plain-models.ts';
import { memoryStorage } from '../../storage/memory-storage.ts';
import { AppContext } from '../../ui/app-context.ts';
import { ExportDialog } from './export-dialog.tsx';

const show = (app: Awaited<ReturnType<typeof plainApp>>): void => {
  const place = document.body.appendChild(document.createElement('div'));
  const root = createRoot(place);
  onTestFinished(() => {
    root.unmount();
    place.remove();
  });
  root.render(
    <AppContext value={app}>
      <ExportDialog onClose={() => undefined} />
    </AppContext>,
  );
};

test.each([
  ['damaged', 'Damaged'],
  ['closed', 'Could not be read'],
] as const)('one that is %s does not keep the others from being exported, and is named', async (kind, words) => {
  const storage = memoryStorage();
  let failing = '';
  const read: Storage['read'] = async (id) => {
    if (id === failing) throw new StorageFailure(kind, `The stored conversation ${id} is ${kind}.`);
    return storage.read(id);
  };
  const app = await plainApp(countingChat(), { storage: { ...storage, read } });
  await app.actions.send('Oaks and ashes');
  failing = app.store.getState().conversationId;
  await app.actions.newConversation();
  await app.actions.send('Ships');
  show(app);
  await page.getByRole('radio', { name: 'SFT messages' }).click();
  await page.getByRole('button', { name: 'All 2' }).click();
  await page.getByRole('button', { name: 'Download' }).click();
  await expect
    .element(page.getByRole('status'))
    .toHaveTextContent(`Saved as conversations.messages.jsonl. ${words}, and so not in the file: Oaks and ashes.`);
});

test('files that a format would hold, and that could not be read, are counted', async () => {
  const storage = memoryStorage();
  let isClosed = false;
  const app = await plainApp(countingChat(), {
    storage: { ...storage, readBlob: async (id) => (isClosed ? undefined : storage.readBlob(id)) },
    readFile: async (file) => ({
      ok: true,
      attachment: { id: `of ${file.name}`, name: file.name, mediaType: 'text/plain', size: file.size },
      bytes: file,
    }),
  });
  await app.actions.attach([new File(['oak'], 'oak.txt'), new File(['ash'], 'ash.txt')]);
  app.actions.session({ draft: 'Oaks and ashes' });
  await app.actions.send('Oaks and ashes');
  isClosed = true;
  show(app);
  await page.getByRole('radio', { name: 'HTML page' }).click();
  await page.getByRole('button', { name: 'Download' }).click();
  await expect
    .element(page.getByRole('status'))
    .toHaveTextContent('Without 2 attached files, which could not be read.');
});
