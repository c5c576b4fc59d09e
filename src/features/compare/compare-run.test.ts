import { expect, test } from 'vitest';
import { plainApp } from '../../app/testing/plain-app.ts';
import type { Node } from '../../domain/forest.ts';
import { recordsOf } from '../../domain/table.ts';
import type { PolicyContext } from '../../engine/history/past-contexts.ts';
import { bagEmbedder, countingChat, gate, plainModels } from '../../engine/testing/plain-models.ts';
import { memoryStorage } from '../../storage/memory-storage.ts';
import { type CompareRun, createCompareRun } from './compare-run.ts';
import { fallbacksIn, turnComparisons } from './turn-comparisons.ts';

const { count: countingWords } = countingChat().tokens;

/** An app with some turns, and its comparison open. */
const looking = async (messages: readonly string[], refused = { text: '' }, storage = memoryStorage()) => {
  const embed = {
    ...bagEmbedder,
    embed: async (texts: readonly string[]) => {
      if (refused.text !== '' && texts.some((text) => text.includes(refused.text)))
        throw new Error('the embedder is gone');
      return bagEmbedder.embed(texts);
    },
  };
  const models = { now: plainModels({ embed }) };
  /** How often turns were placed again. */
  const placed = { times: 0 };
  const rerunDeciders = async () => {
    placed.times += 1;
    const { decide } = models.now;
    return { taught: async () => decide, paperRule: decide, oneThreshold: decide };
  };
  const app = await plainApp(countingChat(), { models: () => models.now, storage, rerunDeciders });
  for (const message of messages) await app.actions.send(message);
  const run = await app.part(createCompareRun);
  const leave = run.look();
  const rows = () => turnComparisons(app.store.getState().forest, run.store.getState().known);
  return { ...app, run, leave, rows, models, refused, placed };
};

const settled = (run: CompareRun) =>
  expect.poll(() => [run.store.getState().running, run.store.getState().missing]).toEqual([false, 0]);

test('every turn is compared under all policies chosen and the whole history, by itself', async () => {
  const { run, rows } = await looking(['#a red apples', '#b green cars', '#a blue boats']);
  await settled(run);
  expect(rows().map(({ number }) => number)).toEqual([1, 2, 3]);
  for (const { by } of rows()) {
    expect(Object.keys(by).sort()).toEqual(['context-agent', 'focused', 'full-history', 'memtree']);
  }
  expect(rows().map(({ sent }) => sent)).toEqual(['focused', 'focused', 'focused']);
  expect(rows()[2]?.by.memtree?.calls).toBeGreaterThan(0);
  expect(rows()[2]?.by['full-history']).toMatchObject({ calls: 0, read: 0, ms: 0 });
});

test('nothing was sent for a reply that came with its dialogue, which no later look reads its context for', async () => {
  const models = plainModels();
  const app = await plainApp(countingChat(), { models: () => models });
  await app.actions.replay({ title: 'Fruit', turns: [{ message: '#a red apples', reply: 'Fine.' }] });
  await app.actions.send('#b green cars');
  const run = await app.part(createCompareRun);
  run.look();
  await settled(run);
  const { forest } = app.store.getState();
  const unread = (node: Node): Node => Object.create(node, { replies: { get: () => expect.fail('it was read') } });
  const nodes = Object.fromEntries(recordsOf(forest.nodes).map((node) => [node.id, unread(node)]));
  const rows = turnComparisons({ ...forest, nodes }, run.store.getState().known);
  expect(rows.map(({ sent }) => sent)).toEqual([null, 'focused']);
});

test('a turn that comes later is compared without those before being made anew', async () => {
  const { run, actions } = await looking(['#a one apple', '#a two apples']);
  await settled(run);
  const before = new Map(run.store.getState().known);
  expect(before.size).toBe(2);
  await actions.send('#b three cars');
  await expect.poll(() => run.store.getState().known.size).toBe(3);
  await settled(run);
  for (const [nodeId, turn] of before) expect(run.store.getState().known.get(nodeId)).toBe(turn);
});

test('a policy that is chosen later is added, and what was known of the others is kept', async () => {
  const { run, rows } = await looking(['#a one apple', '#b two cars']);
  await settled(run);
  const before = rows()[1]?.by;
  run.choose(['truncation', 'thread-memory']);
  await settled(run);
  expect(rows()[1]?.by).toMatchObject(before ?? {});
  expect(Object.keys(rows()[1]?.by ?? {})).toEqual(expect.arrayContaining(['truncation', 'thread-memory', 'memtree']));
});

