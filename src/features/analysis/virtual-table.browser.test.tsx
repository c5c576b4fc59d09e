import '../../ui/theme.css';
import { createRoot } from 'react-dom/client';
import { expect, onTestFinished, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { VirtualTable } from './virtual-table.tsx';

const ROWS = Array.from({ length: 20_000 }, (_, i) => ({ id: `r${i}`, number: i + 1 }));

const open = () => {
  const opened: number[] = [];
  const place = document.body.appendChild(document.createElement('div'));
  place.style.cssText = 'display: flex; height: 400px';
  const root = createRoot(place);
  onTestFinished(() => {
    root.unmount();
    place.remove();
  });
  root.render(
    <VirtualTable
      label="Many"
      columns={[{ key: 'number', title: 'Number', width: '1fr', cell: ({ number }) => number }]}
      rows={ROWS}
      keyOf={({ id }) => id}
      onOpen={({ number }) => opened.push(number)}
    />,
  );
  return opened;
};

const row = (number: number) => page.getByRole('row', { name: String(number), exact: true });

test('of twenty thousand rows those in view are on the page, and keys reach all of them', async () => {
  const opened = open();
  await expect.element(row(1)).toBeVisible();
  expect(document.querySelectorAll('[role=row]').length).toBeLessThan(60);
  expect(document.querySelector('[role=grid]')?.getAttribute('aria-rowcount')).toBe('20001');
  (row(1).element() as HTMLElement).focus();
  await userEvent.keyboard('{End}');
  await expect.element(row(20_000)).toHaveFocus();
  await userEvent.keyboard('{ArrowUp}{Enter}');
  await expect.element(row(19_999)).toHaveFocus();
  expect(opened).toEqual([19_999]);
  await userEvent.keyboard('{Home}');
  await expect.element(row(1)).toHaveFocus();
  // The header does not cover the focused row.
  const head = document.querySelector('[role=rowgroup]')?.getBoundingClientRect();
  expect(row(1).element().getBoundingClientRect().top).toBeGreaterThanOrEqual((head?.bottom ?? 0) - 1);
});

test('the row with the focus stays where it is out of view', async () => {
  open();
  await expect.element(row(1)).toBeVisible();
  (row(1).element() as HTMLElement).focus();
  document.querySelector('[role=grid]')?.scrollTo({ top: 200_000 });
  await expect.element(row(6_252)).toBeInTheDocument();
  await expect.element(row(1)).toHaveFocus();
});
