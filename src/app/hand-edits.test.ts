import { describe, expect, test, vi } from 'vitest';
import type { Node } from '../domain/forest.ts';
import { violations } from '../domain/invariants.ts';
import { childrenOf, nodeOf, pendingTurn, treesOf } from '../domain/queries.ts';
import { messageNotShown } from '../domain/scrub.ts';
import { idsOf, recordsOf, sizeOf } from '../domain/table.ts';
import type { ChatModel, Summariser } from '../engine/ports.ts';
import { countingChat, firstWords, gate, heldDecider, plainModels } from '../engine/testing/plain-models.ts';
import { memoryStorage } from '../storage/memory-storage.ts';
import { plainApp, until } from './testing/plain-app.ts';

const conversation = async (...messages: string[]) => conversationWith(firstWords, ...messages);

const conversationWith = async (summarise: Summariser, ...messages: string[]) => {
  const models = plainModels({ summarise });
  const app = await plainApp(countingChat(), { models: () => models });
  for (const message of messages) await app.actions.send(message);
  const forest = () => app.store.getState().forest;
  const idOf = (message: string) => recordsOf(forest().nodes).find((node) => node.message === message)?.id ?? '';
  const notice = () => app.store.getState().notice?.text;
  return { ...app, forest, idOf, notice, everything: () => JSON.stringify(app.store.getState().entries) };
};

describe('several turns', () => {
  test('move as one step of undo, those under another of them along with it, and each is a label', async () => {
    const app = await conversation('#trip one', 'two', 'three', '#code four');
    const moving = [app.idOf('two'), app.idOf('three'), app.idOf('#trip one')];
    await app.actions.moveTurns(moving, { kind: 'under', nodeId: app.idOf('#code four') });
    expect(treesOf(app.forest())).toHaveLength(1);
    expect(nodeOf(app.forest(), app.idOf('three')).parentId).toBe(app.idOf('two'));
    expect(nodeOf(app.forest(), app.idOf('#trip one')).label?.person.parentId).toBe(app.idOf('#code four'));
    await app.actions.undo();
    expect(treesOf(app.forest())).toHaveLength(2);
    expect(violations(app.forest())).toEqual([]);
  });

  test('to topics of their own take one step, too', async () => {
    const app = await conversation('#trip one', 'two', 'three');
    await app.actions.moveTurns([app.idOf('two'), app.idOf('three')], { kind: 'new-topic' });
    expect(app.notice()).toBe('Turn 2 moved to a topic of its own.');
    // Three is below two, so it moves along.
    expect(treesOf(app.forest())).toHaveLength(2);
    await app.actions.undo();
    expect(treesOf(app.forest())).toHaveLength(1);
  });

  test('move before a message that is sent meanwhile, and only those that moved are told of', async () => {
    const app = await conversation('#trip one', 'two', '#code three', 'four');
    const moving = app.actions.moveTurns([app.idOf('two'), app.idOf('four')], { kind: 'new-topic' });
    await app.actions.send('five');
    await moving;
    expect(treesOf(app.forest())).toHaveLength(4);
    await app.actions.moveTurns([app.idOf('two'), app.idOf('four')], { kind: 'under', nodeId: app.idOf('#trip one') });
    expect(app.notice()).toBe('2 turns moved under turn 1.');
    await app.actions.moveTurns([app.idOf('two'), app.idOf('four')], { kind: 'new-topic' });
    expect(app.notice()).toBe('2 turns moved to topics of their own.');
    await app.actions.moveTurns([app.idOf('five'), app.idOf('two')], { kind: 'new-topic' });
    expect(app.notice()).toBe('Turn 5 moved to a topic of its own.');
  });

  test('are hidden, deleted and brought back together', async () => {
    const app = await conversation('#trip one', 'two', 'three');
    await app.actions.hideTurns([app.idOf('two'), app.idOf('three')], true);
    expect(app.forest().hiddenCount).toBe(2);
    await app.actions.deleteTurns([app.idOf('two')], false);
    expect(idsOf(app.forest().nodes)).toHaveLength(1);
    expect(app.notice()).toContain('2 turns deleted.');
    await app.actions.undo();
    await app.actions.undo();
    expect(app.forest().hiddenCount).toBe(0);
    expect(idsOf(app.forest().nodes)).toHaveLength(3);
  });
});