test('while nobody looks nothing is compared; what is known stays, and is gone on with', async () => {
  const { run, actions, leave, rows } = await looking(['#a one apple']);
  await settled(run);
  leave();
  await actions.send('#a two apples');
  expect(rows()).toHaveLength(1);
  run.look();
  await settled(run);
  expect(rows()).toHaveLength(2);
});

test('a memory that fails says why, the others go on, and it is tried again when asked', async () => {
  const { run, actions, rows, refused } = await looking(['#a one apple', '#a two apples']);
  await settled(run);
  refused.text = 'thunder';
  await actions.send('#a a thunder storm');
  await actions.send('#a and rain');
  await expect.poll(() => run.store.getState().failed.get('memtree')).toContain('the embedder is gone');
  await settled(run);
  expect(run.store.getState().failure).toBeNull();
  expect(rows()).toHaveLength(4);
  expect(rows()[3]?.by['context-agent']?.tokens).toBeGreaterThan(0);
  expect(rows()[3]?.by.memtree).toBeUndefined();

  refused.text = '';
  run.start();
  await settled(run);
  expect(run.store.getState().failed.size).toBe(0);
  expect(rows()[3]?.by.memtree?.tokens).toBeGreaterThan(0);
});

test('where rules stand in for a language model it says so, and does it again when asked', async () => {
  const { run, rows, models } = await looking(['#a one apple', '#b two cars', '#a three apples']);
  let fails = true;
  const write = async () => {
    if (fails) throw new Error('it is off');
    return 'Noted well.';
  };
  models.now = { ...models.now, summarise: { ...models.now.summarise, name: 'writer', write } };
  run.choose(['full-history', 'memory-stream']);
  run.start();
  await settled(run);
  const told = () => fallbacksIn(rows(), 'memory-stream').map(({ why }) => why);
  expect(told()).toEqual(['it is off']);
  expect(run.store.getState()).toMatchObject({ failure: null, retries: 0 });
  const whole = () => run.store.getState().known.get(rows()[2]?.nodeId ?? '')?.costs['full-history'];
  const before = whole();

  fails = false;
  // Without asking, what is known stays.
  run.start();
  await settled(run);
  expect(told()).toEqual(['it is off']);
  run.retry();
  await settled(run);
  expect(told()).toEqual([]);
  expect(run.store.getState().retries).toBe(1);
  expect(whole()).toBe(before);
});

test('the turns of a stored conversation are read once, not for each choice of policies', async () => {
  const { run, store } = await looking(['#a one apple', '#a two apples']);
  await settled(run);
  let read = 0;
  const counting = <T extends object>(of: T, field: keyof T): T =>
    Object.defineProperty({ ...of }, field, {
      get: () => {
        read += 1;
        return of[field];
      },
    });
  const { forest } = store.getState();
  const nodes = recordsOf(forest.nodes).map((node) =>
    counting({ ...node, decision: counting(node.decision, 'trace') }, 'replyId'),
  );
  store.setState({ forest: { ...forest, nodes: Object.fromEntries(nodes.map((node) => [node.id, node])) } });
  run.choose(['context-agent', 'full-history']);
  expect(read).toBeGreaterThan(0);
  read = 0;
  run.choose(['focused', 'full-history']);
  expect(run.store.getState()).toMatchObject({ running: false, missing: 0, anew: [] });
  expect(read).toBe(0);
});

test('a reply that comes in piece by piece has the turns gone through when it begins and ends, not for each piece', async () => {
  const { run, store } = await looking(['#a one apple']);
  await settled(run);
  const { forest } = store.getState();
  let passes = 0;
  const counted = {
    ...forest,
    get nodes() {
      passes += 1;
      return forest.nodes;
    },
  };
  const turn = { nodeId: forest.active?.nodeId ?? '', phase: 'replying', replyId: null } as const;
  store.setState({ forest: counted, turn: { ...turn, unsaved: '' } });
  expect(passes).toBeGreaterThan(0);
  passes = 0;
  for (const unsaved of ['So', 'So it', 'So it is.']) store.setState({ turn: { ...turn, unsaved } });
  expect(passes).toBe(0);
  store.setState({ turn: null });
  expect(passes).toBeGreaterThan(0);
});

test('stopped, it waits to be asked, and new turns do not set it going', async () => {
  const { run, actions, rows } = await looking(['#a one apple']);
  await settled(run);
  run.stop();
  await actions.send('#a two apples');
  await expect.poll(() => run.store.getState().missing).toBe(1);
  expect(run.store.getState()).toMatchObject({ running: false, stopped: true });
  run.start();
  await settled(run);
  expect(rows()).toHaveLength(2);
});

const unwatched = { onContext: () => undefined, onTaken: () => undefined, onFailed: () => undefined };

