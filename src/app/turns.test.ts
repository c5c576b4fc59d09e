import { describe, expect, test } from 'vitest';
import type { Node } from '../domain/forest.ts';
import { activePath, pendingTurn, replyOf } from '../domain/queries.ts';
import { recordsOf } from '../domain/table.ts';
import { Life } from '../domain/testing/random-life.ts';
import type { ChatModel, Dialogue } from '../engine/ports.ts';
import { StorageFailure } from '../engine/storage.ts';
import { countingChat, firstWords, gate, heldChat, heldDecider, plainModels } from '../engine/testing/plain-models.ts';
import { memoryStorage } from '../storage/memory-storage.ts';
import type { AppState } from './state.ts';
import { plainApp, toldOfChanges, until } from './testing/plain-app.ts';

const begun: Dialogue = { title: 'Begun', turns: [{ message: '#trip one', reply: 'given one' }] };

describe('a tab that is closed in the middle', () => {
  test.each([
    ['a reply', 'heard of'],
    ['a reply', 'found on opening'],
    ['a message', 'heard of'],
    ['a message', 'found on opening'],
  ] as const)('leaves %s that another tab takes up: %s', async (left, how) => {
    const storage = memoryStorage();
    const closed = gate();
    let isWorking = false;
    const { watchLog, hear } = toldOfChanges();
    const openAnother = () =>
      plainApp(countingChat(), {
        storage,
        watchLog,
        exclusive: async (_name, _patience, task) => {
          if (!isWorking) await task();
          return !isWorking;
        },
        whenFree: () => (isWorking ? closed.opened : Promise.resolve()),
      });
    const { chat } = heldChat();
    const models = plainModels(left === 'a reply' ? { chat } : { decide: heldDecider().decide });
    const closing = await plainApp(chat, { storage, models: () => models });
    await closing.actions.replay(begun);
    const before = how === 'heard of' ? await openAnother() : null;
    isWorking = true;
    void closing.actions.send('two');
    await until(closing.store, ({ forest }) =>
      left === 'a reply'
        ? activePath(forest).some((node) => replyOf(node)?.state === 'streaming')
        : pendingTurn(forest) !== null,
    );
    const { store } = before ?? (await openAnother());
    hear(store.getState().conversationId);
    await until(store, ({ entries }) => entries.length === closing.store.getState().entries.length);
    isWorking = false;
    closed.open();
    const state = left === 'a reply' ? 'interrupted' : 'done';
    const states = ({ forest }: AppState) => activePath(forest).map((node) => replyOf(node)?.state);
    await until(store, (now) => states(now)[1] === state);
    expect(store.getState()).toMatchObject({ problems: [], notice: null, forest: { turnCount: 2, pending: {} } });
  });
});

test('of two tabs that could take up a message left by a third, the one that comes second says nothing and waits', async () => {
  const storage = memoryStorage();
  const life = new Life();
  life.send('#trip one');
  await storage.append(life.entries, { id: 'left', title: '', turns: 0, createdAt: 0, updatedAt: 0, deletedAt: null });
  const done = gate();
  let asked = 0;
  const { store } = await plainApp(countingChat(), {
    storage,
    exclusive: async (_name, _patience, task) => {
      asked += 1;
      // The first tab has begun to place it in between.
      const isFree = asked !== 2;
      if (isFree) await task();
      return isFree;
    },
    whenFree: () => done.opened,
  });
  await until(store, ({ turn }) => asked === 2 && turn === null);
  done.open();
  await until(store, ({ forest }) => activePath(forest).length === 1);
  expect(store.getState()).toMatchObject({ problems: [], notice: null });
});

/** An app that replies, and whose summariser, once asked, does not answer until it is let go. */
const slowApp = async () => {
  const { chat, letGo: replyOn } = heldChat();
  const { open: summariseOn, opened: summarised } = gate();
  const summarise: typeof firstWords.summarise = async (...turn) => {
    await summarised;
    return firstWords.summarise(...turn);
  };
  const models = plainModels({ chat, summarise: { ...firstWords, name: 'slow', summarise } });
  const storage = memoryStorage();
  const app = await plainApp(chat, {
    storage,
    models: () => models,
    // As in a browser: a lock is not granted at once.
    exclusive: async (_name, _patience, task) => {
      await new Promise((resolve) => setTimeout(resolve));
      await task();
      return true;
    },
  });
  const first = () => recordsOf(app.store.getState().forest.nodes)[0] as Node;
  return { ...app, storage, first, replyOn, summariseOn };
};