test.each([
  ['that the conversation is in', ['#trip one', 'two', 'three']],
  ['that is not active', ['#trip one', 'two', 'three', '#code four']],
])('a branch of a topic %s ends where a message that returns goes on', async (_, messages) => {
  const app = await conversation(...messages);
  const [one, three] = [app.idOf('#trip one'), app.idOf('three')];
  const { active } = app.forest();
  await app.actions.endBranch(one);
  expect(app.notice()).toBe('The branch ends at turn 1: 2 turns hidden.');
  expect(app.forest().active?.nodeId).toBe(active?.nodeId === three ? one : active?.nodeId);
  await app.actions.send('#trip back');
  expect(nodeOf(app.forest(), app.idOf('#trip back')).parentId).toBe(one);
  await app.actions.undo();
  await app.actions.undo();
  expect(app.forest().hiddenCount).toBe(0);
  expect(app.forest().active).toEqual(active);
  expect(app.forest().trees[nodeOf(app.forest(), one).treeId]?.activeId).toBe(three);
});

test('what a move would do is told without doing it', async () => {
  const app = await conversation('#trip one', 'two', '#code three');
  const before = app.forest();
  const preview = await app.actions.previewMove([app.idOf('#code three')], {
    kind: 'under',
    nodeId: app.idOf('two'),
  });
  expect(preview).toMatchObject({ refusal: null, entering: [app.idOf('#trip one'), app.idOf('two')], leaving: [] });
  await vi.waitFor(() => expect(app.store.getState().nextTokens).toBe(preview.tokensBefore));
  expect(preview.tokensAfter).not.toBe(preview.tokensBefore);
  const refused = await app.actions.previewMove([app.idOf('#trip one')], { kind: 'under', nodeId: app.idOf('two') });
  expect(refused.refusal).toContain('descendants');
  expect(app.forest()).toBe(before);
});

test('a turn taken out leaves its children in its place', async () => {
  const app = await conversation('#trip one', 'two', 'three');
  await app.actions.extractTurn(app.idOf('two'));
  expect(childrenOf(app.forest(), app.idOf('#trip one'))).toEqual([app.idOf('three')]);
  expect(treesOf(app.forest())).toHaveLength(2);
  await app.actions.extractTurn(app.idOf('two'));
  expect(app.notice()).toBe('It is already there.');
});

test('a topic whose first turn was taken out or deleted alone is titled by what remains', async () => {
  const title: Summariser['title'] = async ({ message }) => `About ${message}`;
  const app = await conversationWith({ ...firstWords, title }, '#trip one', 'two', 'three');
  const titles = () => treesOf(app.forest()).map((tree) => tree.title);
  await app.actions.extractTurn(app.idOf('#trip one'));
  expect(titles()).toEqual(['About two', 'About #trip one']);
  await app.actions.deleteTurns([app.idOf('two')], true);
  expect(titles()).toEqual(['About three', 'About #trip one']);
  await app.actions.undo();
  await app.actions.undo();
  expect(titles()).toEqual(['About #trip one']);
});

test('a turn undone while it was being summarised is summarised once it is back', async () => {
  const [isSummarising, summarised] = [gate(), gate()];
  const summarise: Summariser['summarise'] = async ({ message }) => {
    isSummarising.open();
    await summarised.opened;
    return `It is ${message}.`;
  };
  const app = await conversationWith({ ...firstWords, summarise });
  const sending = app.actions.send('#trip one');
  await isSummarising.opened;
  await app.actions.undo();
  summarised.open();
  await sending;
  await app.actions.redo();
  expect(nodeOf(app.forest(), app.idOf('#trip one')).summary?.text).toBe('It is #trip one.');
});

