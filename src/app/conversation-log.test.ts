import { describe, expect, test } from 'vitest';
import { fold } from '../domain/apply.ts';
import type { Entry } from '../domain/entry.ts';
import { violations } from '../domain/invariants.ts';
import { activePath, conversationTitle } from '../domain/queries.ts';
import { defaultReplySettings } from '../domain/reply.ts';
import { changedIds } from '../domain/table.ts';
import { Life } from '../domain/testing/random-life.ts';
import type { ConversationMeta } from '../engine/storage.ts';
import { countingChat, gate } from '../engine/testing/plain-models.ts';
import { memoryStorage } from '../storage/memory-storage.ts';
import type { Actions } from './actions.ts';
import { appendAll } from './conversation-log.ts';
import { plainApp, toldOfChanges, until } from './testing/plain-app.ts';

/** An app whose next write, once `hold` is called, is carried out only after `letGo`. */
const appWithHeldWrites = async () => {
  const stored = memoryStorage();
  let held: Promise<void> | null = null;
  const storage = {
    ...stored,
    append: async (...args: Parameters<typeof stored.append>) => {
      const failed = await stored.append(...args);
      await held;
      return failed;
    },
    rewrite: async (...args: Parameters<typeof stored.rewrite>) => {
      const failed = await stored.rewrite(...args);
      await held;
      return failed;
    },
  };
  const app = await plainApp(countingChat(), { storage });
  const hold = () => {
    const { open, opened } = gate();
    held = opened;
    return () => {
      held = null;
      open();
    };
  };
  return { ...app, stored, hold };
};

const WRITES = ['pinTurn', 'purgeTurns'] as const;

test.each(WRITES)('what is still being written when another conversation opens stays in its own: %s', async (write) => {
  const { store, actions, stored, hold } = await appWithHeldWrites();
  await actions.send('#trip one');
  const { conversationId: left, forest } = store.getState();
  const nodeId = Object.keys(forest.nodes)[0] as string;
  const letGo = hold();
  const written = write === 'pinTurn' ? actions.pinTurn(nodeId, true) : actions.purgeTurns([nodeId]);
  await actions.newConversation();
  letGo();
  await written;
  expect(store.getState()).toMatchObject({ entries: [], forest: { turnCount: 0 } });

  await actions.send('#code two');
  expect(store.getState().problems).toEqual([]);
  const { conversationId, entries } = store.getState();
  expect(await stored.read(conversationId)).toEqual(entries);
  const { nodes } = fold(await stored.read(left));
  expect(nodes).toEqual(write === 'pinTurn' ? { [nodeId]: expect.objectContaining({ pinned: true }) } : {});
});

test('a purge that waits while another conversation opens purges nothing there, and does not say it did', async () => {
  const { store, actions, stored, hold } = await appWithHeldWrites();
  await actions.send('#trip one');
  const { conversationId: left, forest } = store.getState();
  const nodeId = Object.keys(forest.nodes)[0] as string;
  await actions.newConversation();
  await actions.send('#code two');
  const { conversationId: other } = store.getState();
  await actions.openConversation(left);
  const letGo = hold();
  const writes = [actions.pinTurn(nodeId, true), actions.purgeTurns([nodeId])];
  await actions.openConversation(other);
  letGo();
  await Promise.all(writes);
  expect((await stored.read(other)).map(({ event }) => event.type)).not.toContain('turns-purged');
  expect(JSON.stringify(await stored.read(left))).toContain('#trip one');
  expect(store.getState().notice?.text ?? '').not.toContain('purged');
});