test('a message that waits for a summary is sent once, however often Send is pressed', async () => {
  const { actions, store, replyOn, summariseOn } = await slowApp();
  replyOn();
  const first = actions.send('#trip one');
  await until(store, ({ turn }) => turn?.phase === 'summarising');
  actions.session({ draft: 'two' });
  const pressed = [actions.send('two'), actions.send('two')];
  summariseOn();
  await Promise.all([first, ...pressed]);
  expect(activePath(store.getState().forest).map(({ message }) => message)).toEqual(['#trip one', 'two']);
  expect(store.getState()).toMatchObject({ notice: null, session: { draft: '' } });
});

test('a message of a replay leaves what is selected; the person’s own message does not', async () => {
  const { actions, store } = await plainApp();
  const turns = ['#trip one', 'two', 'three'].map((message) => ({ message, reply: 'given' }));
  await actions.replay({ title: 'Three', turns }, { running: false });
  for (let i = 0; i < 2; i++) await actions.stepReplay();
  const ids = activePath(store.getState().forest).map(({ id }) => id);
  actions.selectMany(ids, ids[0] as string);
  await actions.stepReplay();
  expect(store.getState()).toMatchObject({
    forest: { turnCount: 3 },
    session: { selectedId: ids[0], selection: ids },
  });
  await actions.send('mine');
  expect(store.getState().session).toMatchObject({ selectedId: null, selection: [] });
});

describe('a conversation whose reply is being written, or summarised', () => {
  test.each(['replying', 'stopped', 'summarising'])(
    'is left at once, and summarised when it is opened again: %s',
    async (when) => {
      const { store, actions, first, replyOn, summariseOn } = await slowApp();
      const sending = actions.send('#trip one');
      const { conversationId } = store.getState();
      await until(store, ({ turn }) => turn?.phase === 'replying' && turn.unsaved !== '');
      if (when === 'stopped') actions.stop();
      if (when === 'summarising') replyOn();
      if (when !== 'replying') await until(store, ({ turn }) => turn?.phase === 'summarising');
      await actions.newConversation();
      await sending;
      expect(store.getState()).toMatchObject({ entries: [], turn: null, problems: [] });

      await actions.openConversation(conversationId);
      expect(first().summary).toBeNull();
      expect(replyOf(first())?.state).toBe(when === 'summarising' ? 'done' : 'stopped');
      summariseOn();
      await until(store, () => first().summary?.by === 'slow');
      expect(store.getState().problems).toEqual([]);
    },
  );

  test('is summarised also if it is stopped at its very end', async () => {
    const { store, actions, first, replyOn, summariseOn } = await slowApp();
    replyOn();
    const sending = actions.send('#trip one');
    await until(store, ({ turn }) => turn?.phase === 'summarising');
    actions.stop();
    summariseOn();
    await sending;
    expect(replyOf(first())?.state).toBe('done');
    expect(first().summary?.by).toBe('slow');
    expect(store.getState()).toMatchObject({ turn: null, problems: [] });
  });

  test('keeps a message that was sent when it was about to be left', async () => {
    const { store, actions, storage, replyOn } = await slowApp();
    replyOn();
    const sending = actions.send('#trip one');
    const { conversationId } = store.getState();
    await until(store, ({ turn }) => turn?.phase === 'summarising');
    actions.session({ draft: 'two' });
    await Promise.all([actions.newConversation(), actions.send('two'), sending]);
    const { conversationId: next, notice, session } = store.getState();
    expect(next).not.toBe(conversationId);
    expect(await storage.read(next)).toEqual([]);
    expect(notice?.text).toMatch(/^The message was not sent/);
    expect(session.draft).toBe('');
    await actions.openConversation(conversationId);
    expect(store.getState()).toMatchObject({ forest: { turnCount: 1 }, session: { draft: 'two' }, problems: [] });
  });

  test('keeps a message, and says why, if the other conversation cannot be opened', async () => {
    const { store, actions, storage, replyOn } = await slowApp();
    replyOn();
    const sending = actions.send('#trip one');
    await until(store, ({ turn }) => turn?.phase === 'summarising');
    actions.session({ draft: 'two' });
    Object.assign(storage, { open: () => Promise.reject(new StorageFailure('closed', 'The connection was closed.')) });
    const second = actions.send('two');
    // It waits for the summary by then.
    await new Promise((resolve) => setTimeout(resolve));
    await Promise.all([actions.openConversation('other'), second, sending]);
    expect(store.getState().notice?.text).toMatch(/not sent, since another conversation was about to be opened/);
    expect(store.getState()).toMatchObject({ forest: { turnCount: 1 }, session: { draft: 'two' } });
  });
});