test.each(['undo', 'pinTurn'] as const)(
  'a title that is ready while %s is being stored joins no step that is over, and nothing that can be redone is lost',
  async (edit) => {
    const stored = memoryStorage();
    const [isTitling, titled, isStoring, goOn] = [gate(), gate(), gate(), gate()];
    let holds = false;
    const append: typeof stored.append = async (...args) => {
      if (holds) {
        isStoring.open();
        await goOn.opened;
      }
      return stored.append(...args);
    };
    const title: Summariser['title'] = async ({ message, second }) => {
      if (second === undefined) return message;
      isTitling.open();
      await titled.opened;
      return `${message} and ${second.message}`;
    };
    const models = plainModels({ summarise: { ...firstWords, title } });
    const { store, actions } = await plainApp(countingChat(), { storage: { ...stored, append }, models: () => models });
    await actions.send('#trip one');
    const [first = ''] = idsOf(store.getState().forest.nodes);
    const sending = actions.send('two');
    await isTitling.opened;
    holds = true;
    const edited = edit === 'undo' ? actions.undo() : actions.pinTurn(first, true);
    await isStoring.opened;
    titled.open();
    // The title is on its way by then.
    await new Promise((resolve) => setTimeout(resolve));
    goOn.open();
    await Promise.all([sending, edited]);
    const titleNow = () => treesOf(store.getState().forest)[0]?.title;
    expect(titleNow()).toBe(edit === 'undo' ? '#trip one' : '#trip one and two');
    await actions[edit === 'undo' ? 'redo' : 'undo']();
    expect(sizeOf(store.getState().forest.nodes)).toBe(2);
    expect(store.getState().forest.history.past.map(({ type }) => type)).toEqual(['message-sent', 'message-sent']);
  },
);

test('a summary stays as the person wrote it until they ask for another', async () => {
  const app = await conversation('#trip one');
  const id = app.idOf('#trip one');
  await app.actions.rewordSummary(id, 'Japan is off.');
  await app.actions.regenerate(id);
  expect(nodeOf(app.forest(), id).summary).toMatchObject({ text: 'Japan is off.', by: 'person' });
  await app.actions.rewordSummary(id, '');
  expect(nodeOf(app.forest(), id).summary?.by).toBe('first words');
});

test('a new summary that is ready while a message is being placed is not saved, and the notice says so', async () => {
  const { decide, letGo } = heldDecider();
  const { store, actions } = await plainApp(countingChat(), { models: () => plainModels({ decide }) });
  await actions.send('#trip one');
  const { id } = recordsOf(store.getState().forest.nodes)[0] as Node;
  await actions.rewordSummary(id, 'Mine.');
  const sending = actions.send('two');
  await until(store, ({ forest }) => pendingTurn(forest) !== null);
  expect(await actions.rewordSummary(id, '')).toBe(false);
  expect(store.getState().notice?.text).toBe('A message is still being placed. Try again in a moment.');
  expect(nodeOf(store.getState().forest, id).summary?.text).toBe('Mine.');
  letGo();
  await sending;
});

test('a reply is not chosen while a message is being placed, and the notice says so', async () => {
  const { decide, letGo } = heldDecider();
  const { store, actions } = await plainApp(countingChat(), { models: () => plainModels({ decide }) });
  await actions.send('#trip one');
  const first = () => recordsOf(store.getState().forest.nodes)[0] as Node;
  await actions.regenerate(first().id);
  const [older, newer] = first().replies;
  const sending = actions.send('two');
  await until(store, ({ forest }) => pendingTurn(forest) !== null);
  await actions.chooseReply(first().id, older?.id ?? '');
  expect(first().replyId).toBe(newer?.id);
  expect(store.getState().notice?.text).toBe('A message is still being placed. Try again in a moment.');
  letGo();
  await sending;
  actions.closeNotice();
  for (let twice = 0; twice < 2; twice++) await actions.chooseReply(first().id, older?.id ?? '');
  expect(first().replyId).toBe(older?.id);
  expect(store.getState().notice).toBeNull();
});

