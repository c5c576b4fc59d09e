import { expect, test } from 'vitest';
import type { Entry } from '../domain/entry.ts';
import { pendingTurn } from '../domain/queries.ts';
import { defaultReplySettings } from '../domain/reply.ts';
import { recordsOf, sizeOf } from '../domain/table.ts';
import { Life } from '../domain/testing/random-life.ts';
import { StorageFailure } from '../engine/storage.ts';
import { countingChat, heldDecider, plainModels } from '../engine/testing/plain-models.ts';
import { memoryStorage } from '../storage/memory-storage.ts';
import { memoryDrafts, plainApp, unstartedApp, until } from './testing/plain-app.ts';

test('what is typed while the page opens stands below the half-written message, and touches no other', async () => {
  const storage = memoryStorage();
  const drafts = memoryDrafts();
  const before = await plainApp(countingChat(), { storage, drafts });
  await before.actions.send('#trip one');
  const { conversationId } = before.store.getState();
  drafts.save(conversationId, 'a long message');
  drafts.save('new', 'another');

  const { start, actions, store } = unstartedApp(countingChat(), { storage, drafts });
  actions.session({ draft: 'h' });
  await start();
  expect(store.getState()).toMatchObject({ conversationId, session: { draft: 'a long message\n\nh' } });
  expect([drafts.read(conversationId), drafts.read('new'), drafts.read('opening')]).toEqual([
    'a long message\n\nh',
    'another',
    '',
  ]);
});

test('what is sent while the page opens is no longer in the draft, which keeps what was there', async () => {
  const storage = memoryStorage();
  const drafts = memoryDrafts();
  const before = await plainApp(countingChat(), { storage, drafts });
  await before.actions.send('#trip one');
  drafts.save(before.store.getState().conversationId, 'a long message');

  const { start, actions, store } = unstartedApp(countingChat(), { storage, drafts });
  actions.session({ draft: 'h' });
  const sent = actions.send('h');
  await start();
  await sent;
  expect(recordsOf(store.getState().forest.nodes).map(({ message }) => message)).toEqual(['#trip one', 'h']);
  expect(store.getState().session.draft).toBe('a long message');
});

test('a conversation that only has its reply settings so far can be opened again, with what was being written in it', async () => {
  const { actions, store } = await plainApp();
  await actions.send('#trip one');
  const { conversationId: other } = store.getState();
  await actions.newConversation();
  const { conversationId } = store.getState();
  const settings = { ...defaultReplySettings, systemPrompt: 'Answer in rhyme.' };
  await actions.setReplySettings(settings);
  actions.session({ draft: 'a long message' });
  await actions.openConversation(other);
  expect(store.getState().conversations.map(({ id }) => id)).toEqual([conversationId, other]);
  await actions.openConversation(conversationId);
  expect(store.getState()).toMatchObject({ forest: { replySettings: settings }, session: { draft: 'a long message' } });
});

test.each(['deleted', 'left for a file'])(
  'a message being placed is placed all the same if its conversation cannot be %s',
  async (how) => {
    const storage = memoryStorage();
    const fails = () => Promise.reject(new StorageFailure('unknown', 'The disk cannot be read.'));
    const { decide, letGo } = heldDecider();
    const { actions, store } = await plainApp(countingChat(), { storage, models: () => plainModels({ decide }) });
    await actions.send('#trip one');
    const sending = actions.send('#trip two');
    await until(store, ({ forest }) => pendingTurn(forest) !== null);
    const { conversationId } = store.getState();
    if (how === 'deleted') {
      Object.assign(storage, { setDeleted: fails });
      await actions.deleteConversation(conversationId);
    } else {
      Object.assign(storage, { read: fails });
      await actions.adopt({ title: 'A file', entries: [] });
    }
    expect(store.getState().problems).toHaveLength(1);
    letGo();
    await until(store, ({ forest }) => sizeOf(forest.nodes) === 2);
    await sending;
    expect(store.getState()).toMatchObject({ conversationId, forest: { pending: {} } });
  },
);

test('an imported conversation without a name gets one as it is opened, and keeps its date and its place in the list', async () => {
  const life = new Life();
  life.say(null, '#trip where to');
  const now = { at: 0 };
  const { actions, store } = await plainApp(countingChat(), { now: () => ++now.at });
  await actions.keepConversation('old', '', () => life.entries);
  await actions.listKept();
  now.at = 1_000_000;
  await actions.send('#garden hello');
  const dateOf = (id: string) => store.getState().conversations.find((one) => one.id === id)?.updatedAt;
  const before = dateOf('old');
  await actions.openKept('old');
  await until(store, ({ entries }) => entries.some(({ event }) => event.type === 'topic-titled'));
  expect(dateOf('old')).toBe(before);
  expect(store.getState().conversations.at(-1)?.id).toBe('old');
});

