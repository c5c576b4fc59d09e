import { createRoot } from 'react-dom/client';
import { expect, onTestFinished, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { FoundConversations } from './found-conversations.tsx';
import type { FoundRow } from './read/rows.ts';

const row = (index: number, title: string): FoundRow => ({
  index,
  tool: 'Claude',
  title,
  opening: title,
  messages: 2,
  turns: 1,
  branches: 0,
  topics: 1,
  notes: [],
});

test('Replay of a row keeps the focus while its conversation is read, and does nothing more meanwhile', async () => {
  const place = document.body.appendChild(document.createElement('div'));
  const root = createRoot(place);
  onTestFinished(() => {
    root.unmount();
    place.remove();
  });
  const rows = [row(0, 'oak'), row(1, 'elm')];
  const replayed: string[] = [];
  const render = (busy: string | null) =>
    root.render(
      <FoundConversations
        rows={rows}
        refused={[]}
        busy={busy}
        onOpen={() => undefined}
        onReplay={({ title }) => {
          replayed.push(title);
          render('Reading');
        }}
      />,
    );
  render(null);
  const replay = page.getByRole('button', { name: 'Replay oak' });
  await expect.element(replay).toBeEnabled();
  (replay.element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByText('Reading')).toBeVisible();
  await expect.element(replay).toHaveFocus();
  await expect.element(replay).toHaveAttribute('aria-disabled', 'true');
  await userEvent.keyboard('{Enter}');
  expect(replayed).toEqual(['oak']);
});
