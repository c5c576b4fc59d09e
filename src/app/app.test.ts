import { describe, expect, test, vi } from 'vitest';
import { fold } from '../domain/apply.ts';
import type { Node } from '../domain/forest.ts';
import { violations } from '../domain/invariants.ts';
import { activePath, nodeOf, pendingTurn, replyOf, treesOf } from '../domain/queries.ts';
import { recordsOf } from '../domain/table.ts';
import { ModelFailure } from '../engine/model-failure.ts';
import type { Dialogue, Summariser } from '../engine/ports.ts';
import { type Storage, StorageFailure } from '../engine/storage.ts';
import {
  countingChat,
  cutOffChat,
  firstWords,
  gate,
  heldChat,
  heldDecider,
  plainModels,
} from '../engine/testing/plain-models.ts';
import { memoryStorage } from '../storage/memory-storage.ts';
import { plainApp, toldOfChanges, unstartedApp, until } from './testing/plain-app.ts';

const dialogue: Dialogue = {
  title: 'Two things',
  turns: [
    { message: '#trip one', reply: 'given one' },
    { message: 'two', reply: null },
    { message: '#code three', reply: 'given three' },
  ],
};

describe('a conversation', () => {
  test('is found again as it was, with its half-finished reply marked as interrupted', async () => {
    const storage = memoryStorage();
    const { chat } = heldChat();
    const first = await plainApp({ ...countingChat(), ...chat }, { storage });
    await first.actions.replay({ ...dialogue, turns: dialogue.turns.slice(2) });
    void first.actions.send('and more');
    // A requested reply is shown before its start is stored.
    await until(first.store, ({ forest }) => activePath(forest).some((node) => replyOf(node)?.state === 'streaming'));

    const second = await plainApp(countingChat(), { storage });
    await until(second.store, ({ forest }) => forest.turnCount === 2);
    await until(second.store, ({ forest }) => activePath(forest).every((node) => replyOf(node)?.state !== 'streaming'));
    const path = activePath(second.store.getState().forest);
    expect(path.map(({ message }) => message)).toEqual(['#code three', 'and more']);
    expect(replyOf(path[1] as never)?.state).toBe('interrupted');
    await second.actions.resume(path[1]?.id as string);
    expect(replyOf(activePath(second.store.getState().forest)[1] as never)?.state).toBe('done');
  });

  test('reports no failure where the person stops a reply before it begins', async () => {
    let held = false;
    const chat = {
      ...countingChat(),
      prepare: (signal: AbortSignal) =>
        held
          ? new Promise<void>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
          : Promise.resolve(),
      async *reply() {
        yield 'half ';
        throw new Error('gone');
      },
    };
    const { store, actions } = await plainApp(chat);
    await actions.send('#trip one');
    held = true;
    const id = activePath(store.getState().forest)[0]?.id ?? '';
    for (const begin of [actions.regenerate, actions.resume]) {
      const done = begin(id);
      await until(store, ({ turn }) => turn !== null);
      actions.stop();
      await done;
    }
    expect(store.getState()).toMatchObject({ problems: [], turn: null });
  });

  test('says why a reply that filled the window of its model cannot be continued', async () => {
    const { store, actions } = await plainApp(cutOffChat(100, 60, [40, 0]));
    await actions.send('#trip one');
    const id = activePath(store.getState().forest)[0]?.id ?? '';
    await actions.resume(id);
    const { notice, forest, problems } = store.getState();
    expect(notice?.text).toMatch(/window is full/);
    expect(replyOf(nodeOf(forest, id))?.state).toBe('done');
    expect(problems).toEqual([]);
    notice?.action?.run();
    expect(store.getState().session).toMatchObject({ dialog: 'models', with: 'chat' });
  });

  test('is embedded once the page that opened it is idle', async () => {
    const stored = memoryStorage();
    await (await plainApp(countingChat(), { storage: stored })).actions.send('#trip one');
    const waiting: (() => void)[] = [];
    vi.stubGlobal('requestIdleCallback', (task: () => void) => waiting.push(task));
    try {
      const readVectors = vi.fn(stored.readVectors);
      const { store } = await plainApp(countingChat(), { storage: { ...stored, readVectors } });
      // Whatever would not wait has begun by then.
      await new Promise((resolve) => setTimeout(resolve, 20));
      expect(readVectors).not.toHaveBeenCalled();
      expect(store.getState()).toMatchObject({ phase: 'ready' });
      for (const task of waiting.splice(0)) task();
      await vi.waitFor(() => expect(readVectors).toHaveBeenCalled());
    } finally {
      vi.unstubAllGlobals();
    }
  });

  test('is listed, renamed, deleted and brought back', async () => {
    const app = await plainApp();
    await app.actions.send('#trip one');
    const { conversationId } = app.store.getState();
    await app.actions.renameConversation(conversationId, 'My trip');
    expect(app.store.getState().conversations).toMatchObject([{ title: 'My trip', turns: 1 }]);
    await app.actions.newConversation();
    await app.actions.send('#other');
    expect(app.store.getState().conversations.map(({ title }) => title)).toEqual(['#other', 'My trip']);
    await app.actions.deleteConversation(conversationId);
    expect(app.store.getState().conversations).toHaveLength(1);
    app.store.getState().notice?.action?.run();
    await until(app.store, ({ conversations }) => conversations.length === 2);
    await app.actions.openConversation(conversationId);
    expect(app.store.getState().forest.title).toBe('My trip');
  });

  test('that is not open is renamed, and keeps what another tab says in it meanwhile', async () => {
    const stored = memoryStorage();
    const one = await plainApp(countingChat(), { storage: stored });
    await one.actions.send('#trip one');
    const { conversationId } = one.store.getState();
    let meanwhile = async (): Promise<void> => undefined;
    const storage: Storage = {
      ...stored,
      read: async (...range) => {
        const entries = await stored.read(...range);
        const said = meanwhile;
        meanwhile = async () => undefined;
        await said();
        return entries;
      },
    };
    const two = await plainApp(countingChat(), { storage });
    await two.actions.newConversation();
    meanwhile = () => one.actions.send('two');
    await two.actions.renameConversation(conversationId, 'My trip');
    expect(two.store.getState().conversations).toMatchObject([{ id: conversationId, title: 'My trip', turns: 2 }]);
    const kept = fold(await stored.read(conversationId));
    expect(kept).toMatchObject({ title: 'My trip', turnCount: 2 });
    // The tab that has it open sends its next message after picking up the new name.
    await one.actions.send('three');
    expect(one.store.getState().forest).toMatchObject({ title: 'My trip', turnCount: 3 });
  });

  test('that another tab has renamed is deleted and brought back under its new name', async () => {
    const storage = memoryStorage();
    const one = await plainApp(countingChat(), { storage });
    await one.actions.send('#trip one');
    const { conversationId } = one.store.getState();
    const two = await plainApp(countingChat(), { storage });
    await one.actions.renameConversation(conversationId, 'My trip');
    await two.actions.deleteConversation(conversationId);
    two.store.getState().notice?.action?.run();
    await until(two.store, ({ conversations }) => conversations.some(({ id }) => id === conversationId));
    expect(two.store.getState().conversations).toMatchObject([{ id: conversationId, title: 'My trip' }]);
  });

  test('that another tab has deleted stays deleted, until somebody goes on with it', async () => {
    const storage = memoryStorage();
    const { watchLog, hear } = toldOfChanges();
    const one = await plainApp(countingChat(), { storage, watchLog });
    await one.actions.send('#trip one');
    const { conversationId } = one.store.getState();
    const two = await plainApp(countingChat(), { storage });
    await two.actions.deleteConversation(conversationId);
    hear(conversationId);
    await until(one.store, ({ conversations }) => conversations.length === 0);
    await one.actions.pinTurn(activePath(one.store.getState().forest)[0]?.id as string, true);
    expect((await storage.conversation(conversationId))?.deletedAt).not.toBeNull();
    expect(one.store.getState().conversations).toEqual([]);
    await one.actions.send('two');
    expect((await storage.conversation(conversationId))?.deletedAt).toBeNull();
    expect(one.store.getState().conversations).toMatchObject([{ id: conversationId, turns: 2 }]);
  });

  test('that opens closes no dialog that was opened meanwhile', async () => {
    const { actions, store } = await plainApp();
    await actions.send('#trip one');
    const { conversationId } = store.getState();
    await actions.newConversation();
    const opening = actions.openConversation(conversationId);
    actions.session({ dialog: 'export' });
    await opening;
    expect(store.getState()).toMatchObject({ conversationId, session: { dialog: 'export' } });
  });

  test('that opens has no turn selected', async () => {
    const { actions, store } = await plainApp();
    await actions.send('#trip one');
    const { conversationId, entries, forest } = store.getState();
    const selection = () => store.getState().session.selection;
    const [first] = activePath(forest);
    for (const open of [
      actions.newConversation,
      () => actions.openConversation(conversationId),
      () => actions.branchOff(entries.length),
    ]) {
      actions.select(first?.id as string);
      await open();
      expect(selection()).toEqual([]);
    }
  });

  test('that takes long to open is not shown when another was asked for meanwhile', async () => {
    const stored = memoryStorage();
    const { open: letGo, opened: held } = gate();
    let slow = '';
    const storage: Storage = {
      ...stored,
      read: async (id, ...where) => {
        if (id === slow) await held;
        return stored.read(id, ...where);
      },
    };
    const { actions, store } = await plainApp(countingChat(), { storage });
    await actions.send('#trip one');
    const long = store.getState().conversationId;
    await actions.newConversation();
    await actions.send('#bread two');
    const wanted = store.getState().conversationId;
    slow = long;
    const opening = actions.openConversation(long);
    await actions.openConversation(wanted);
    const sending = actions.send('three');
    await until(store, ({ turn }) => turn !== null);
    letGo();
    await Promise.all([opening, sending]);
    expect(store.getState()).toMatchObject({ conversationId: wanted, forest: { turnCount: 2, pending: {} } });
    expect(replyOf(recordsOf(store.getState().forest.nodes)[1] as Node)?.state).toBe('done');
  });

  test.each([
    ['at once', 0],
    ['a moment later', 5],
  ])('keeps to itself what was sent while it was summarised, if another is opened %s', async (_, pause) => {
    const summarising = gate();
    const goOn = gate();
    let slow = false;
    const summarise: Summariser = {
      ...firstWords,
      summarise: async (...asked) => {
        if (slow) {
          summarising.open();
          await goOn.opened;
        }
        return firstWords.summarise(...asked);
      },
    };
    const models = { ...plainModels({ chat: countingChat() }), summarise };
    const storage = memoryStorage();
    const { actions, store } = await plainApp(countingChat(), { storage, models: () => models });
    await actions.send('#bread one');
    const other = store.getState().conversationId;
    await actions.newConversation();
    slow = true;
    const first = actions.send('#trip two');
    await summarising.opened;
    const own = store.getState().conversationId;
    actions.session({ draft: 'three' });
    const second = actions.send('three');
    if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
    slow = false;
    const opening = actions.openConversation(other);
    goOn.open();
    await Promise.all([first, second, opening]);
    expect(store.getState()).toMatchObject({ conversationId: other, forest: { turnCount: 1 }, turn: null });
    const wasSent = (await storage.read(own)).some(({ event }) => 'message' in event && event.message === 'three');
    const words = wasSent ? undefined : expect.stringMatching(/^The message was not sent.* draft of its own/);
    expect(store.getState().notice?.text).toEqual(words);
    await actions.openConversation(own);
    await until(store, ({ turn, forest }) => turn === null && pendingTurn(forest) === null);
    const now = { forest: { turnCount: wasSent ? 2 : 1 }, session: { draft: wasSent ? '' : 'three' } };
    expect(store.getState()).toMatchObject(now);
  });

  test.each([
    ['before the list is read', 'conversations'],
    ['while the one used last opens', 'open'],
  ] as const)('begun while the page is still opening is the one that is written in: %s', async (_, held) => {
    const stored = memoryStorage();
    const before = await plainApp(countingChat(), { storage: stored });
    await before.actions.send('#trip one');
    const reached = gate();
    const goOn = gate();
    const storage: Storage = {
      ...stored,
      [held]: async (...asked: [string]) => {
        reached.open();
        await goOn.opened;
        return stored[held](...asked);
      },
    };
    const { actions, store, start } = unstartedApp(countingChat(), { storage });
    const started = start();
    await reached.opened;
    const begun = actions.newConversation();
    actions.session({ draft: '#bread two' });
    goOn.open();
    await Promise.all([started, begun]);
    expect(store.getState()).toMatchObject({ forest: { turnCount: 0 }, session: { draft: '#bread two' } });
  });

  test('of another tab that was first is taken in before one’s own', async () => {
    const storage = memoryStorage();
    const one = await plainApp(countingChat(), { storage });
    await one.actions.send('#trip one');
    const two = await plainApp(countingChat(), { storage });
    await one.actions.send('two');
    await two.actions.send('three');
    expect(two.store.getState().forest.turnCount).toBe(3);
    expect(violations(two.store.getState().forest)).toEqual([]);
    expect((await storage.read(two.store.getState().conversationId)).map(({ seq }) => seq)).toEqual(
      two.store.getState().entries.map(({ seq }) => seq),
    );
  });
});

