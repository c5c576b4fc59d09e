import fuzzysort from 'fuzzysort';
import { createRoot } from 'react-dom/client';
import { expect, test, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { plainApp } from '../../app/testing/plain-app.ts';
import { countingChat } from '../../engine/testing/plain-models.ts';
import { AppContext } from '../app-context.ts';
import { PlacePicker } from './place-picker.tsx';

test('once places are no longer searched, nothing of the messages that were is kept', async () => {
  const app = await plainApp(countingChat());
  await app.actions.send('#trip Where could we stay in Lisbon?');
  const page = document.body.appendChild(document.createElement('div'));
  const root = createRoot(page);
  const forgets = vi.spyOn(fuzzysort, 'cleanup');
  root.render(
    <AppContext value={app}>
      <PlacePicker onChoose={() => undefined} onClose={() => undefined} />
    </AppContext>,
  );
  await expect.poll(() => page.querySelector('input')).not.toBeNull();
  await userEvent.type(page.querySelector('input') as HTMLInputElement, 'lisbon');
  await expect.poll(() => page.textContent).toContain('Where could we stay');
  expect(forgets).not.toHaveBeenCalled();
  root.unmount();
  expect(forgets).toHaveBeenCalledOnce();
  page.remove();
});
