import { flushSync } from 'react-dom';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { Dialog, mayReplaceDialogs } from './dialog.tsx';

let root: Root;
let page: HTMLElement;
const onClose = vi.fn<() => void>();
const show = (unsaved: boolean) =>
  root.render(
    <Dialog title="Note" onClose={onClose} unsaved={unsaved}>
      <input aria-label="Text" data-write-here />
    </Dialog>,
  );
beforeEach(async () => {
  onClose.mockClear();
  page = document.body.appendChild(document.createElement('div'));
  root = createRoot(page);
  show(false);
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

test('what is not saved yet is kept by Escape and by a click beside it, which say so; its own button closes it', async () => {
  flushSync(() => show(true));
  const dialog = () => document.querySelector('[role=dialog]');
  const alert = () => dialog()?.querySelector('[role=alert]')?.textContent;
  expect(alert()).toBeUndefined();
  pressEscape();
  await expect.poll(alert).toContain('not saved');
  await userEvent.click(document.documentElement, { position: { x: 2, y: 2 } });
  expect(document.activeElement?.ariaLabel).toBe('Text');
  expect(onClose).not.toHaveBeenCalled();
  expect(mayReplaceDialogs()).toBe(false);
  await expect.poll(alert).toContain('open the file or link again');
  dialog()?.querySelector<HTMLElement>('[aria-label=Close]')?.click();
  expect(onClose).toHaveBeenCalledOnce();
});

test('what cannot be stopped is neither closed nor replaced, and says so, until it is over', async () => {
  const showBusy = (busy: string | undefined) =>
    flushSync(() =>
      root.render(
        <Dialog title="Note" onClose={onClose} busy={busy}>
          <input aria-label="Text" data-write-here />
        </Dialog>,
      ),
    );
  const dialog = () => document.querySelector('[role=dialog]');
  const alert = () => dialog()?.querySelector('[role=alert]')?.textContent;
  showBusy('A backup is being restored.');
  expect(mayReplaceDialogs()).toBe(false);
  await expect.poll(alert).toBe('A backup is being restored.');
  pressEscape();
  await userEvent.click(document.documentElement, { position: { x: 2, y: 2 } });
  dialog()?.querySelector<HTMLElement>('[aria-label=Close]')?.click();
  expect(onClose).not.toHaveBeenCalled();
  showBusy(undefined);
  expect(alert()).toBeUndefined();
  showBusy('Another backup is being restored.');
  expect(alert()).toBeUndefined();
  showBusy(undefined);
  expect(mayReplaceDialogs()).toBe(true);
  dialog()?.querySelector<HTMLElement>('[aria-label=Close]')?.click();
  expect(onClose).toHaveBeenCalledOnce();
});

test('a click beside a dialog in which nothing has changed closes it', async () => {
  await userEvent.click(document.documentElement, { position: { x: 2, y: 2 } });
  await expect.poll(() => onClose.mock.calls.length).toBe(1);
});

test('a title without spaces, as the name of a file, leaves the button that closes it on the page', () => {
  flushSync(() =>
    root.render(
      <Dialog title={'IMG_20240512_'.repeat(9)} onClose={onClose}>
        A picture
      </Dialog>,
    ),
  );
  const close = document.querySelector('[role=dialog] [aria-label=Close]')?.getBoundingClientRect();
  expect(close?.right).toBeLessThanOrEqual(innerWidth);
});

test('a dialog that was opened in place of another gives the focus back to what had opened that', async () => {
  const button = document.body.appendChild(document.createElement('button'));
  const showTitled = (title: string) =>
    flushSync(() =>
      root.render(
        <Dialog key={title} title={title} onClose={onClose}>
          <button type="button" data-next>
            Next
          </button>
        </Dialog>,
      ),
    );
  const hasFocus = (title: string) =>
    expect
      .poll(() => document.activeElement?.matches('[role=dialog]') && document.activeElement.textContent)
      .toContain(title);
  flushSync(() => root.render(null));
  button.focus();
  showTitled('Settings');
  await hasFocus('Settings');
  document.querySelector<HTMLElement>('[data-next]')?.focus();
  showTitled('Export');
  await hasFocus('Export');
  flushSync(() => root.render(null));
  await expect.poll(() => document.activeElement).toBe(button);
  button.remove();
});