describe('a replay', () => {
  test('plays every turn, with the replies given and the chat role’s where none is', async () => {
    const app = await plainApp();
    await app.actions.replay(dialogue, { running: false });
    app.actions.setReplayPause(0);
    await app.actions.stepReplay();
    expect(app.store.getState().replay?.played).toBe(1);
    await app.actions.resumeReplay();
    await until(app.store, ({ replay }) => replay === null);
    const { forest } = app.store.getState();
    expect(treesOf(forest)).toHaveLength(2);
    expect(recordsOf(forest.nodes).map((node) => replyOf(node)?.model)).toEqual(['given', 'counting', 'given']);
  });

  test.each(['replying', 'summarising'])('paused and resumed while %s, sends no message twice', async (phase) => {
    const { chat, letGo } = heldChat();
    const { open, opened } = gate();
    const summarise = {
      ...firstWords,
      summarise: async (turn: Parameters<typeof firstWords.summarise>[0]) =>
        opened.then(() => firstWords.summarise(turn)),
    };
    const models = plainModels({ chat, summarise });
    const { store, actions } = await plainApp(chat, { models: () => models });
    if (phase === 'summarising') letGo();
    void actions.replay({ ...dialogue, turns: dialogue.turns.slice(1) });
    await until(store, ({ turn }) => turn?.phase === phase);
    actions.setReplayPause(0);
    actions.pauseReplay();
    void actions.resumeReplay();
    actions.pauseReplay();
    void actions.resumeReplay();
    letGo();
    open();
    await until(store, ({ replay }) => replay === null);
    expect(recordsOf(store.getState().forest.nodes).map(({ message }) => message)).toEqual(['two', '#code three']);
  });

  test('leaves the person’s next message alone: its place and its words', async () => {
    const { actions, store } = await plainApp();
    await actions.replay(dialogue, { running: false });
    await actions.stepReplay();
    const [first] = activePath(store.getState().forest);
    const target = { kind: 'under', nodeId: first?.id as string, chosen: true } as const;
    actions.session({ draft: 'two', target });
    for (let i = 0; i < 2; i++) await actions.stepReplay();
    const { forest, session } = store.getState();
    expect(recordsOf(forest.nodes).map(({ decision }) => decision.by)).toEqual(['engine', 'engine', 'engine']);
    expect(session).toMatchObject({ draft: 'two', target });
  });

  test('stopped before a turn is placed, does not put it into the draft', async () => {
    const { actions, session, placing, store } = await placingApp();
    await actions.replay({ ...dialogue, turns: dialogue.turns.slice(1) }, { running: false });
    await actions.stepReplay();
    const sending = actions.stepReplay();
    await placing();
    actions.stop();
    await sending;
    expect(store.getState()).toMatchObject({ replay: { played: 1 }, forest: { turnCount: 1 } });
    expect(session().draft).toBe('');
  });

  test('can be stopped, and keeps what was played and the person’s own reply', async () => {
    const { chat, letGo } = heldChat();
    const { store, actions } = await plainApp(chat);
    await actions.replay(dialogue, { running: false });
    await actions.stepReplay();
    const sent = actions.send('mine');
    await until(store, ({ turn }) => turn?.phase === 'replying');
    actions.stopReplay();
    expect(store.getState()).toMatchObject({ replay: null, forest: { turnCount: 2 } });
    letGo();
    await sent;
    const states = recordsOf(store.getState().forest.nodes).map((node) => replyOf(node)?.state);
    expect(states).toEqual(['done', 'done']);
  });
});