describe('what is asked for in a conversation', () => {
  const actionsOn = (actions: Actions, first: string, last: string) => ({
    undo: actions.undo,
    redo: actions.redo,
    activate: () => actions.activate(first),
    correct: () => actions.correct(last, { kind: 'new-topic' }),
    confirm: () => actions.confirm(last),
    setReplySettings: () => actions.setReplySettings({ ...defaultReplySettings, temperature: 0.2 }),
    goToStep: () => actions.goToStep(0),
  });
  const names = [
    'undo',
    'redo',
    'activate',
    'correct',
    'confirm',
    'setReplySettings',
    'goToStep',
  ] as const satisfies readonly (keyof ReturnType<typeof actionsOn>)[];

  /** Two conversations with a step to undo and one to redo each; `act` is asked for in the first, which is then left. */
  const leftWhile = async (name: (typeof names)[number], before: (actions: Actions, nodeId: string) => unknown) => {
    const { store, actions, stored, hold } = await appWithHeldWrites();
    const begin = async (topic: string) => {
      for (const message of [topic, 'two', 'three']) await actions.send(message);
      await actions.undo();
      actions.session({ draft: '' });
      return store.getState().conversationId;
    };
    const other = await begin('#code one');
    await actions.newConversation();
    const left = await begin('#trip one');
    const [first = '', last = ''] = activePath(store.getState().forest).map(({ id }) => id);
    const letGo = hold();
    const asked = [before(actions, first), actionsOn(actions, first, last)[name]()];
    await actions.openConversation(other);
    actions.closeNotice();
    const shown = store.getState();
    letGo();
    await Promise.all(asked);
    return { ...shown, store, stored, left };
  };

  test.each(names)('changes and says nothing in the one that is opened while it is being stored: %s', async (name) => {
    const { store, stored, left, entries, session } = await leftWhile(name, () => undefined);
    expect(store.getState()).toMatchObject({ entries, session, notice: null, problems: [] });
    // It was done where it was asked for.
    const kind = { undo: 'undone', goToStep: 'undone', redo: 'redone', activate: 'activated', correct: 'turn-moved' };
    const types = (await stored.read(left)).map(({ event }) => event.type);
    expect(types.at(-1)).toBe({ ...kind, confirm: 'turn-confirmed', setReplySettings: 'reply-settings-set' }[name]);
  });

  test.each(names)('and waits for another change is not done if another one is opened meanwhile: %s', async (name) => {
    const pin = (actions: Actions, nodeId: string) => actions.pinTurn(nodeId, true);
    const { store, stored, left, entries, session } = await leftWhile(name, pin);
    expect(store.getState()).toMatchObject({ entries, session, problems: [] });
    expect(store.getState().notice?.text ?? 'Nothing was changed.').toMatch(/Nothing was changed\.$/);
    expect((await stored.read(left)).at(-1)?.event.type).toBe('turn-pinned');
  });
});

test('the list has no words of a purged turn, not even before the next message', async () => {
  const { store, actions } = await plainApp(countingChat());
  await actions.send('#trip one');
  await actions.send('#trip two');
  const [first] = Object.keys(store.getState().forest.nodes) as [string];
  const before = store.getState().conversations[0]?.title;
  await actions.purgeTurns([first]);
  const [listed] = store.getState().conversations;
  expect(listed?.title).toBe(conversationTitle(store.getState().forest));
  expect(listed?.title).not.toBe(before);
  expect(listed?.turns).toBe(1);
});

test('what was still being written is there when its conversation is opened again meanwhile', async () => {
  const { store, actions, stored, hold } = await appWithHeldWrites();
  await actions.send('#trip one');
  const { conversationId, forest } = store.getState();
  const nodeId = Object.keys(forest.nodes)[0] as string;
  await actions.newConversation();
  await actions.openConversation(conversationId);
  const letGo = hold();
  const pinned = actions.pinTurn(nodeId, true);
  await actions.newConversation();
  await actions.openConversation(conversationId);
  letGo();
  await pinned;
  await actions.send('#trip two');
  expect(store.getState()).toMatchObject({ problems: [], forest: { turnCount: 2 } });
  expect(store.getState().entries).toEqual(await stored.read(conversationId));
});