test('more turns than a matter of seconds wait to be asked for, also to be placed anew', async () => {
  const { run, rows, store, actions, placed } = await looking(
    Array.from({ length: 301 }, (_, at) => `#a number ${at}`),
  );
  await expect.poll(() => run.store.getState().missing).toBe(301);
  expect(run.store.getState().running).toBe(false);
  run.choose(['full-history', 'truncation']);
  expect(run.store.getState().running).toBe(false);
  run.start();
  await settled(run);
  expect(rows()).toHaveLength(301);

  run.choose(['full-history', 'context-agent-code']);
  const { nodes } = store.getState().forest;
  const last = recordsOf(nodes).at(-1)?.id ?? '';
  await run.contextsFor(last, ['full-history', 'context-agent-code'], unwatched, new AbortController().signal);
  expect(run.store.getState()).toMatchObject({ running: false, missing: 301, anew: ['context-agent-code'] });
  expect(placed.times).toBe(0);
  run.start();
  await settled(run);
  expect(placed.times).toBe(1);
  // A single turn more would have all of them placed again.
  await actions.send('#a one more');
  expect(run.store.getState()).toMatchObject({ running: false, missing: 1 });
  expect(placed.times).toBe(1);
});

test('turns are placed anew once, however many want to see them, with how far that is', async () => {
  const { run, rows, placed } = await looking(['#a red apples', '#b green cars', '#a blue boats']);
  await settled(run);
  const far: string[] = [];
  const leave = run.store.subscribe(({ placing }) => {
    const told = placing === null ? '' : `${placing.policy} ${placing.turns}/${placing.of}`;
    if (told !== '' && far.at(-1) !== told) far.push(told);
  });
  run.choose(['full-history', 'context-agent-code']);
  const seeing = run.contextsFor(
    rows()[2]?.nodeId ?? '',
    ['full-history', 'context-agent-code'],
    unwatched,
    new AbortController().signal,
  );
  await settled(run);
  await seeing;
  leave();
  expect(placed.times).toBe(1);
  expect(far[0]).toMatch(/^context-agent-code \d\/3$/);
  expect(run.store.getState().placing).toBeNull();
});

test('another reply, other models, purged words and another conversation make anew what they change', async () => {
  const { run, actions, rows, models, store } = await looking(['#a one apple', '#b two cars']);
  await settled(run);
  const [first, second] = rows();
  const known = () => run.store.getState().known;
  const before = known().get(first?.nodeId ?? '');
  await actions.regenerate(second?.nodeId ?? '');
  await settled(run);
  expect(known().get(first?.nodeId ?? '')).toBe(before);
  expect(known().get(second?.nodeId ?? '')?.replyId).toBe(store.getState().forest.nodes[second?.nodeId ?? '']?.replyId);

  models.now = { ...models.now, embed: { ...bagEmbedder, name: 'another bag' } };
  await actions.send('#b three cars');
  await settled(run);
  expect(run.store.getState().madeBy.embed).toBe('another bag');
  expect(known().get(first?.nodeId ?? '')).not.toBe(before);
  expect(rows()).toHaveLength(3);

  const again = known().get(second?.nodeId ?? '');
  await actions.purgeTurns([first?.nodeId ?? '']);
  await settled(run);
  expect(known().get(second?.nodeId ?? '')).not.toBe(again);

  await actions.newConversation();
  await expect.poll(() => known().size).toBe(0);
});

test('turns that are sorted into topics are compared anew, and again once that is undone', async () => {
  const { run, actions, part } = await looking(['#a one apple', 'two apples']);
  await settled(run);
  const { commit, store } = await part((kernel) => kernel);
  const known = () => run.store.getState().known.get(nodeId);
  const [, { id: nodeId } = { id: '' }] = recordsOf(store.getState().forest.nodes);
  const before = known();
  const fresh = { treeId: 'tree', branchId: 'branch' };
  await commit({
    type: 'arrange',
    turns: [{ nodeId, parentId: null, fresh, decision: null, title: 'Two' }],
    step: 's',
  });
  await settled(run);
  const sorted = known();
  expect(sorted).not.toBe(before);
  await actions.undo();
  await settled(run);
  expect(known()).not.toBe(sorted);
});

test('once asked for, it stops where another conversation is opened, says so, and starts no other', async () => {
  const { run, actions, leave, store } = await looking(['#a one apple', '#b two cars']);
  await settled(run);
  run.choose(['full-history', 'truncation']);
  run.start();
  leave();
  expect(run.store.getState().running).toBe(true);
  await actions.newConversation();
  expect(store.getState().notice?.text).toContain('another conversation was opened');
  expect(run.store.getState()).toMatchObject({ running: false, conversationId: store.getState().conversationId });
  await actions.send('#a three apples');
  expect(run.store.getState()).toMatchObject({ running: false, missing: 0 });
  expect(run.store.getState().known.size).toBe(0);
});