/** An app whose second message waits for its place. */
const placingApp = async () => {
  const { decide, letGo } = heldDecider();
  const models = plainModels({ decide });
  const app = await plainApp(countingChat(), { models: () => models });
  await app.actions.send('#trip one');
  const session = () => app.store.getState().session;
  const placing = () => until(app.store, ({ forest }) => pendingTurn(forest) !== null);
  return { ...app, session, placing, letGo };
};

describe('what is written while a message is being sent', () => {
  test('is the next message, from the moment of sending on', async () => {
    const stored = memoryStorage();
    const reached = gate();
    const goOn = gate();
    const append: Storage['append'] = async (...args) => {
      reached.open();
      await goOn.opened;
      return stored.append(...args);
    };
    const { actions, store } = await plainApp(countingChat(), { storage: { ...stored, append } });
    actions.session({ draft: ' #trip one ' });
    const sending = actions.send('#trip one');
    await reached.opened;
    actions.session({ draft: ' #trip one and two' });
    goOn.open();
    await sending;
    expect(recordsOf(store.getState().forest.nodes)[0]?.message).toBe('#trip one');
    expect(store.getState().session.draft).toBe('and two');
  });

  test('stands below the message that is taken back because it was stopped', async () => {
    const { actions, session, placing, store } = await placingApp();
    actions.session({ draft: 'two', target: { kind: 'new-topic' } });
    const sending = actions.send('two');
    await placing();
    actions.session({ draft: 'three' });
    actions.stop();
    await sending;
    expect(store.getState().forest.turnCount).toBe(1);
    expect(session()).toMatchObject({ draft: 'two\n\nthree', target: { kind: 'new-topic' } });
  });

  test('has its own place, chosen while the message before waited', async () => {
    const { actions, session, placing, store, letGo } = await placingApp();
    const [first] = activePath(store.getState().forest);
    actions.session({ draft: 'two' });
    const sending = actions.send('two');
    actions.session({ target: { kind: 'under', nodeId: first?.id as string } });
    await placing();
    letGo();
    await sending;
    expect(recordsOf(store.getState().forest.nodes)[1]?.decision.by).toBe('engine');
    expect(session().target).toMatchObject({ nodeId: first?.id });
  });
});