describe('a turn whose reply is being prepared or written', () => {
  /** The chat model says nothing until it is stopped: loading before its second reply, or thinking. */
  const silentApp = async (when: 'loading' | 'writing') => {
    const stopped = gate();
    let turns = 0;
    const silence = (signal: AbortSignal) =>
      new Promise<void>((_, reject) =>
        signal.addEventListener('abort', () => {
          stopped.open();
          reject(signal.reason);
        }),
      );
    const chat: ChatModel = {
      ...countingChat(),
      prepare: async (signal) => {
        turns += 1;
        if (when === 'loading' && turns === 2) await silence(signal);
      },
      async *reply(_, signal) {
        yield 'half ';
        if (turns === 2) await silence(signal);
      },
    };
    const app = await plainApp(chat);
    await app.actions.send('#trip one');
    const sending = app.actions.send('two');
    await until(app.store, ({ turn }) => turn?.phase === 'replying' && (when === 'loading' || turn.unsaved !== ''));
    const [first, second] = recordsOf(app.store.getState().forest.nodes).map(({ id }) => id) as [string, string];
    return { ...app, sending, stopped, first, second };
  };
  type SilentApp = Awaited<ReturnType<typeof silentApp>>;
  const ways: Record<string, (app: SilentApp) => Promise<void>> = {
    deleted: ({ actions, second }) => actions.deleteTurns([second], false),
    'deleted with the one above': ({ actions, first }) => actions.deleteTurns([first], false),
    undone: ({ actions }) => actions.undo(),
    'left behind by History': ({ actions }) => actions.goToStep(1),
  };

  test.each(Object.keys(ways).flatMap((how) => [[how, 'loading'] as const, [how, 'writing'] as const]))(
    'and is %s has its model stopped while it is %s; the next message can be sent',
    async (how, when) => {
      const app = await silentApp(when);
      await ways[how]?.(app);
      await app.stopped.opened;
      await app.sending;
      expect(app.store.getState()).toMatchObject({ turn: null, problems: [] });
      await app.actions.send('three');
      const last = recordsOf(app.store.getState().forest.nodes).at(-1) as Node;
      expect(replyOf(last)?.state).toBe('done');
    },
  );

  test('and was asked for once more and undone has its model stopped before the first word; redo brings it back unfinished', async () => {
    const [thinking, stopped] = [gate(), gate()];
    let replies = 0;
    const chat: ChatModel = {
      ...countingChat(),
      async *reply(_, signal) {
        replies += 1;
        if (replies === 1) yield 'one';
        else {
          await new Promise((_, reject) => {
            signal.addEventListener('abort', () => {
              stopped.open();
              reject(signal.reason);
            });
            thinking.open();
          });
        }
      },
    };
    const { actions, store } = await plainApp(chat);
    await actions.send('#trip one');
    const [{ id } = { id: '' }] = recordsOf(store.getState().forest.nodes);
    const node = () => store.getState().forest.nodes[id] as Node;
    const regenerating = actions.regenerate(id);
    await thinking.opened;
    expect(node().replies).toHaveLength(2);
    await actions.undo();
    await stopped.opened;
    await regenerating;
    expect(store.getState()).toMatchObject({ turn: null, problems: [] });
    expect(node().replies.map(({ text }) => text)).toEqual(['one']);
    await actions.redo();
    await until(store, () => replyOf(node())?.state === 'interrupted');
  });

  test('and is deleted, and brought back by undo, has a reply that can be continued', async () => {
    const { actions, store, second, sending } = await silentApp('writing');
    await actions.deleteTurns([second], false);
    await actions.undo();
    await sending;
    const state = () => replyOf(store.getState().forest.nodes[second] as Node)?.state ?? '';
    await until(store, () => ['interrupted', 'stopped'].includes(state()));
  });
});