test('asked for with nothing missing, it does not end early when another conversation is opened', async () => {
  const { run, actions, store } = await looking(['#a one apple']);
  await settled(run);
  run.start();
  await actions.newConversation();
  expect(store.getState().notice).toBeNull();
});

test('a comparison that was asked for and fails with nobody looking says so', async () => {
  const { run, leave, models, store, actions } = await looking(['#a one apple']);
  await settled(run);
  leave();
  const { conversationId } = store.getState();
  const count = () => Promise.reject(new Error('the tokenizer is gone'));
  models.now = { ...models.now, chat: { ...models.now.chat, tokens: { name: 'gone', count } } };
  run.start();
  await expect.poll(() => store.getState().notice?.text).toBe('The comparison failed.');
  expect(run.store.getState()).toMatchObject({ running: false, failure: 'the tokenizer is gone' });
  // What it came to belongs to this conversation.
  await actions.newConversation();
  store.getState().notice?.action?.run();
  await expect.poll(() => store.getState().session.dialog).toBe('compare');
  expect(store.getState().conversationId).toBe(conversationId);
});

test('a comparison that was done unseen is still there when it is shown', async () => {
  const inMemory = memoryStorage();
  // As in IndexedDB, what is read is a copy.
  const copying = { ...inMemory, open: async (id: string) => structuredClone(await inMemory.open(id)) };
  const { run, leave, store, actions } = await looking(['#a one apple', '#b two cars'], undefined, copying);
  await settled(run);
  run.choose(['context-agent', 'truncation']);
  run.start();
  leave();
  await expect.poll(() => store.getState().notice?.text).toBe('The comparison is done.');
  const show = store.getState().notice?.action?.run;
  const { conversationId } = store.getState();
  const { known } = run.store.getState();
  expect(known.size).toBe(2);
  await actions.newConversation();
  show?.();
  await expect.poll(() => store.getState().session.dialog).toBe('compare');
  expect(store.getState().conversationId).toBe(conversationId);
  const close = run.look();
  await settled(run);
  expect(run.store.getState().known).toBe(known);
  close();
});

test('a comparison of a conversation that is being replayed is shown without ending the replay', async () => {
  const { actions, store, part } = await plainApp();
  const turns = ['#a one apple', '#b two cars'].map((message) => ({ message, reply: 'So it is.' }));
  await actions.replay({ title: 'A dialogue', turns }, { running: false });
  await actions.stepReplay();
  const run = await part(createCompareRun);
  run.start();
  await expect.poll(() => store.getState().notice?.text).toBe('The comparison is done.');
  store.getState().notice?.action?.run();
  await expect.poll(() => store.getState().session.dialog).toBe('compare');
  expect(store.getState().replay?.played).toBe(1);
});

test('times from the log stay so, even if the conversation grows while it is compared', async () => {
  let clock = 0;
  const held = { by: Promise.resolve() };
  const count: typeof countingWords = async (texts) => {
    await held.by;
    return countingWords(texts);
  };
  const models = plainModels({ chat: { ...countingChat(), tokens: { name: 'held', count } } });
  const app = await plainApp(models.chat, { models: () => models, elapsed: () => clock++ });
  for (const message of ['#a red apples', '#b green cars']) await app.actions.send(message);
  const { open, opened } = gate();
  held.by = opened;
  const run = await app.part(createCompareRun);
  run.choose(['context-agent', 'full-history']);
  run.look();
  expect(run.store.getState().running).toBe(true);
  const sending = app.actions.send('#a blue boats');
  await expect.poll(() => app.store.getState().turn?.nodeId).toBeDefined();
  open();
  await sending;
  await settled(run);
  const rows = turnComparisons(app.store.getState().forest, run.store.getState().known);
  expect(rows[1]?.by['context-agent']?.logged).toBeGreaterThan(0);
  expect(rows[1]?.by['context-agent']?.ms).toBe(0);
});

test('other deciders, and whether lessons count, make anew what was compared', async () => {
  const { run, actions, models } = await looking(['#a one apple']);
  const known = () => [...run.store.getState().known.values()][0];
  await settled(run);
  const first = known();
  models.now = { ...models.now, decide: { ...models.now.decide, name: 'another decider' } };
  await actions.send('#b two cars');
  await settled(run);
  const second = known();
  expect(second).not.toBe(first);
  await actions.letLearn(false);
  await settled(run);
  expect(known()).not.toBe(second);
});