describe('by hand', () => {
  test('a correction moves the turn, is kept as a label, and is undone as one', async () => {
    const app = await plainApp();
    await app.actions.send('#trip one');
    await app.actions.send('two');
    const [first, second] = activePath(app.store.getState().forest);
    await app.actions.correct(second?.id as string, { kind: 'new-topic' });
    const moved = app.store.getState().forest.nodes[second?.id as string];
    expect(moved).toMatchObject({
      parentId: null,
      label: { engine: { parentId: first?.id }, person: { parentId: null } },
    });
    await app.actions.undo();
    expect(app.store.getState().forest.nodes[second?.id as string]).toMatchObject({ parentId: first?.id, label: null });
  });

  test('an undone message goes back to the composer, and redo takes it out again', async () => {
    const app = await plainApp();
    await app.actions.send('#trip one');
    await app.actions.undo();
    expect(app.store.getState()).toMatchObject({ forest: { turnCount: 0 }, session: { draft: '#trip one' } });
    await app.actions.redo();
    expect(app.store.getState()).toMatchObject({ forest: { turnCount: 1 }, session: { draft: '' } });
  });

  test('a message that has no place yet is taken out of the composer again, too', async () => {
    const { actions, session, placing } = await placingApp();
    void actions.send('two');
    await placing();
    await actions.undo();
    expect(session().draft).toBe('two');
    await actions.redo();
    expect(session().draft).toBe('');
  });

  test('after a turn is made active the next message goes on from there', async () => {
    const app = await plainApp();
    for (const message of ['#trip one', 'two', 'three']) await app.actions.send(message);
    const [first] = activePath(app.store.getState().forest);
    await app.actions.activate(first?.id as string);
    await app.actions.send('a fork');
    expect(activePath(app.store.getState().forest).map(({ message }) => message)).toEqual(['#trip one', 'a fork']);
  });

  test('undoing a turn ends its reply', async () => {
    const { chat } = heldChat();
    const app = await plainApp({ ...countingChat(), ...chat });
    void app.actions.send('hello');
    await until(app.store, ({ turn }) => turn?.phase === 'replying' && turn?.unsaved !== '');
    await app.actions.undo();
    await until(app.store, ({ turn }) => turn === null);
    expect(app.store.getState().forest.nodes).toEqual({});
  });

  test('a reply that redo brings back unfinished counts as interrupted, and can be continued', async () => {
    const { chat } = heldChat();
    const app = await plainApp({ ...countingChat(), ...chat });
    const replyState = () => replyOf(activePath(app.store.getState().forest).at(-1) as never)?.state;
    void app.actions.send('hello');
    await until(app.store, ({ turn }) => turn?.phase === 'replying' && turn?.unsaved !== '');
    await app.actions.undo();
    await until(app.store, ({ turn }) => turn === null);
    await app.actions.redo();
    await until(app.store, () => replyState() === 'interrupted');
  });
});