test('what is typed about a turn, a topic, a branch or the conversation is not kept while a message is being placed, which each says', async () => {
  const { decide, letGo } = heldDecider();
  const { store, actions } = await plainApp(countingChat(), { models: () => plainModels({ decide }) });
  await actions.send('#trip one');
  const first = () => recordsOf(store.getState().forest.nodes)[0] as Node;
  const { id, treeId, branchId } = first();
  const keep = () =>
    Promise.all([
      actions.noteTurn(id, 'A note.'),
      actions.rewordSummary(id, 'A summary.'),
      actions.titleTopic(treeId, 'A topic'),
      actions.titleBranch(branchId, 'A branch'),
      actions.renameConversation(store.getState().conversationId, 'A name'),
    ]);
  const sending = actions.send('two');
  await until(store, ({ forest }) => pendingTurn(forest) !== null);
  expect(await keep()).toEqual([false, false, false, false, false]);
  expect(first()).toMatchObject({ note: null });
  expect(store.getState().notice?.text).toBe('A message is still being placed. Try again in a moment.');
  letGo();
  await sending;
  expect(await keep()).toEqual([true, true, true, true, true]);
  expect(first()).toMatchObject({ note: 'A note.', summary: { text: 'A summary.' } });
});

test('a summary tells of the reply that counts: after another is chosen, undo, redo and going to a step', async () => {
  const replies = ['good', 'worse'];
  const chat = {
    ...countingChat(),
    async *reply() {
      yield replies.shift() ?? '';
    },
  };
  const summarise = { ...firstWords, summarise: async ({ reply }: { reply: string }) => `It was ${reply}.` };
  const app = await plainApp(chat, { models: () => plainModels({ chat, summarise }) });
  await app.actions.send('#trip one');
  const node = () => recordsOf(app.store.getState().forest.nodes)[0] as Node;
  await app.actions.regenerate(node().id);
  expect(node().summary?.text).toBe('It was worse.');
  await app.actions.chooseReply(node().id, node().replies[0]?.id ?? '');
  expect(node().summary?.text).toBe('It was good.');
  await app.actions.undo();
  expect(node().summary?.text).toBe('It was worse.');
  await app.actions.undo();
  expect(node().summary?.text).toBe('It was good.');
  await app.actions.redo();
  expect(node().summary?.text).toBe('It was worse.');
  await app.actions.goToStep(1);
  expect(node().summary?.text).toBe('It was good.');
  await app.actions.goToStep(3);
  await app.actions.rewordSummary(node().id, 'Mine.');
  await app.actions.chooseReply(node().id, node().replies[1]?.id ?? '');
  expect(node().summary?.text).toBe('Mine.');
});

test('a notice says in a sentence what is pinned and what is no longer', async () => {
  const app = await conversation('#trip one', 'two');
  const [one, two] = [app.idOf('#trip one'), app.idOf('two')];
  await app.actions.pinTurn(two, true);
  expect(app.notice()).toMatch(
    /^Turn 2 is pinned: .* of the context-agent policies includes it, in full if the model’s window has room\.$/,
  );
  await app.actions.pinTurns([one, two], true);
  expect(app.notice()).toMatch(/^Turn 1 is pinned: /);
  await app.actions.pinTurns([one, two], false);
  expect(app.notice()).toBe('2 turns are no longer pinned.');
});