test('what another tab writes while the page opens a conversation is there, and in the list', async () => {
  const stored = memoryStorage();
  const other = await plainApp(countingChat(), { storage: stored });
  await other.actions.send('#trip one');
  const { conversationId } = other.store.getState();
  const { watchLog, hear } = toldOfChanges();
  const open: typeof stored.open = async (id) => {
    const read = await stored.open(id);
    await other.actions.send('two');
    await other.actions.newConversation();
    await other.actions.send('#bread three');
    hear(other.store.getState().conversationId);
    return read;
  };
  const { store } = await plainApp(countingChat(), { storage: { ...stored, open }, watchLog });
  await until(store, ({ forest, conversations }) => forest.turnCount === 2 && conversations.length === 2);
  expect(store.getState().conversationId).toBe(conversationId);
});

test('a conversation that was left before a message had its place is renamed', async () => {
  const { store, actions, stored } = await appWithHeldWrites();
  await actions.send('#bread one');
  const life = new Life();
  life.say(null);
  life.send('two');
  const meta = { id: 'left', title: 'one', turns: 1, createdAt: 0, updatedAt: 0, deletedAt: null };
  await stored.append(life.entries, meta);
  await actions.listKept();
  await actions.renameConversation('left', 'Mine');
  expect(store.getState().conversations.map(({ title }) => title)).toEqual(['#bread one', 'Mine']);
  expect(fold(await stored.read('left'))).toMatchObject({ title: 'Mine', turnCount: 2 });
});

test('a turn to continue from that another tab has deleted does not keep the next message from being sent', async () => {
  const storage = memoryStorage();
  const one = await plainApp(countingChat(), { storage });
  for (const turn of ['#trip one', 'two']) await one.actions.send(turn);
  const two = await plainApp(countingChat(), { storage });
  const last = Object.keys(one.store.getState().forest.nodes)[1] as string;
  one.actions.forkFrom(last);
  one.actions.session({ editing: { nodeId: last, text: 'two, but better' } });
  await two.actions.deleteTurns([last], false);
  await one.actions.send('three');
  expect(one.store.getState()).toMatchObject({
    notice: { text: 'The turn to continue from no longer exists.' },
    // What was being written is still there.
    session: { target: null, selectedId: null, selection: [], editing: { text: 'two, but better' } },
    forest: { turnCount: 2 },
  });
  await one.actions.send('three');
  expect(one.store.getState().forest.turnCount).toBe(3);
});

/** An app with three turns, whose log another tab replaces by one that differs after the first and has `more` turns. */
const appWithReplacedLog = async (more: readonly string[]) => {
  const storage = memoryStorage();
  const { watchLog, hear } = toldOfChanges();
  const app = await plainApp(countingChat(), { storage, watchLog });
  await app.actions.send('#trip one');
  const { conversationId, entries: begun } = app.store.getState();
  for (const turn of ['two', 'three']) await app.actions.send(turn);

  const backup = memoryStorage();
  const meta = (await storage.conversation(conversationId)) as ConversationMeta;
  await backup.append(begun, meta);
  const elsewhere = await plainApp(countingChat(), { storage: backup });
  for (const turn of more) await elsewhere.actions.send(turn);
  const replace = async () => {
    await storage.rewrite(await backup.read(conversationId), Number.POSITIVE_INFINITY, meta, []);
  };
  const path = () => activePath(app.store.getState().forest).map(({ message }) => message);
  return { ...app, storage, conversationId, path, replace, hear: () => hear(conversationId) };
};

const SHORTER: readonly string[] = [];
const LONGER = ['a', 'b', 'c', 'd'];

