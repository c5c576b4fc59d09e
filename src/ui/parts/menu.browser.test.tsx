import { Ellipsis } from 'lucide-react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { IconButton } from './button.tsx';
import { Menu, MenuItem } from './menu.tsx';

let root: Root;
let page: HTMLElement;
const chosen = vi.fn<(item: string) => void>();
beforeEach(async () => {
  chosen.mockClear();
  page = document.body.appendChild(document.createElement('div'));
  page.style.padding = '80px';
  root = createRoot(page);
  root.render(
    <>
      <button type="button">Elsewhere</button>
      <Menu trigger={<button type="button">More</button>}>
        <MenuItem disabled>Merge</MenuItem>
        <MenuItem onSelect={() => chosen('copy')}>Copy</MenuItem>
        <MenuItem onSelect={() => chosen('delete')}>Delete</MenuItem>
      </Menu>
    </>,
  );
  await expect.poll(() => page.querySelectorAll('button').length).toBe(2);
});
afterEach(() => {
  root.unmount();
  page.remove();
});

const button = (at: number) => page.querySelectorAll('button')[at] as HTMLButtonElement;
const more = () => button(1);
const menu = () => document.querySelector<HTMLElement>('[role=menu]');
const item = (at: number) => document.querySelectorAll<HTMLElement>('[role=menuitem]')[at] as HTMLElement;
const expectOpen = () => expect.poll(() => document.activeElement?.role).toBe('menu');
const expectClosed = async () => {
  await expect.poll(menu).toBe(null);
  expect(more().getAttribute('aria-expanded')).toBe('false');
  expect(more().hasAttribute('aria-controls')).toBe(false);
};

test('a click opens it next to its button, and another closes it', async () => {
  expect(more().getAttribute('aria-haspopup')).toBe('menu');
  await expectClosed();
  await userEvent.click(more());
  await expect.poll(() => menu()?.textContent).toBe('MergeCopyDelete');
  expect(more().getAttribute('aria-expanded')).toBe('true');
  expect(more().getAttribute('aria-controls')).toBe(menu()?.id);
  expect(menu()?.getAttribute('aria-labelledby')).toBe(more().id);
  const [below, right] = [menu()?.getBoundingClientRect(), more().getBoundingClientRect()];
  expect(Math.round((below?.top ?? 0) - right.bottom)).toBe(4);
  expect(below?.left).toBeCloseTo(right.left, 0);
  await expect.poll(() => document.activeElement).toBe(menu());
  await userEvent.click(more());
  await expectClosed();
});

const point = (type: string, at: Element, of: PointerEventInit) =>
  at.dispatchEvent(new PointerEvent(type, { bubbles: true, cancelable: true, ...of }));
const touch = (type: string) => point(type, more(), { pointerType: 'touch' });
const tap = () => {
  touch('pointerdown');
  touch('pointerup');
  more().click();
};

test('by touch, a tap opens and closes it, and a scroll that begins on its button does nothing', async () => {
  touch('pointerdown');
  touch('pointercancel');
  await new Promise((resolve) => setTimeout(resolve));
  await expectClosed();
  tap();
  await expectOpen();
  // Radix listens for presses elsewhere from the next task on.
  await new Promise((resolve) => setTimeout(resolve));
  tap();
  await expectClosed();
  tap();
  await expectOpen();
});

test('a click without a press, as of a screen reader, opens and closes it', async () => {
  more().click();
  await expectOpen();
  more().click();
  await expectClosed();
});

test('a press that ends in no click of its button leaves the next click of a screen reader as it is', async () => {
  const mouse = { pointerType: 'mouse' };
  point('pointerdown', more(), mouse);
  await expectOpen();
  point('pointerup', document.body, mouse);
  more().click();
  await expectClosed();
  point('pointerdown', more(), { ...mouse, button: 2 });
  point('pointerup', more(), { ...mouse, button: 2 });
  more().click();
  await expectOpen();
  more().click();
  await expectClosed();
  point('pointerdown', more(), { ...mouse, ctrlKey: true });
  more().dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true, ctrlKey: true }));
  more().click();
  await expectOpen();
});

test('a pen may scroll as a finger does', async () => {
  point('pointerdown', more(), { pointerType: 'pen' });
  await new Promise((resolve) => setTimeout(resolve));
  await expectClosed();
  point('pointerup', more(), { pointerType: 'pen' });
  more().click();
  await expectOpen();
});

test('an item chosen by pointer is told, and the button has the focus again', async () => {
  await userEvent.click(more());
  await userEvent.click(item(2));
  expect(chosen.mock.calls).toEqual([['delete']]);
  await expectClosed();
  await expect.poll(() => document.activeElement).toBe(more());
});

test.each(['{Enter}', ' ', '{ArrowDown}'])('%s opens it at its first item that can be chosen', async (key) => {
  more().focus();
  await userEvent.keyboard(key);
  await expect.poll(() => document.activeElement?.textContent).toBe('Copy');
  await userEvent.keyboard('{ArrowDown}');
  await expect.poll(() => document.activeElement?.textContent).toBe('Delete');
  await userEvent.keyboard('{Enter}');
  await expectClosed();
  expect(chosen.mock.calls).toEqual([['delete']]);
  await expect.poll(() => document.activeElement).toBe(more());
});

test('Escape closes it and gives the focus back; a press elsewhere leaves the focus where it went', async () => {
  more().focus();
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => document.activeElement?.textContent).toBe('Copy');
  await userEvent.keyboard('{Escape}');
  await expectClosed();
  await expect.poll(() => document.activeElement).toBe(more());
  await userEvent.click(more());
  await expect.poll(() => document.activeElement).toBe(menu());
  await userEvent.click(button(0));
  await expectClosed();
  await new Promise((resolve) => setTimeout(resolve));
  expect(document.activeElement).toBe(button(0));
  expect(chosen).not.toHaveBeenCalled();
});

test('a button with a tooltip opens it, and no tooltip opens when it closes', async () => {
  root.render(
    <Menu trigger={<IconButton label="More" icon={Ellipsis} />}>
      <MenuItem>Copy</MenuItem>
    </Menu>,
  );
  await expect.poll(() => page.querySelectorAll('button').length).toBe(1);
  await userEvent.click(button(0));
  await expect.poll(() => menu()?.textContent).toBe('Copy');
  await userEvent.keyboard('{Escape}');
  await expect.poll(() => document.activeElement).toBe(button(0));
  await new Promise((resolve) => setTimeout(resolve));
  expect(document.querySelector('[role=tooltip]')).toBe(null);
});

test.each(['Enter', ' '])('%o held down opens it and chooses nothing, and does not open it again', async (key) => {
  const held = () =>
    document.activeElement?.dispatchEvent(
      new KeyboardEvent('keydown', { key, repeat: true, bubbles: true, cancelable: true }),
    );
  more().focus();
  await userEvent.keyboard(key === ' ' ? ' ' : '{Enter}');
  await expect.poll(() => document.activeElement?.textContent).toBe('Copy');
  held();
  expect(chosen).not.toHaveBeenCalled();
  expect(menu()).not.toBeNull();
  await userEvent.keyboard(key === ' ' ? ' ' : '{Enter}');
  await expect.poll(() => document.activeElement).toBe(more());
  held();
  await expectClosed();
  expect(chosen.mock.calls).toEqual([['copy']]);
});
