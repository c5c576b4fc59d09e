import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { plainApp } from '../../app/testing/plain-app.ts';
import { countingChat } from '../../engine/testing/plain-models.ts';
import { AppContext } from '../app-context.ts';
import { PlacePicker } from './place-picker.tsx';

let root: Root;
let page: HTMLDivElement;
beforeEach(() => {
  page = document.body.appendChild(document.createElement('div'));
  root = createRoot(page);
});
afterEach(() => {
  root.unmount();
  page.remove();
});

test('a Backspace held down empties the field and leaves the choice; pressed again, it takes it back', async () => {
  const app = await plainApp(countingChat());
  await app.actions.send('#trip one');
  app.actions.session({ target: { kind: 'new-topic', chosen: true } });
  const chosen = vi.fn();
  root.render(
    <AppContext value={app}>
      <PlacePicker onChoose={chosen} onClose={() => undefined} />
    </AppContext>,
  );
  await expect.poll(() => page.querySelector('input')).not.toBeNull();
  const field = page.querySelector('input') as HTMLInputElement;
  await userEvent.type(field, 'li');
  await userEvent.keyboard('{Backspace}{Backspace}');
  expect(field.value).toBe('');
  const isLeft = (repeat: boolean) =>
    field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Backspace', repeat, bubbles: true, cancelable: true }));
  expect(isLeft(true)).toBe(false);
  expect(chosen).not.toHaveBeenCalled();
  expect(isLeft(false)).toBe(false);
  expect(chosen.mock.calls).toEqual([[null]]);
});
