import { createRoot } from 'react-dom/client';
import { expect, onTestFinished, test } from 'vitest';
import { page } from 'vitest/browser';
import { plainApp } from '../../app/testing/plain-app.ts';
import type { Storage } from '../../engine/storage.ts';
import { countingChat, gate } from '../../engine/testing/plain-models.ts';
import { memoryStorage } from '../../storage/memory-storage.ts';
import { AppContext } from '../../ui/app-context.ts';
import { ImportDialog } from './import-dialog.tsx';

test('a conversation that was being stored when the import was cancelled is listed once it is', async () => {
  const storage = memoryStorage();
  const [begun, held] = [gate(), gate()];
  const append: Storage['append'] = async (...entries) => {
    begun.open();
    await held.opened;
    return storage.append(...entries);
  };
  const app = await plainApp(countingChat(), { storage: { ...storage, append } });
  const place = document.body.appendChild(document.createElement('div'));
  const root = createRoot(place);
  onTestFinished(() => {
    root.unmount();
    place.remove();
  });
  const file = new File(['User: What is coppicing?\nAssistant: Cutting a tree to its base.'], 'talk.txt');
  root.render(
    <AppContext value={app}>
      <ImportDialog with={[file]} onClose={() => undefined} />
    </AppContext>,
  );
  await page.getByRole('button', { name: 'Open as it was' }).click();
  await begun.opened;
  await page.getByRole('button', { name: 'Cancel' }).click();
  held.open();
  await expect.poll(() => app.store.getState().conversations).toHaveLength(1);
});
