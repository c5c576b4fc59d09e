import { createRoot } from 'react-dom/client';
import { expect, onTestFinished, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { plainApp } from '../../app/testing/plain-app.ts';
import { countingChat } from '../../engine/testing/plain-models.ts';
import { type App, AppContext } from '../app-context.ts';
import { ConversationList } from './conversation-list.tsx';

const show = (app: App, docked: boolean): HTMLElement => {
  const place = document.body.appendChild(document.createElement('div'));
  place.style.cssText = 'display: flex; flex-direction: column; height: 500px';
  const root = createRoot(place);
  onTestFinished(() => {
    root.unmount();
    place.remove();
  });
  root.render(
    <AppContext value={app}>
      <ConversationList docked={docked} />
    </AppContext>,
  );
  return place;
};

const named = (name: string | RegExp) => page.getByRole('button', { name });

test('the arrow down opens the menu of a row and goes into it; on the row it goes to the next one', async () => {
  const app = await plainApp(countingChat());
  await app.actions.send('#trip one');
  await app.actions.newConversation();
  await app.actions.send('#garden two');
  const { conversations } = app.store.getState();
  app.store.setState({ conversations: conversations.map((meta, at) => ({ ...meta, title: `Talk ${at + 1}` })) });
  const place = show(app, true);
  await expect.element(named('More for Talk 2')).toBeVisible();

  (named('More for Talk 1').element() as HTMLElement).focus();
  await userEvent.keyboard('{ArrowDown}');
  await expect.poll(() => document.activeElement?.textContent).toBe('Pin');
  // Two frames: the list gives a row its focus in the next one.
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  expect(document.activeElement?.textContent).toBe('Pin');
  await userEvent.keyboard('{Escape}');
  await expect.poll(() => document.activeElement).toBe(named('More for Talk 1').element());

  const rows = place.querySelectorAll<HTMLElement>('[data-main]');
  rows[0]?.focus();
  await userEvent.keyboard('{ArrowDown}');
  await expect.poll(() => document.activeElement).toBe(rows[1]);
});

test('a name that is being typed is still there after the list was scrolled', async () => {
  const app = await plainApp(countingChat());
  await app.actions.send('#trip one');
  const [meta] = app.store.getState().conversations;
  if (meta === undefined) throw new Error('no conversation');
  const conversations = Array.from({ length: 60 }, (_, at) => ({ ...meta, id: `c${at}`, title: `Talk ${at}` }));
  app.store.setState({ conversations });
  const place = show(app, true);
  const row = (index: number) => place.querySelector<HTMLElement>(`[data-index="${index}"]`);
  await expect.poll(() => row(0)).not.toBeNull();
  row(0)?.querySelector<HTMLElement>('[data-action=rename]')?.click();
  await expect.poll(() => document.activeElement?.tagName).toBe('INPUT');
  const field = document.activeElement as HTMLInputElement;
  await userEvent.fill(field, 'Journeys');
  const scroller = place.querySelector('ul')?.parentElement;
  scroller?.scrollTo(0, scroller.scrollHeight);
  await expect.poll(() => row(59)).not.toBeNull();
  expect(row(10)).toBeNull();
  expect([field.isConnected, field.value, document.activeElement === field]).toEqual([true, 'Journeys', true]);
});

test('a new conversation is begun in view: the list that lies over the page gives way to it', async () => {
  const app = await plainApp(countingChat());
  await app.actions.send('#trip one');
  app.actions.session({ dialog: 'conversations' });
  show(app, false);
  await named('New').click();
  await expect.poll(() => app.store.getState().session.dialog).toBeNull();
  expect(app.store.getState().entries).toEqual([]);
});
