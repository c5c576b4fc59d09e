import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { expect, onTestFinished, test } from 'vitest';
import { plainApp } from '../../app/testing/plain-app.ts';
import { countingChat } from '../../engine/testing/plain-models.ts';
import { AppContext } from '../app-context.ts';
import { Toast } from './notices.tsx';

const showToast = (app: Awaited<ReturnType<typeof plainApp>>): HTMLElement => {
  const page = document.body.appendChild(document.createElement('div'));
  const root = createRoot(page);
  onTestFinished(() => {
    root.unmount();
    page.remove();
  });
  flushSync(() =>
    root.render(
      <AppContext value={app}>
        <Toast />
      </AppContext>,
    ),
  );
  return page;
};

test('an action that cannot be done any more says so in place of its notice', async () => {
  const app = await plainApp();
  const { store } = app;
  const refuse = () => store.setState({ notice: { id: 2, text: 'Something else was done since then.', action: null } });
  store.setState({ notice: { id: 1, text: 'Moved.', action: { label: 'Revert', run: refuse } } });
  const page = showToast(app);
  page.querySelector<HTMLButtonElement>('button')?.click();
  await expect.poll(() => page.textContent).toContain('Something else was done since then.');
});

test('while a notice stands, the progress of the turn is announced, and not again once the notice is gone', async () => {
  const app = await plainApp(countingChat());
  await app.actions.send('#trip one');
  const { store } = app;
  store.setState({ notice: { id: 1, text: 'Turn 1 is unchanged.', action: null } });
  const page = showToast(app);
  const status = page.querySelector<HTMLElement>('[role=status]');
  const nodeId = store.getState().forest.active?.nodeId ?? '';
  const changes: MutationRecord[] = [];
  const observer = new MutationObserver((records) => void changes.push(...records));
  observer.observe(page, { subtree: true, childList: true, characterData: true });
  store.setState({ turn: { nodeId, phase: 'summarising', replyId: null, unsaved: '' } });
  await expect.poll(() => status?.textContent).toBe('Turn 1 is unchanged.Turn 1 has a reply.');
  changes.length = 0;
  app.actions.closeNotice();
  await expect.poll(() => status?.textContent).toBe('Turn 1 has a reply.');
  const added = changes.flatMap(({ addedNodes }) => [...addedNodes]).map(({ textContent }) => textContent);
  expect(added.filter((text) => text !== '')).toEqual([]);
  observer.disconnect();
});

test('a notice with the words of the one before is a change of the live region', async () => {
  const app = await plainApp();
  const page = showToast(app);
  const changes: MutationRecord[] = [];
  const observer = new MutationObserver((records) => void changes.push(...records));
  const say = async () => {
    changes.length = 0;
    app.actions.announce('Copied.');
    await expect.poll(() => page.querySelector('[role=status]')?.textContent).toBe('Copied.');
  };
  observer.observe(page, { subtree: true, childList: true, characterData: true });
  await say();
  await say();
  await expect.poll(() => changes.some(({ addedNodes }) => addedNodes.length > 0)).toBe(true);
  observer.disconnect();
});
