import { createRoot } from 'react-dom/client';
import { expect, onTestFinished, test } from 'vitest';
import { page } from 'vitest/browser';
import { plainApp } from '../../app/testing/plain-app.ts';
import { gate } from '../../engine/testing/plain-models.ts';
import { AppContext } from '../../ui/app-context.ts';
import { SortTopicsDialog } from './sort-topics-dialog.tsx';

test('sorting goes on when the window gets narrow, and closes the dialog as it is then', async () => {
  const app = await plainApp();
  const sorted = gate();
  let begun = 0;
  const sort = async () => {
    begun++;
    await sorted.opened;
    return { moved: 0, topics: 1, refusal: null, revert: null };
  };
  const place = document.body.appendChild(document.createElement('div'));
  const root = createRoot(place);
  onTestFinished(() => {
    root.unmount();
    place.remove();
  });
  const part = (async () => ({ sort })) as unknown as typeof app.part;
  const closed: string[] = [];
  const show = (layout: string) =>
    root.render(
      <AppContext value={{ ...app, part }}>
        <SortTopicsDialog onClose={() => closed.push(layout)} />
        <p>{layout}</p>
      </AppContext>,
    );
  show('wide');
  await expect.poll(() => begun).toBe(1);
  show('narrow');
  await expect.element(page.getByText('narrow', { exact: true })).toBeInTheDocument();
  sorted.open();
  await expect.poll(() => closed).toEqual(['narrow']);
  expect(begun).toBe(1);
});