test('the open conversation that is renamed keeps its date and its place in the list', async () => {
  const { actions, store } = await plainApp(countingChat());
  await actions.send('#trip one');
  const { conversationId: old } = store.getState();
  await actions.newConversation();
  await actions.send('#code two');
  await actions.openConversation(old);
  const dateOf = (id: string) => store.getState().conversations.find((one) => one.id === id)?.updatedAt;
  const before = dateOf(old);
  await actions.renameConversation(old, 'My trip');
  expect(dateOf(old)).toBe(before);
  expect(store.getState().conversations.at(-1)).toMatchObject({ id: old, title: 'My trip' });
});

test('a new conversation is begun with the chat in view, to write in', async () => {
  const { actions, store } = await plainApp(countingChat());
  await actions.send('#trip one');
  actions.session({ folded: ['chat', 'inspector'], pane: 'forest' });
  await actions.newConversation();
  expect(store.getState().session).toMatchObject({ folded: ['inspector'], pane: 'chat' });
});

test('what a newer export adds to a conversation is dated by its last message', async () => {
  const life = new Life();
  life.say(null);
  const known = [...life.entries];
  life.say(null);
  const log = life.entries.map((entry) => ({ ...entry, at: 100 + entry.seq }));
  const now = { at: 1_000_000 };
  const { actions, store } = await plainApp(countingChat(), { now: () => ++now.at });
  const imported = async (entries: typeof log) => {
    await actions.keepConversation('old', 'Old', (there) => entries.slice(there.length));
    await actions.listKept();
    return store.getState().conversations.find(({ id }) => id === 'old')?.updatedAt;
  };
  expect(await imported(log.slice(0, known.length))).toBe(100 + known.length);
  expect(await imported(log)).toBe(100 + log.length);
});

test('a newer export in which a conversation has got its name gives it that name in the list too', async () => {
  const life = new Life();
  life.say(null, 'where to go in May?');
  const known = [...life.entries];
  life.say(null, 'and in June?');
  life.do({ type: 'record', step: null, event: { type: 'conversation-titled', title: 'Trip to Lisbon' } });
  const { actions, store } = await plainApp(countingChat());
  const imported = async (entries: readonly Entry[]) => {
    await actions.keepConversation('old', 'where to go in May?', (there) => entries.slice(there.length));
    await actions.listKept();
    return store.getState().conversations.find(({ id }) => id === 'old')?.title;
  };
  expect(await imported(known)).toBe('where to go in May?');
  expect(await imported(life.entries)).toBe('Trip to Lisbon');
});

test('what an import that ended early has added to the open conversation is shown in it', async () => {
  const life = new Life();
  life.say(null);
  const known = [...life.entries];
  life.say(null);
  const { actions, store } = await plainApp(countingChat());
  await actions.keepConversation('old', 'Old', () => known);
  await actions.openKept('old');
  await until(store, ({ entries }) => entries.some(({ event }) => event.type === 'topic-titled'));
  await actions.keepConversation('old', 'Old', (there) =>
    life.entries.slice(known.length).map((entry, at) => ({ ...entry, seq: there.length + at + 1 })),
  );
  expect(sizeOf(store.getState().forest.nodes)).toBe(1);
  await actions.listKept();
  expect(sizeOf(store.getState().forest.nodes)).toBe(2);
  expect(store.getState().conversations[0]).toMatchObject({ id: 'old', turns: 2 });
});

test('where the list cannot be read as the page opens, a new conversation is begun all the same', async () => {
  const storage = memoryStorage();
  const conversations = () => Promise.reject(new StorageFailure('unknown', 'The disk cannot be read.'));
  const { actions, store } = await plainApp(countingChat(), { storage: { ...storage, conversations } });
  expect(store.getState()).toMatchObject({ phase: 'ready', problems: [{ title: 'Opening failed' }] });
  await actions.send('#trip one');
  expect((await storage.conversations()).map(({ id }) => id)).toEqual([store.getState().conversationId]);
  expect(store.getState().conversationId).not.toBe('');
});
