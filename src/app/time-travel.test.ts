import { expect, test } from 'vitest';
import { fold, frozen } from '../domain/apply.ts';
import type { Entry } from '../domain/entry.ts';
import { HandledCounts } from '../domain/handled-counts.ts';
import { longList } from '../domain/long-list.ts';
import { replyOf } from '../domain/queries.ts';
import { recordsOf, sizeOf } from '../domain/table.ts';
import { plainForest } from '../domain/testing/plain-forest.ts';
import { syntheticLog } from '../domain/testing/synthetic-forest.ts';
import type { PolicyContext } from '../engine/history/past-contexts.ts';
import { countingChat, heldChat } from '../engine/testing/plain-models.ts';
import { memoryStorage } from '../storage/memory-storage.ts';
import { plainApp, until } from './testing/plain-app.ts';

const log = syntheticLog(1_200, 3);
/** Entries at the end that are not packed. */
const TAIL = 600;

/** A long log opened from a moment stored with it: everything earlier is packed and has not been folded. */
const openedFromKept = async () => {
  const stored = memoryStorage();
  const first = await plainApp(countingChat(), { storage: stored });
  await first.actions.keepConversation('long', 'Long', () => log);
  const count = log.length - TAIL;
  const handled = new HandledCounts();
  handled.take(log, count);
  const packed = { length: count, at: (index: number) => log[index] as Entry };
  const storage = {
    ...stored,
    open: async () => ({
      entries: longList(packed, log.slice(count)),
      kept: { count, forest: frozen(fold(log, count)), handled: new HandledCounts(handled.toJSON()) },
    }),
  };
  const app = await plainApp(countingChat(), { storage });
  await app.actions.openConversation('long');
  expect(app.store.getState().entries).toHaveLength(log.length);
  return app;
};

test('a moment far back in a packed log is shown once it is made, and until then the strip knows of it', async () => {
  const { actions, store } = await openedFromKept();
  actions.travel(3_000);
  expect(store.getState()).toMatchObject({ past: null, reaching: 3_000 });
  // Meanwhile it travels elsewhere: only that is shown.
  actions.travel(1_234);
  await until(store, ({ past }) => past !== null);
  const { past, reaching } = store.getState();
  expect(reaching).toBeNull();
  expect(past?.count).toBe(1_234);
  expect(past && plainForest(past.forest)).toEqual(fold(log, 1_234));
  actions.travel(4_000);
  actions.travel(null);
  expect(store.getState()).toMatchObject({ past: null, reaching: null });
});

test('what was sent is found wherever its reply began', async () => {
  const { actions } = await openedFromKept();
  const signal = new AbortController().signal;
  for (const turn of [1_120, 1_150, 300, 800]) {
    const begun = log.findIndex(({ event }) => event.type === 'reply-started' && event.nodeId === `n${turn}`);
    const event = log[begun]?.event;
    // Of the unpacked entries, only those soon after the moment the log was opened from are near.
    const isNear = turn === 1_120;
    expect(actions.shownContext(`r${turn}`, `n${turn}`) === 'far').toBe(!isNear);
    // Also when it is not known when the turn was handled, as for another reply to it.
    for (const nodeId of [`n${turn}`, 'another']) {
      const shown = await actions.shownContextFarBack(`r${turn}`, nodeId, signal);
      expect(shown?.context).toEqual(event?.type === 'reply-started' ? event.context : null);
      expect(shown && plainForest(shown.forest)).toEqual(fold(log, begun));
    }
  }
  expect(await actions.shownContextFarBack('none', 'n20', signal)).toBeNull();
});

test('from a moment far back, in the middle of a reply, a conversation begins that has the whole reply', async () => {
  const { actions, store } = await openedFromKept();
  const begun = log.findIndex(({ event }) => event.type === 'reply-started' && event.nodeId === 'n300');
  await actions.branchOff(begun + 1);
  const { conversationId, conversations, forest, entries } = store.getState();
  expect(conversations.find(({ id }) => id === conversationId)?.title).toMatch(/ \(from turn 300\)$/);
  expect(plainForest(forest)).toEqual(fold(log, entries.length));
  expect(forest.turnCount).toBe(300);
  expect(forest.nodes.n300?.replies).toMatchObject([{ state: 'done' }]);
});

