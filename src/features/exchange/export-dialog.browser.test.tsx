import { createRoot } from 'react-dom/client';
import { expect, onTestFinished, test } from 'vitest';
import { page } from 'vitest/browser';
import { plainApp } from '../../app/testing/plain-app.ts';
import { type Storage, StorageFailure } from '../../engine/storage.ts';
import { countingChat } from '../../engine/testing/plain-models.ts';
import { memoryStorage } from '../../storage/memory-storage.ts';
import { AppContext } from '../../ui/app-context.ts';
import { ExportDialog } from './export-dialog.tsx';

test('a damaged conversation does not keep the others from being exported, and is named', async () => {
  const storage = memoryStorage();
  let damaged = '';
  const read: Storage['read'] = async (id) => {
    if (id === damaged) throw new StorageFailure('damaged', `The stored conversation ${id} is damaged.`);
    return storage.read(id);
  };
  const app = await plainApp(countingChat(), { storage: { ...storage, read } });
  await app.actions.send('Oaks and ashes');
  damaged = app.store.getState().conversationId;
  await app.actions.newConversation();
  await app.actions.send('Ships');
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
  await page.getByRole('radio', { name: 'SFT messages' }).click();
  await page.getByRole('button', { name: 'All 2' }).click();
  await page.getByRole('button', { name: 'Download' }).click();
  await expect
    .element(page.getByRole('status'))
    .toHaveTextContent('Saved as conversations.messages.jsonl. Damaged, and so not in the file: Oaks and ashes.');
});
