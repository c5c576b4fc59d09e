import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { expect, test } from 'vitest';
import { plainApp } from '../../app/testing/plain-app.ts';
import { AppContext } from '../app-context.ts';
import { Toast } from './notices.tsx';

test('an action that cannot be done any more says so in place of its notice', async () => {
  const app = await plainApp();
  const { store } = app;
  const refuse = () => store.setState({ notice: { id: 2, text: 'Something else was done since then.', action: null } });
  store.setState({ notice: { id: 1, text: 'Moved.', action: { label: 'Revert', run: refuse } } });
  const page = document.body.appendChild(document.createElement('div'));
  const root = createRoot(page);
  flushSync(() =>
    root.render(
      <AppContext value={app}>
        <Toast />
      </AppContext>,
    ),
  );
  page.querySelector<HTMLButtonElement>('button')?.click();
  await expect.poll(() => page.textContent).toContain('Something else was done since then.');
  root.unmount();
  page.remove();
});