test('a conversation that begins from a moment goes its own way back', async () => {
  const { actions, store } = await plainApp();
  for (const turn of ['#trip one', 'two', 'three']) await actions.send(turn);
  const { entries: log } = store.getState();
  actions.travel(log.length - 1);
  await actions.branchOff(log.findIndex(({ event }) => event.type === 'message-sent' && event.message === 'two'));
  for (const turn of ['another', 'the last']) await actions.send(turn);
  const { entries } = store.getState();
  actions.travel(entries.length - 1);
  const { past } = store.getState();
  expect(past && plainForest(past.forest)).toEqual(fold(entries, entries.length - 1));
});

test('a conversation that begins from a moment keeps the name that the person gave, and no words of a turn', async () => {
  const { actions, store } = await plainApp();
  for (const turn of ['#trip one', 'two']) await actions.send(turn);
  await actions.branchOff(store.getState().entries.length);
  expect(store.getState().forest.title).toBeNull();
  await actions.renameConversation(store.getState().conversationId, 'Mine (from turn 1)');
  await actions.branchOff(store.getState().entries.length);
  const title = () => store.getState().conversations.find(({ id }) => id === store.getState().conversationId)?.title;
  const name = title();
  expect(name).toBe('Mine (from turn 2)');
  await actions.send('three');
  expect(title()).toBe(name);
});

test('a moment on its way is given up once the log is another', async () => {
  const { actions, store } = await openedFromKept();
  actions.travel(7_000);
  expect(store.getState().reaching).toBe(7_000);
  await actions.purgeTurns(['n300']);
  expect(store.getState()).toMatchObject({ past: null, reaching: null });
});

test('from the middle of a reply whose turn was undone, a conversation begins as it was then', async () => {
  const { chat, letGo } = heldChat();
  const { actions, store } = await plainApp(chat);
  const sent = actions.send('#trip one');
  await until(store, ({ forest }) => recordsOf(forest.nodes).some((node) => replyOf(node)?.state === 'streaming'));
  await actions.undo();
  letGo();
  await sent;
  await actions.send('#code two');
  const { entries } = store.getState();
  const begun = entries.findIndex(({ event }) => event.type === 'reply-started');
  await actions.branchOff(begun + 1);
  expect(recordsOf(store.getState().forest.nodes).map(({ message }) => message)).toEqual(['#trip one']);
});

test('all that was done since a moment far back is undone at once, and can be taken back', async () => {
  const { actions, store } = await openedFromKept();
  const sent = log.findIndex(({ event }) => event.type === 'message-sent' && event.nodeId === 'n300');
  await actions.restore(sent);
  expect(store.getState()).toMatchObject({ past: null, forest: { turnCount: 299 } });
  store.getState().notice?.action?.run();
  await until(store, ({ forest }) => forest.turnCount === 1_200);
});

test('a moment from which steps were only undone is restored by redoing them', async () => {
  const { actions, store } = await plainApp();
  for (const turn of ['#trip one', 'two', 'three']) await actions.send(turn);
  const count = store
    .getState()
    .entries.findIndex(({ event }) => event.type === 'message-sent' && event.message === 'three');
  for (let undone = 0; undone < 3; undone++) await actions.undo();
  await actions.restore(count);
  expect(store.getState()).toMatchObject({ past: null, forest: { turnCount: 2 }, notice: { text: '2 steps redone.' } });
  await actions.undo();
  await actions.send('another');
  await actions.restore(count);
  expect(store.getState().notice?.text).toMatch(/^That moment contains a step that was later undone and replaced/);
});

test('the next message goes where it did before a turn was gone to, once that is undone, and there again once redone', async () => {
  const { actions, store } = await plainApp();
  for (const turn of ['#trip one', 'two', 'three']) await actions.send(turn);
  const [first = '', second = ''] = recordsOf(store.getState().forest.nodes).map(({ id }) => id);
  const chosen = { kind: 'under', nodeId: second, chosen: true } as const;
  const [toFirst, toSecond] = [first, second].map((nodeId) => ({ kind: 'under' as const, nodeId }));
  const target = () => store.getState().session.target;
  actions.session({ target: chosen });
  await actions.activate(first);
  await actions.activate(second);
  expect(target()).toEqual(toSecond);
  await actions.undo();
  expect(target()).toEqual(toFirst);
  await actions.undo();
  expect(target()).toEqual(chosen);
  await actions.redo();
  expect(target()).toEqual(toFirst);
  actions.session({ target: { kind: 'new-topic' } });
  await actions.undo();
  expect(target()).toEqual({ kind: 'new-topic' });

  actions.session({ target: null });
  await actions.activate(first);
  await actions.send('a fork');
  await actions.goToStep(3);
  expect(target()).toBeNull();
  await actions.redo();
  expect(target()).toEqual(toFirst);
  await actions.redo();
  expect(target()).toBeNull();
});

