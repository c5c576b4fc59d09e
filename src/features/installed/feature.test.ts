import { afterEach, expect, test, vi } from 'vitest';
import type { AppState } from '../../app/state.ts';
import { memoryDrafts, plainApp, unstartedApp, until } from '../../app/testing/plain-app.ts';
import { StorageFailure } from '../../engine/storage.ts';
import { countingChat, gate } from '../../engine/testing/plain-models.ts';
import { memoryStorage } from '../../storage/memory-storage.ts';
import { countOpen } from '../../ui/parts/dialog.tsx';
import { installed } from './feature.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});

/** A page with a version that waits, as far as the feature needs the browser. */
const withVersionWaiting = () => {
  const asked: unknown[] = [];
  const reloads: true[] = [];
  let change = (): void => undefined;
  const heard = { addEventListener: () => undefined };
  const registration = { ...heard, waiting: { postMessage: (message: unknown) => asked.push(message) } };
  const controller = { postMessage: () => undefined };
  const addEventListener = (_: string, hear: () => void) => {
    change = hear;
  };
  vi.stubGlobal('navigator', { serviceWorker: { addEventListener, controller, register: async () => registration } });
  vi.stubGlobal('window', {});
  vi.stubGlobal('location', { search: '', reload: () => reloads.push(true) });
  vi.stubEnv('PROD', true);
  return { asked, reloads, changeVersion: () => change() };
};

test.each([
  ['left unsent', 'left unsent\n\nA hazel\nIs it time to prune?'],
  ['', 'A hazel\nIs it time to prune?'],
])('what another app shares is added to a draft of “%s”', async (unsent, draft) => {
  const address = { search: '?share-title=A+hazel&share-text=Is+it+time+to+prune%3F', pathname: '/', hash: '' };
  for (const [name, value] of Object.entries({ window: {}, location: address, history: { replaceState: () => null } }))
    vi.stubGlobal(name, value);
  const drafts = memoryDrafts();
  drafts.save('new', unsent);
  const app = unstartedApp(countingChat(), { drafts });
  await app.start();
  installed.start?.(app);
  await until(app.store, ({ session }) => session.draft.includes('hazel'));
  expect(app.store.getState().session.draft).toBe(draft);
  expect(drafts.read('new')).toBe(draft);
});

test('what another app shares is in view, and where a dialog covers it, that is said', async () => {
  const address = { search: '?share-text=A+hazel', pathname: '/', hash: '' };
  for (const [name, value] of Object.entries({ window: {}, location: address, history: { replaceState: () => null } }))
    vi.stubGlobal(name, value);
  const app = await plainApp();
  app.actions.session({ pane: 'forest', folded: ['chat', 'inspector'], dialog: 'settings' });
  installed.start?.(app);
  expect(app.store.getState()).toMatchObject({
    session: { draft: 'A hazel', pane: 'chat', folded: ['inspector'], dialog: 'settings' },
    notice: { text: 'What you shared is in the message.' },
  });
});

test('an open window that the app is opened in again goes on, with what that was for', async () => {
  type Take = (launch: { targetURL: string; files: [] }) => void;
  let take: Take = () => undefined;
  const launchQueue = { setConsumer: (consumer: Take) => (take = consumer) };
  const address = { href: 'https://c.example/?do=import', search: '?do=import', pathname: '/', hash: '' };
  const page = { window: { launchQueue }, location: address, history: { replaceState: () => null } };
  for (const [name, value] of Object.entries(page)) vi.stubGlobal(name, value);
  const app = await plainApp();
  app.actions.session({ draft: 'half a sentence' });
  installed.start?.(app);
  const session = () => app.store.getState().session;
  expect(session().dialog).toBe('import');
  app.actions.session({ dialog: null });
  // The launch that the page was loaded for.
  take({ targetURL: address.href, files: [] });
  expect(session().dialog).toBeNull();
  take({ targetURL: 'https://c.example/?share-text=A+hazel#shared=abc', files: [] });
  expect(session().draft).toBe('half a sentence\n\nA hazel');
  expect(address.hash).toBe('#shared=abc');
  take({ targetURL: address.href, files: [] });
  expect(session().dialog).toBe('import');
});

test('what is typed in an open dialog and not saved is not given up for a file or a command of the installed app', async () => {
  type Take = (launch: { targetURL: string; files: { getFile(): Promise<File> }[] }) => void;
  let take: Take = () => undefined;
  const launchQueue = { setConsumer: (consumer: Take) => (take = consumer) };
  const address = { href: 'https://c.example/', search: '', pathname: '/', hash: '' };
  for (const [name, value] of Object.entries({ window: { launchQueue }, location: address }))
    vi.stubGlobal(name, value);
  const app = await plainApp();
  await app.actions.send('one');
  installed.start?.(app);
  take({ targetURL: address.href, files: [] });
  const { conversationId } = app.store.getState();
  app.actions.session({ dialog: 'note' });
  const refuse = vi.fn<() => void>();
  const close = countOpen({ current: { stays: true, refuse, dismiss: () => undefined } });
  const files = [{ getFile: async () => new File(['{}'], 'chats.json') }];
  take({ targetURL: 'https://c.example/?do=import', files: [] });
  take({ targetURL: 'https://c.example/?do=new-conversation', files: [] });
  take({ targetURL: address.href, files });
  await Promise.resolve();
  expect(app.store.getState()).toMatchObject({ conversationId, session: { dialog: 'note' } });
  expect(refuse).toHaveBeenCalledTimes(3);
  close();
  take({ targetURL: address.href, files });
  await until(app.store, ({ session }) => session.dialog === 'import');
});

