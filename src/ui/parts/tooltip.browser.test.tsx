import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { givingBackFocus, Tooltip } from './tooltip.tsx';

let root: Root;
let page: HTMLElement;
beforeEach(async () => {
  page = document.body.appendChild(document.createElement('div'));
  page.style.padding = '80px';
  root = createRoot(page);
  root.render(row('Copy'));
  await expect.poll(() => page.querySelectorAll('button').length).toBe(3);
});
afterEach(() => {
  root.unmount();
  page.remove();
});

const row = (copy: string) => (
  <>
    <button type="button">Elsewhere</button>
    <Tooltip text={copy}>
      <button type="button">C</button>
    </Tooltip>
    <Tooltip text="Undo" keys="Ctrl Z">
      <button type="button">U</button>
    </Tooltip>
  </>
);

const button = (at: number) => page.querySelectorAll('button')[at] as HTMLButtonElement;
const tooltips = () => [...document.querySelectorAll('[role=tooltip]')].map(({ textContent }) => textContent);

test('it opens for whoever rests on the control, says what the text has become, and closes when they leave', async () => {
  await userEvent.hover(button(1));
  expect(tooltips()).toEqual([]);
  await expect.poll(tooltips).toEqual(['Copy']);
  root.render(row('Copied'));
  await expect.poll(tooltips).toEqual(['Copied']);
  // Going along a row of buttons, the next opens at once.
  await userEvent.hover(button(2));
  await expect.poll(tooltips).toEqual(['UndoCtrl Z']);
  await userEvent.hover(button(0));
  await expect.poll(tooltips).toEqual([]);
});

test('with the keyboard it opens at once and describes the control; Escape closes it, and there is one at a time', async () => {
  button(0).focus();
  await userEvent.keyboard('{Tab}');
  await expect.poll(tooltips).toEqual(['Copy']);
  const described = button(1).getAttribute('aria-describedby') ?? '';
  expect(document.getElementById(described)?.textContent).toBe('Copy');
  await userEvent.keyboard('{Escape}');
  await expect.poll(tooltips).toEqual([]);
  expect(button(1).hasAttribute('aria-describedby')).toBe(false);
  await userEvent.hover(button(1));
  await expect.poll(tooltips).toEqual(['Copy']);
  await userEvent.keyboard('{Tab}');
  await expect.poll(tooltips).toEqual(['UndoCtrl Z']);
});

test('it does not open for a click, nor for a focus that is given back, and is gone with its control', async () => {
  await userEvent.click(button(1));
  expect(document.activeElement).toBe(button(1));
  givingBackFocus();
  button(2).focus();
  await userEvent.hover(button(0));
  expect(tooltips()).toEqual([]);
  await new Promise((resolve) => setTimeout(resolve));
  button(1).focus();
  await expect.poll(tooltips).toEqual(['Copy']);
  root.render(<p>nothing</p>);
  await expect.poll(tooltips).toEqual([]);
});

test('it opens for the keyboard after a press that the browser has cancelled, as it does to scroll', async () => {
  const touch = (type: string) =>
    button(1).dispatchEvent(new PointerEvent(type, { bubbles: true, pointerType: 'touch' }));
  touch('pointerdown');
  button(1).focus();
  expect(tooltips()).toEqual([]);
  button(1).blur();
  touch('pointercancel');
  button(1).focus();
  await expect.poll(tooltips).toEqual(['Copy']);
});
