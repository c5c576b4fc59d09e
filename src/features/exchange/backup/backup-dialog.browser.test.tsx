import { createRoot } from 'react-dom/client';
import { expect, onTestFinished, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { plainApp } from '../../../app/testing/plain-app.ts';
import { countingChat } from '../../../engine/testing/plain-models.ts';
import { AppContext } from '../../../ui/app-context.ts';
import { BackupDialog } from './backup-dialog.tsx';

const openDialog = async () => {
  const app = await plainApp(countingChat());
  const place = document.body.appendChild(document.createElement('div'));
  const root = createRoot(place);
  onTestFinished(() => {
    root.unmount();
    place.remove();
  });
  root.render(
    <AppContext value={app}>
      <BackupDialog onClose={() => undefined} />
    </AppContext>,
  );
  await expect.element(page.getByRole('button', { name: 'Choose a backup…' })).toBeVisible();
  return app;
};

const choose = (file: File): void => {
  const chosen = new DataTransfer();
  chosen.items.add(file);
  const input = document.querySelector('input[type=file]') as HTMLInputElement;
  input.files = chosen.files;
  input.dispatchEvent(new Event('change', { bubbles: true }));
};

test('a file that the browser cannot read, as one that is not on this device now, is said to be so', async () => {
  await openDialog();
  const read = vi.spyOn(Blob.prototype, 'arrayBuffer').mockRejectedValue(new DOMException('', 'NotReadableError'));
  onTestFinished(() => read.mockRestore());
  choose(new File(['away'], 'away.zip'));
  await expect
    .element(page.getByRole('alert'))
    .toHaveTextContent(/^The browser could not read away\.zip\. .*choose it/);
});