test('a new version waits for a reply, and is not used at all while a reload would end something else', async () => {
  const { asked } = withVersionWaiting();
  const { store, actions, ...app } = await plainApp();
  await actions.send('one');
  installed.start?.({ store, actions, ...app });
  const says = (words: string) => until(store, ({ notice }) => notice?.text.includes(words) === true);
  const press = () => store.getState().notice?.action?.run();
  await says('A new version');

  const turn = { nodeId: 'n', phase: 'replying', replyId: null, unsaved: '' } satisfies AppState['turn'];
  store.setState({ turn });
  press();
  await says('A new version');
  actions.session({ dialog: 'settings' });
  store.setState({ turn: null });
  await says('because a dialog was open');
  actions.session({ dialog: null });

  const { open: end, opened: ended } = gate();
  const restoring = actions.changeStorage(() => ended);
  await until(store, ({ longTasks }) => longTasks > 0);
  press();
  await says('because an import');
  end();
  await restoring;
  expect(asked).toEqual([]);

  press();
  expect(asked).toEqual(['use-this-version']);
});

test.each([
  ['closed while open', false],
  ['never opened', true],
])('a storage that was %s is not reloaded away unless the person says so', async (_, isBlocked) => {
  const { asked, reloads, changeVersion } = withVersionWaiting();
  const failure = new StorageFailure('closed', 'The storage is closed.');
  const stored = memoryStorage();
  const { store, actions, ...app } = await plainApp(
    countingChat(),
    isBlocked
      ? { openStorage: async () => ({ storage: stored, kind: 'memory', failure }) }
      : { storage: { ...stored, append: () => Promise.reject(failure) } },
  );
  installed.start?.({ store, actions, ...app });
  const says = (words: string) => until(store, ({ notice }) => notice?.text.includes(words) === true);
  const press = () => store.getState().notice?.action?.run();
  await says('A new version');
  await actions.send('one');
  await until(store, ({ turn }) => turn === null);
  expect(store.getState().storage.kind).toBe('memory');

  press();
  expect(store.getState().notice?.text).toContain('because new data is not being saved');
  expect(asked).toEqual([]);
  expect(store.getState().notice?.action?.label).toBe('Update anyway');
  press();
  expect(asked).toEqual(['use-this-version']);
  changeVersion();
  expect(reloads).toEqual([true]);
});

test('a version taken up in another tab asks before what is not saved is lost, and reloads at once where nothing is', async () => {
  const { reloads, changeVersion } = withVersionWaiting();
  const failure = new StorageFailure('blocked', 'Held up.');
  const { store, actions, ...app } = await plainApp(countingChat(), {
    openStorage: async () => ({ storage: memoryStorage(), kind: 'memory', failure }),
  });
  installed.start?.({ store, actions, ...app });
  const says = (words: string) => until(store, ({ notice }) => notice?.text.includes(words) === true);
  const press = () => store.getState().notice?.action?.run();
  await says('A new version');
  expect(store.getState().isOutdated).toBe(false);
  changeVersion();
  await says('in another tab');
  expect(store.getState().isOutdated).toBe(true);
  press();
  expect(reloads).toEqual([true]);
  await actions.send('one');
  await until(store, ({ turn }) => turn === null);
  changeVersion();
  await says('in another tab');
  press();
  expect(store.getState().notice?.text).toContain('because new data is not being saved');
  expect(reloads).toEqual([true]);
});

test('a version that the browser was already installing as the page opened is offered once it is installed', async () => {
  const { open: watch, opened: watched } = gate();
  let change = (): void => undefined;
  const installing = {
    state: 'installing',
    addEventListener: (_: string, hear: () => void) => {
      change = hear;
      watch();
    },
  };
  const heard = { addEventListener: () => undefined };
  const registration = { ...heard, active: {}, waiting: null, installing };
  const controller = { postMessage: () => undefined };
  vi.stubGlobal('navigator', { serviceWorker: { ...heard, controller, register: async () => registration } });
  vi.stubGlobal('window', {});
  vi.stubGlobal('location', { search: '' });
  vi.stubEnv('PROD', true);
  const app = await plainApp();
  installed.start?.(app);
  await watched;
  expect(app.store.getState().notice).toBeNull();
  installing.state = 'installed';
  change();
  await until(app.store, ({ notice }) => notice?.text === 'A new version of Coppice is ready.');
});

test('where not all of the page can be cached, neither the network nor the space is blamed alone', async () => {
  const { open: watch, opened: watched } = gate();
  let change = (): void => undefined;
  const addEventListener = (_: string, hear: () => void) => {
    change = hear;
    watch();
  };
  const installing = { state: 'installing', addEventListener };
  const heard = { addEventListener: () => undefined };
  const registration = { ...heard, active: null, waiting: null, installing };
  const serviceWorker = { ...heard, controller: null, register: async () => registration };
  vi.stubGlobal('navigator', { serviceWorker });
  vi.stubGlobal('window', {});
  vi.stubGlobal('location', { search: '' });
  vi.stubEnv('PROD', true);
  const app = await plainApp();
  installed.start?.(app);
  await watched;
  installing.state = 'redundant';
  change();
  await until(app.store, ({ offline }) => typeof offline === 'object');
  expect(app.store.getState().offline).toEqual({
    failure: 'The connection may have broken off, or there may not be enough space.',
  });
});