test('where turns are placed anew, no time counts as measured now that summarising took then', async () => {
  let clock = 0;
  const models = plainModels();
  const summarise = {
    ...models.summarise,
    summarise: async (...turn: Parameters<typeof models.summarise.summarise>) => {
      clock += 5_000;
      return models.summarise.summarise(...turn);
    },
  };
  const deciders = { taught: async () => models.decide, paperRule: models.decide, oneThreshold: models.decide };
  const app = await plainApp(countingChat(), {
    models: () => ({ ...models, summarise }),
    rerunDeciders: async () => deciders,
    elapsed: () => clock++,
  });
  for (const message of ['#a red apples', '#b green cars', '#a blue boats']) await app.actions.send(message);
  const run = await app.part(createCompareRun);
  run.choose(['context-agent', 'context-agent-code']);
  run.look();
  await settled(run);
  const [, , third] = turnComparisons(app.store.getState().forest, run.store.getState().known);
  expect(third?.by['context-agent']?.logged).toBeGreaterThan(5_000);
  expect(third?.by['context-agent-code']?.ms).toBeGreaterThan(0);
  expect(third?.by['context-agent-code']?.ms).toBeLessThan(5_000);
});

test('turns are placed anew up to the last, even while an earlier one is answered again', async () => {
  const { open, opened } = gate();
  const held = { by: Promise.resolve() };
  const chat = countingChat();
  chat.reply = async function* () {
    yield 'So ';
    await held.by;
    yield 'it is.';
  };
  const models = plainModels({ chat });
  const deciders = { taught: async () => models.decide, paperRule: models.decide, oneThreshold: models.decide };
  const app = await plainApp(chat, { models: () => models, rerunDeciders: async () => deciders });
  for (const message of ['#a red apples', '#b green cars', '#a blue boats']) await app.actions.send(message);
  held.by = opened;
  const [first] = recordsOf(app.store.getState().forest.nodes);
  const answering = app.actions.regenerate(first?.id ?? '');
  await expect.poll(() => app.store.getState().turn?.unsaved).toBe('So ');
  const run = await app.part(createCompareRun);
  run.choose(['context-agent', 'context-agent-code']);
  run.look();
  await settled(run);
  open();
  await answering;
  await settled(run);
  const rows = turnComparisons(app.store.getState().forest, run.store.getState().known);
  expect(rows.map(({ by }) => Object.keys(by).length)).toEqual([3, 3, 3]);
});

test('for a policy that places turns by another rule they are placed anew, and nothing of that was sent', async () => {
  const models = plainModels();
  const deciders = { taught: async () => models.decide, paperRule: models.decide, oneThreshold: models.decide };
  const app = await plainApp(countingChat(), {
    models: () => models,
    rerunDeciders: async () => deciders,
  });
  for (const message of ['#a red apples', '#b green cars', '#a blue boats']) await app.actions.send(message);
  const run = await app.part(createCompareRun);
  run.look();
  await settled(run);
  expect(run.store.getState().anew).toEqual([]);
  const before = app.store.getState().entries;
  run.choose(['context-agent', 'context-agent-code']);
  await settled(run);
  expect(run.store.getState().anew).toEqual(['context-agent-code']);
  const rows = turnComparisons(app.store.getState().forest, run.store.getState().known);
  expect(rows.map(({ sent }) => sent)).toEqual(Array(3).fill('focused'));
  expect(rows.every(({ by }) => (by['context-agent-code']?.tokens ?? 0) > 0)).toBe(true);
  expect(app.store.getState().entries).toBe(before);
  // In two passes at once, each turn is reported twice.
  run.choose(['full-history', 'context-agent-without-rag', 'truncation', 'memgpt']);
  await settled(run);
  for (const { by } of turnComparisons(app.store.getState().forest, run.store.getState().known)) {
    expect(Object.keys(by)).toEqual(expect.arrayContaining(['context-agent-without-rag', 'truncation', 'memgpt']));
  }

  const told: string[] = [];
  const watch = {
    onContext: ({ policy, forest }: PolicyContext) =>
      told.push(`${policy} ${recordsOf(forest.nodes).every(({ decision }) => decision.trace?.policy === policy)}`),
    onTaken: () => undefined,
    onFailed: () => undefined,
  };
  const last = rows[2]?.nodeId ?? '';
  await run.contextsFor(last, ['context-agent', 'context-agent-code'], watch, new AbortController().signal);
  // focused places turns like context-agent, so they stay as they are.
  expect(told).toEqual(['context-agent false', 'context-agent-code true']);
});
