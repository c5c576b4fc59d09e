import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Dialog } from './dialog.tsx';

let root: Root;
let page: HTMLElement;
const onClose = vi.fn<() => void>();
beforeEach(async () => {
  onClose.mockClear();
  page = document.body.appendChild(document.createElement('div'));
  root = createRoot(page);
  root.render(
    <Dialog title="Note" onClose={onClose}>
      <input aria-label="Text" data-write-here />
    </Dialog>,
  );
  await expect.poll(() => document.activeElement?.ariaLabel).toBe('Text');
});
afterEach(() => {
  root.unmount();
  page.remove();
});

const pressEscape = (options: KeyboardEventInit = {}) =>
  document.activeElement?.dispatchEvent(
    new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true, ...options }),
  );

test.each([{ isComposing: true }, { keyCode: 229 }])('Escape of an input method (%o) leaves it open', (options) => {
  pressEscape(options);
  expect(onClose).not.toHaveBeenCalled();
  pressEscape();
  expect(onClose).toHaveBeenCalledOnce();
});