test('a moment that is being restored leaves alone the conversation that is opened meanwhile', async () => {
  let clock = 0;
  // As on a slow machine: it pauses after every step.
  const { actions, store } = await plainApp(countingChat(), { elapsed: () => (clock += 10) });
  for (const turn of ['#code one', 'two']) await actions.send(turn);
  const other = store.getState().conversationId;
  await actions.newConversation();
  for (let turn = 0; turn < 40; turn++) await actions.send(`${turn}`);
  const count = store.getState().entries.findIndex(({ event }) => 'message' in event && event.message === '39');
  const restoring = actions.restore(count);
  await actions.openConversation(other);
  await restoring;
  expect(store.getState()).toMatchObject({ conversationId: other, forest: { turnCount: 2 }, notice: null });
});

test('a moment from before a purge is not restored, and the purge is the reason given', async () => {
  const { actions, store } = await plainApp();
  for (const turn of ['#trip one', 'two']) await actions.send(turn);
  const [, second] = recordsOf(store.getState().forest.nodes).map(({ id }) => id);
  await actions.purgeTurns([second as string]);
  for (const count of [0, 5]) {
    await actions.restore(count);
    expect(store.getState().notice?.text).toMatch(/^Turns have been purged since that moment/);
    expect(store.getState().forest.turnCount).toBe(2);
  }
});

test('a moment within an import is not restored, and the import is the reason given; one after it is', async () => {
  const { actions, store } = await plainApp();
  const imported = syntheticLog(6, 1).map((entry): Entry => ({ ...entry, step: null }));
  await actions.keepConversation('imported', 'Imported', () => imported);
  await actions.openKept('imported');
  const among = imported.findIndex(({ event }) => event.type === 'message-sent' && event.nodeId === 'n3');
  const isRefused = async (turns: number) => {
    await actions.restore(among);
    expect(store.getState().notice?.text).toBe(
      'Turns have been imported since that moment, and that cannot be undone. Start a new conversation from it instead.',
    );
    expect(store.getState().forest.turnCount).toBe(turns);
  };
  await isRefused(6);
  for (const message of ['seven', 'eight']) await actions.send(message);
  await isRefused(8);
  await actions.restore(imported.length);
  expect(store.getState().forest.turnCount).toBe(6);
});

test('who does not wait for what was sent any more is told nothing', async () => {
  const { actions } = await openedFromKept();
  const stop = new AbortController();
  const found = actions.shownContextFarBack('r800', 'n800', stop.signal);
  stop.abort();
  expect(await found).toBeNull();
});

test('in the past, contexts and memories are those of that moment, not of what was said since', async () => {
  const { actions, store } = await plainApp();
  for (const turn of ['#trip one', 'two']) await actions.send(turn);
  const then = store.getState().entries.length;
  const { nodeId } = store.getState().forest.active ?? { nodeId: '' };
  await actions.send('three');
  // From now on, the second turn's reply is one that began after the third turn.
  await actions.regenerate(nodeId);
  const signal = new AbortController().signal;
  const turnsBefore = async () => {
    const found: number[] = [];
    const watch = {
      onContext: (one: PolicyContext) => void found.push(sizeOf(one.forest.nodes)),
      onTaken: () => undefined,
      onFailed: () => undefined,
    };
    await actions.compareContexts(nodeId, ['full-history'], watch, signal);
    return found;
  };
  const turnsOverTime = async () => {
    const found: string[] = [];
    await actions.contextsOverTime(['full-history'], (turns) => found.push(...turns.map((one) => one.nodeId)), signal);
    return found.length;
  };
  const remembered = async () => {
    const memory = await actions.memoryFor(nodeId, 'memory-bank', signal);
    return memory && sizeOf(memory.forest.nodes);
  };
  expect([await turnsBefore(), await turnsOverTime(), await remembered()]).toEqual([[3], 3, 3]);
  actions.travel(then);
  expect([await turnsBefore(), await turnsOverTime(), await remembered()]).toEqual([[2], 2, 2]);
});