test('what a notice offers to revert is what it tells of, or nothing', async () => {
  const app = await conversation('#trip one', 'two');
  const notice = () => app.store.getState().notice;
  await app.actions.pinTurn(app.idOf('two'), true);
  const pinned = notice();
  await app.actions.noteTurn(app.idOf('two'), 'seen');
  pinned?.action?.run();
  expect(app.notice()).toMatch(/^Something else was done since then/);
  await app.actions.undo();
  await app.actions.undo();
  const undone = notice();
  await app.actions.newConversation();
  expect(notice()).toBeNull();
  undone?.action?.run();
  expect(app.notice()).toMatch(/^Something else was done since then/);
});

describe('purging', () => {
  test('leaves no word of the turns, in the log or in what quotes them, and nothing to undo', async () => {
    const app = await conversation('#trip my secret door code is 4711', 'two', '#code three');
    await app.actions.noteTurn(app.idOf('two'), 'seen: my secret door code is 4711');
    await app.actions.purgeTurns([app.idOf('#trip my secret door code is 4711')]);
    expect(app.everything()).not.toContain('4711');
    expect(app.forest().history.past).toEqual([]);
    expect(recordsOf(app.forest().nodes).map(({ message }) => message)).toEqual(['two', '#code three']);
    expect(violations(app.forest())).toEqual([]);
    await app.actions.undo();
    expect(app.notice()).toBe('There is nothing to undo.');
  });

  test('has a topic titled anew that began with a purged turn, whoever had titled it', async () => {
    const app = await conversationWith(
      { ...firstWords, title: async ({ message }) => `About ${message}` },
      '#trip my secret door code is 4711',
      'a very long second message',
      '#code three',
      'four',
    );
    const titles = () => treesOf(app.forest()).map(({ title }) => title);
    const { treeId } = nodeOf(app.forest(), app.idOf('#code three'));
    await app.actions.titleTopic(treeId, 'My code 4712');
    await app.actions.purgeTurns([app.idOf('#trip my secret door code is 4711'), app.idOf('#code three')]);
    expect(titles()).toEqual(['About a very long second message', 'About four']);
    expect(app.everything()).not.toMatch(/471[12]/);
  });

  test('has a topic titled anew whose last turn was purged, if that might have lent it its title', async () => {
    const title: Summariser['title'] = async ({ message }) => `About ${message}`;
    const app = await conversationWith({ ...firstWords, title }, '#trip one', 'two', 'three', 'four');
    await app.actions.correct(app.idOf('two'), { kind: 'new-topic' });
    await app.actions.purgeTurns([app.idOf('four')]);
    expect(treesOf(app.forest()).map((tree) => tree.title)).toEqual(['About #trip one', 'About two']);
  });

  test('also takes turns that were deleted or undone before, if asked', async () => {
    const app = await conversation('#trip one', 'the code is 4711', '#code three', 'the door is blue');
    const ids = [app.idOf('the code is 4711'), app.idOf('the door is blue')];
    await app.actions.undo();
    await app.actions.deleteTurns([ids[0] as string], false);
    const goneIds = () =>
      app.store.getState().entries.flatMap((entry) => messageNotShown(app.forest(), entry)?.nodeId ?? []);
    expect(goneIds()).toEqual(ids);
    await app.actions.purgeTurns(ids);
    expect(app.notice()).toBe('2 deleted turns purged: the text is gone from this conversation.');
    expect(app.everything()).not.toMatch(/4711|door/);
    expect(goneIds()).toEqual([]);
    expect(recordsOf(app.forest().nodes).map(({ message }) => message)).toEqual(['#trip one', '#code three']);
  });

  test('leaves nothing of what was being written on the turns, and keeps what is being written on others', async () => {
    const app = await conversation('#trip one', 'two');
    const kept = { nodeId: app.idOf('#trip one'), what: 'note', text: 'half a thought' } as const;
    const purged = { nodeId: app.idOf('two'), what: 'summary', text: 'another' } as const;
    app.actions.session({ writing: [purged, kept] });
    await app.actions.purgeTurns([purged.nodeId]);
    expect(app.store.getState().session.writing).toEqual([kept]);
    await app.actions.newConversation();
    expect(app.store.getState().session.writing).toEqual([]);
  });

  test('stops a reply first that is being written, and takes what it quotes', async () => {
    const [begun, held] = [gate(), gate()];
    const chat: ChatModel = {
      ...countingChat(),
      async *reply({ messages }, signal) {
        if (messages.length < 3) return yield 'Noted.';
        yield 'You said: my secret door code is 4711';
        begun.open();
        await Promise.race([held.opened, new Promise((resolve) => signal.addEventListener('abort', resolve))]);
        if (!signal.aborted) yield ', and so it is.';
      },
    };
    const { store, actions } = await plainApp(chat);
    await actions.send('my secret door code is 4711');
    const [id = ''] = idsOf(store.getState().forest.nodes);
    const sent = actions.send('two');
    await begun.opened;
    await actions.purgeTurns([id]);
    held.open();
    await sent;
    const [node] = recordsOf(store.getState().forest.nodes);
    expect(node).toMatchObject({ message: 'two', replies: [{ state: 'stopped', text: 'You [purged]' }] });
    expect(JSON.stringify(store.getState().entries)).not.toContain('4711');
  });

  test('waits for the reply that another tab is writing', async () => {
    const { entries } = (await conversation('#trip one')).store.getState();
    const { store, actions } = await plainApp(countingChat(), { exclusive: async () => false });
    const end = entries.findIndex(({ event }) => event.type === 'reply-ended');
    await actions.adopt({ title: 'one', entries: entries.slice(0, end) });
    await actions.purgeTurns(idsOf(store.getState().forest.nodes));
    expect(store.getState()).toMatchObject({
      notice: { text: expect.stringMatching(/^Another tab is replying/) },
      forest: { turnCount: 1 },
    });
  });

  test('leaves the log as long as it was, and every moment of it can be seen', async () => {
    const app = await conversation('#trip one', 'two');
    const { length } = app.store.getState().entries;
    await app.actions.purgeTurns([app.idOf('two')]);
    expect(app.store.getState().entries).toHaveLength(length + 1);
    for (let count = 0; count < length; count++) {
      app.actions.travel(count);
      expect(violations(app.store.getState().past?.forest ?? app.forest())).toEqual([]);
    }
  });
});