describe('a storage that fails', () => {
  test('is left for memory: the person is told, and nothing said so far is lost', async () => {
    const storage = memoryStorage();
    let broken = false;
    const append: Storage['append'] = (...args) =>
      broken ? Promise.reject(new StorageFailure('full', 'No space is left.')) : storage.append(...args);
    const app = await plainApp(countingChat(), { storage: { ...storage, append } });
    await app.actions.send('#trip one');
    broken = true;
    await app.actions.send('two');
    expect(app.store.getState().forest.turnCount).toBe(2);
    expect(app.store.getState().storage).toMatchObject({ kind: 'memory', stopped: 'full' });
    const [problem] = app.store.getState().problems;
    expect(problem).toMatchObject({ id: 'storage', action: { label: 'Export' } });
    expect(problem?.advice).toMatch(/^No space is left\. .*lost when you close this tab\.$/);
  });

  test('in between keeps what came before; where it never worked, there is none', async () => {
    const append = () => Promise.reject(new StorageFailure('closed', 'It was closed.'));
    const closed = await plainApp(countingChat(), { storage: { ...memoryStorage(), append } });
    await closed.actions.send('#trip one');
    expect(closed.store.getState().storage).toMatchObject({ kind: 'memory', stopped: 'failed' });

    const openedBy = async (failure: StorageFailure) => {
      const openStorage = async () => ({ storage: memoryStorage(), kind: 'memory' as const, failure });
      return (await plainApp(countingChat(), { openStorage })).store.getState().storage;
    };
    const blocked = new StorageFailure('blocked', 'It is not allowed.');
    expect(await openedBy(blocked)).toMatchObject({ kind: 'memory', stopped: null });
    const heldUp = new StorageFailure('held-up', 'They are still there.');
    expect(await openedBy(heldUp)).toMatchObject({ kind: 'memory', stopped: 'failed' });
  });
});