test.each([['shorter', SHORTER] as const, ['longer', LONGER] as const])(
  'a log that another tab replaced by a %s one is opened anew, and goes on from there',
  async (_, more) => {
    const { store, actions, storage, conversationId, path, replace, hear } = await appWithReplacedLog(more);
    actions.session({ draft: 'half a thought' });
    await replace();
    hear();
    await until(store, ({ notice }) => notice?.text.includes('replaced by a backup') === true);
    expect(path()).toEqual(['#trip one', ...more]);
    expect(store.getState().session.draft).toBe('half a thought');
    await actions.send('last');
    expect(path()).toEqual(['#trip one', ...more, 'last']);
    expect(store.getState()).toMatchObject({ problems: [], storage: { kind: 'indexeddb' } });
    expect(violations(fold(await storage.read(conversationId)))).toEqual([]);
    expect(store.getState().entries).toEqual(await storage.read(conversationId));
  },
);

test.each([['shorter', SHORTER] as const, ['longer', LONGER] as const])(
  'a message for a log that was replaced unnoticed by a %s one stays in the draft',
  async (_, more) => {
    const { store, actions, storage, conversationId, path, replace } = await appWithReplacedLog(more);
    await replace();
    const replaced = await storage.read(conversationId);
    actions.session({ draft: 'last' });
    await actions.send('last');
    await until(store, ({ notice }) => notice?.text.includes('replaced by a backup') === true);
    expect(await storage.read(conversationId)).toEqual(replaced);
    expect(path()).toEqual(['#trip one', ...more]);
    expect(store.getState()).toMatchObject({
      problems: [],
      storage: { kind: 'indexeddb' },
      session: { draft: 'last' },
    });
    await actions.send('last');
    expect(path()).toEqual(['#trip one', ...more, 'last']);
  },
);

test('a purge does not write over a log that has replaced the one it was asked for in', async () => {
  const { store, actions, storage, conversationId, replace } = await appWithReplacedLog(SHORTER);
  const ids = Object.keys(store.getState().forest.nodes);
  await replace();
  const replaced = await storage.read(conversationId);
  await actions.purgeTurns(ids.slice(1));
  await until(store, ({ notice }) => notice?.text.includes('replaced by a backup') === true);
  expect(await storage.read(conversationId)).toEqual(replaced);
});

test('what is imported into the open conversation does not get in the way of what is being written there', async () => {
  const storage = memoryStorage();
  const { store, actions } = await plainApp(countingChat(), { storage });
  await actions.send('#trip one');
  const { conversationId, forest } = store.getState();
  const [nodeId = ''] = Object.keys(forest.nodes);
  let pinned: Promise<void> = Promise.resolve();
  await actions.keepConversation(conversationId, 'one', async (known) => {
    pinned = actions.pinTurn(nodeId, true);
    await new Promise((resolve) => setTimeout(resolve));
    const event = { type: 'turn-noted' as const, nodeId, note: 'imported' };
    return [{ v: 1, seq: known.length + 1, at: 0, step: 'imported', event }];
  });
  await pinned;
  expect(store.getState().forest.nodes[nodeId]).toMatchObject({ pinned: true, note: 'imported' });
  expect(await storage.read(conversationId)).toEqual(store.getState().entries);
});

test('a long log is stored in portions, each of whole turns', async () => {
  const life = new Life();
  for (let turn = 0; turn < 1500; turn++) life.say(null);
  const meta = { id: 'a', title: 'a', turns: 1500, createdAt: 0, updatedAt: 1, deletedAt: null };
  const storage = memoryStorage();
  const portions: (readonly Entry[])[] = [];
  const noted = {
    ...storage,
    append: (...args: Parameters<typeof storage.append>) => {
      portions.push(args[0]);
      return storage.append(...args);
    },
  };
  await appendAll(noted, life.entries, meta);
  expect(await storage.read('a')).toEqual(life.entries);
  expect(portions.length).toBeGreaterThan(1);
  for (const [first] of portions) expect(first?.event.type).toBe('message-sent');
});

test('what a commit changed in a new conversation can be told from the first message on', async () => {
  const { actions, store } = await plainApp();
  const { forest: before } = store.getState();
  await actions.send('#trip one');
  const { forest } = store.getState();
  expect(changedIds(before.nodes, forest.nodes)).toEqual(activePath(forest).map(({ id }) => id));
});