describe('going through time', () => {
  test('to any step, and back', async () => {
    const app = await conversation('#trip one', 'two', 'three');
    const now = app.forest();
    await app.actions.goToStep(1);
    expect(recordsOf(app.forest().nodes).map(({ message }) => message)).toEqual(['#trip one']);
    await app.actions.goToStep(3);
    expect(app.forest().nodes).toEqual(now.nodes);
    await app.actions.goToStep(9);
    expect(app.notice()).toBe('There is nothing to redo.');
  });

  test('a moment that is restored takes back what came after, and can be taken back itself', async () => {
    const app = await conversation('#trip one', 'two');
    const { length } = app.store.getState().entries;
    await app.actions.send('three');
    await app.actions.restore(length);
    expect(idsOf(app.forest().nodes)).toHaveLength(2);
    app.store.getState().notice?.action?.run();
    await app.actions.announce('');
    await expect.poll(() => sizeOf(app.forest().nodes)).toBe(3);
  });

  test('a conversation begins from a moment, and the one that it comes from stays', async () => {
    const app = await conversation('#trip one', 'two');
    const { entries, conversationId } = app.store.getState();
    await app.actions.send('three');
    await app.actions.branchOff(entries.length);
    expect(app.store.getState().conversationId).not.toBe(conversationId);
    expect(recordsOf(app.forest().nodes).map(({ message }) => message)).toEqual(['#trip one', 'two']);
    await app.actions.openConversation(conversationId);
    expect(idsOf(app.forest().nodes)).toHaveLength(3);
  });
});