test('an unexpected failure is a problem in whole sentences; only one of the storage promises nothing about what is saved', async () => {
  const adviceAfter = async (error: Error) => {
    const { store, actions } = await plainApp(countingChat(), {
      storage: { ...memoryStorage(), rewrite: () => Promise.reject(error) },
    });
    await actions.send('#trip one');
    await actions.purgeTurns(Object.keys(store.getState().forest.nodes));
    return store.getState().problems.map(({ advice }) => advice);
  };
  expect(await adviceAfter(new Error('a mistake'))).toEqual([
    'a mistake. Everything saved so far is safe. Try again, or reload the page.',
  ]);
  expect(await adviceAfter(new StorageFailure('closed', 'It was closed.'))).toEqual(['It was closed.']);
});

describe('a failure of models that nobody shows where it happened', () => {
  test('is a problem that leads to Models', async () => {
    const { store, actions } = await plainApp();
    const failure = await actions.models.remove('x').catch((error: unknown) => error);
    actions.reportModelFailure('Deleting the model', failure);
    const [problem] = store.getState().problems;
    expect(problem).toMatchObject({ title: 'Deleting the model failed.', advice: 'There is nothing to choose here.' });
    problem?.action?.run();
    expect(store.getState().session.dialog).toBe('models');
  });

  test('is none where the person ended it', async () => {
    const { store, actions } = await plainApp();
    actions.reportModelFailure('Loading', new ModelFailure('closed', 'Cancelled.'));
    expect(store.getState().problems).toEqual([]);
  });
});
