import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { samples } from '../../app/samples.ts';
import { dialoguesIn } from '../../app/testing/conversation-files.ts';
import { plainApp } from '../../app/testing/plain-app.ts';
import type { Entry } from '../../domain/entry.ts';
import { recordsOf } from '../../domain/table.ts';
import { AS_IT_WAS } from '../../engine/history/what-if.ts';
import type { Dialogue } from '../../engine/ports.ts';
import { contentHash } from '../../engine/vectors/node-vectors.ts';
import { createEmbeddedDecider } from '../../models/embedded/embedded-decider.ts';
import { createPersonalLayer } from '../../models/embedded/personal/learner.ts';
import { modelsFromDisk } from '../../models/embedded/testing/models-from-disk.ts';
import { createWhatIfDeciders } from '../../models/embedded/what-if-deciders.ts';
import { cacheEmbeddings } from '../../models/runtimes/embedding.ts';
import { movedIn } from './sweep.ts';
import { createWhatIfRun } from './what-if-run.ts';

const models = await modelsFromDisk();
/** The shipped models, with an embedder that reads each text once: most tests play the same dialogues. */
const fromDisk: typeof models = { ...models, embed: { ...models.embed, embed: cacheEmbeddings(models.embed.embed) } };
const DATA = resolve(import.meta.dirname, '../../../../shared/data');

/** An app with the shipped models and a decider that learns. */
const realApp = async () => {
  const learner = createPersonalLayer();
  const models = { ...fromDisk, decide: createEmbeddedDecider(undefined, learner) };
  const app = await plainApp(models.chat, {
    models: () => models,
    embedded: models,
    learner,
    rerunDeciders: async () => createWhatIfDeciders(),
  });
  // Nobody is watching.
  app.store.subscribe(({ replay }) => {
    if (replay !== null && replay.pause > 0) app.actions.setReplayPause(0);
  });
  const play = (dialogue: Dialogue) => app.actions.replay(dialogue);
  return { ...app, models, play };
};

const placementsOf = (entries: readonly Entry[]) =>
  entries.flatMap(({ event }) => {
    if (event.type !== 'turn-placed') return [];
    const { trace, ...decision } = event.decision;
    return [{ ...event, decision: { ...decision, trace: trace && { ...trace, timings: [] } } }];
  });

/** Re-runs the open conversation with nothing changed; every placement must be the same, with everything that led to it. */
const expectTheSame = async (app: Awaited<ReturnType<typeof realApp>>) => {
  const { entries } = app.store.getState();
  const run = await app.part(createWhatIfRun);
  run.take(null);
  await run.run();
  const { outcome, failure } = run.store.getState();
  expect(failure).toBeNull();
  expect(outcome?.differences).toEqual([]);
  expect(outcome?.rerun.decided.size).toBe(placementsOf(entries).length);
  expect(placementsOf(outcome?.rerun.entries ?? [])).toEqual(placementsOf(entries));
  expect(app.store.getState().entries).toBe(entries);
};

describe.each(samples)('sample $id', (sample) => {
  test('with nothing changed, is placed exactly as it was', async () => {
    const app = await realApp();
    await app.play(await sample.load());
    await expectTheSame(app);
  });
});

test('a conversation in which the decider learned is placed as it was: it knows at each turn what it knew then', async () => {
  const app = await realApp();
  const [trip, code] = await Promise.all(samples.slice(0, 2).map((sample) => sample.load()));
  const turns = (dialogue: Dialogue | undefined, from: number, to: number) => dialogue?.turns.slice(from, to) ?? [];
  await app.play({ title: 'mixed', turns: turns(trip, 0, 6) });
  const send = async (dialogue: Dialogue['turns']) => {
    for (const { message } of dialogue) await app.actions.send(message);
  };
  const nodes = () => recordsOf(app.store.getState().forest.nodes);
  for (const node of nodes().slice(2, 6)) await app.actions.correct(node.id, { kind: 'new-topic' });
  await send(turns(code, 0, 4));
  await app.actions.undo();
  for (const node of nodes().slice(-2)) await app.actions.confirm(node.id);
  await send(turns(trip, 6, 12));
  expect(app.store.getState().learning.learned?.lessons).toBeGreaterThan(0);
  const taught = placementsOf(app.store.getState().entries).filter(
    ({ decision }) => decision.trace?.topic.answer?.personal ?? decision.trace?.branch.answer?.personal,
  );
  expect(taught.length).toBeGreaterThan(0);
  await expectTheSame(app);

  // What it has learned by now is untouched: the next answer is the one it would have been.
  const known = app.store.getState().learning;
  const run = await app.part(createWhatIfRun);
  run.ask({ decider: 'embedded-untaught' });
  await run.run();
  const untaught = run.store.getState().outcome?.rerun.entries ?? [];
  expect(placementsOf(untaught).every(({ decision }) => decision.trace?.topic.answer?.personal === undefined)).toBe(
    true,
  );
  expect(app.store.getState().learning).toBe(known);
});

describe.skipIf(!existsSync(DATA))('dialogues of ../shared/data (skipped where that folder is absent)', () => {
  test.each([
    ['ntm/dialogues.jsonl', 40],
    ['sgd/dialogues_013.json', 60],
    ['structflow/dialogues.json', 60],
    ['oasst/trees.jsonl', 40],
  ])('%s, every %i-th, is placed as it was', { timeout: 600_000 }, async (file, every) => {
    const all = dialoguesIn(file, readFileSync(resolve(DATA, file), 'utf8'));
    expect(all.length).toBeGreaterThan(0);
    const app = await realApp();
    for (const dialogue of all.filter((_, at) => at % every === 0)) {
      await app.play(dialogue);
      await expectTheSame(app);
    }
  });
});

describe('an outcome', () => {
  const played = async () => {
    const app = await realApp();
    await app.play((await samples[0]?.load()) as Dialogue);
    const run = await app.part(createWhatIfRun);
    run.take(null);
    run.ask({ decider: 'paper-rule', parameters: { theta: 0.3 } });
    return { ...app, run };
  };

  test('is kept as a conversation that says what it is; the original stays', async () => {
    const { store, actions, run } = await played();
    const { conversationId, entries } = store.getState();
    await run.run();
    const { outcome } = run.store.getState();
    expect(movedIn(outcome?.differences ?? [])).toBeGreaterThan(0);
    await run.keep();
    const kept = store.getState();
    expect(kept.conversationId).not.toBe(conversationId);
    // No words of a turn, which would outlive its purge.
    expect(kept.forest.title).toBe('Conversation (what if: θ 0.30, the paper’s rule)');
    expect(kept.conversations.map(({ title }) => title)).toContain(kept.forest.title);
    expect(kept.entries.slice(0, -1)).toEqual(outcome?.rerun.entries);
    await actions.openConversation(conversationId);
    expect(store.getState().entries).toEqual(entries);
    // Another conversation starts a new question.
    run.take(null);
    expect(run.store.getState()).toMatchObject({ outcome: null, question: AS_IT_WAS });

    await actions.renameConversation(conversationId, 'Flats');
    run.refresh();
    await run.run();
    await run.keep();
    expect(store.getState().forest.title).toBe('Flats (what if: nothing)');
  });

  test('is not kept once turns were purged, and neither is a sweep or what is still running', async () => {
    const { store, actions, run } = await played();
    const [first, second] = recordsOf(store.getState().forest.nodes).map(({ id }) => id);
    await run.run();
    await actions.purgeTurns([first ?? '']);
    const { conversationId, entries } = store.getState();
    await run.keep();
    expect(store.getState()).toMatchObject({ conversationId, entries });
    expect(store.getState().notice?.text).toContain('purged');
    expect(run.store.getState()).toMatchObject({ outcome: null, origin: { entries } });

    await run.run();
    const stop = run.store.subscribe(({ swept }) => {
      if (swept?.points.length === 1) run.cancel();
    });
    await run.sweep();
    stop();
    const running = run.run();
    await actions.purgeTurns([second ?? '']);
    run.take(null);
    await running;
    expect(run.store.getState()).toMatchObject({ outcome: null, swept: null, task: null });
    expect(run.store.getState().origin.entries).toBe(store.getState().entries);
  });

  test('stores no vectors of what is purged, or of a conversation that is left, while it is computed', async () => {
    const { store, actions, run, models, part } = await played();
    const { storage } = await part(async (kernel) => kernel);
    const { conversationId } = store.getState();
    const { embed } = models;
    /** Runs it again with an embedder of its own; `then` is done while the third message is embedded. Returns which messages have their vector. */
    const runWith = async (name: string, then: () => Promise<unknown> = async () => undefined) => {
      let embedded = 0;
      const embedOne: typeof embed.embed = async (texts, signal) => {
        if (++embedded === 3) await then();
        return embed.embed(texts, signal);
      };
      models.embed = { ...embed, name, embed: embedOne };
      await run.run();
      expect(run.store.getState().failure).toBeNull();
      const { entries } = run.store.getState().origin;
      const said = entries.flatMap(({ event }) => (event.type === 'message-sent' ? [event.message] : []));
      const found = await storage.readVectors(name, said.map(contentHash));
      return found.map((vector) => vector !== undefined);
    };
    const [first, second] = await runWith('one');
    expect([first, second]).toEqual([true, true]);
    const ids = recordsOf(store.getState().forest.nodes).map(({ id }) => id);
    expect((await runWith('two', () => actions.purgeTurns([ids[1] ?? ''])))[1]).toBe(false);
    // From the log without its words, those of the others are stored again.
    run.refresh();
    expect((await runWith('three'))[0]).toBe(true);
    const left = await runWith('four', async () => {
      await actions.deleteConversation(conversationId);
      await actions.removeConversations([conversationId]);
    });
    expect(left.slice(2)).not.toContain(true);
  });

  test('that came while another conversation was open is shown with its own', async () => {
    const { store, actions, run } = await played();
    const { conversationId } = store.getState();
    const running = run.run();
    await actions.newConversation();
    await running;
    const { outcome } = run.store.getState();
    expect(outcome).not.toBeNull();
    store.getState().notice?.action?.run();
    await expect.poll(() => store.getState().session.dialog).toBe('what-if');
    expect(store.getState().conversationId).toBe(conversationId);
    run.take(null);
    expect(run.store.getState().outcome).toBe(outcome);

    // Where What if is opened for another one, a re-run ends and says so.
    const again = run.run();
    await actions.newConversation();
    run.take(null);
    await again;
    expect(store.getState().notice?.text).toContain('was cancelled');
    expect(run.store.getState()).toMatchObject({ outcome: null, task: null });
  });

  test('that cannot be stored can be kept again', async () => {
    const { store, actions, part } = await played();
    const { conversationId } = store.getState();
    const failing = await part((kernel) => createWhatIfRun(kernel, { ...actions, adopt: async () => undefined }));
    failing.take(null);
    await failing.run();
    await failing.keep();
    expect(store.getState().conversationId).toBe(conversationId);
    expect(failing.store.getState().outcome).not.toBeNull();
  });

  test('is thrown away without a trace', async () => {
    const { store, run } = await played();
    const { entries, conversations } = store.getState();
    await run.run();
    run.discard();
    expect(run.store.getState()).toMatchObject({ outcome: null, swept: null, task: null, failure: null });
    expect(store.getState().entries).toBe(entries);
    expect(store.getState().conversations).toBe(conversations);
  });

  test('that began with a turn which is gone by now begins at the start', async () => {
    const { store, actions, run } = await played();
    const [, second = '', third = ''] = recordsOf(store.getState().forest.nodes).map(({ id }) => id);
    run.take(second);
    await run.run();
    run.discard();
    expect(run.store.getState().question).toMatchObject({ from: second, decider: 'paper-rule' });
    await actions.deleteTurns([second], true);
    run.take(null);
    expect(run.store.getState().question).toMatchObject({ from: null, decider: 'paper-rule' });
    run.take(third);
    expect(run.store.getState().question.from).toBe(third);
  });

  test('a sweep that is cancelled keeps the values that it came to, and each can be shown', async () => {
    const { store, run } = await played();
    const { entries } = store.getState();
    const end = run.store.subscribe(({ swept }) => {
      if (swept?.points.length === 2) run.cancel();
    });
    await run.sweep();
    end();
    const { swept, task, cancelled, outcome } = run.store.getState();
    expect(swept?.points.map(({ value }) => value)).toEqual([0.3, 0.367]);
    expect([task, cancelled, outcome]).toEqual([null, 'sweep', null]);
    const [point] = swept?.points ?? [];
    if (point !== undefined) run.show(point);
    expect(run.store.getState().outcome?.rerun).toBe(point?.rerun);
    expect(run.store.getState().question.parameters.theta).toBe(0.3);
    expect(store.getState().entries).toBe(entries);
  });

  test('where tokens cannot be counted, it says so and stays as it was', async () => {
    const { run, models, store } = await played();
    const count = models.chat.tokens.count;
    models.chat.tokens.count = () => Promise.reject(new Error('the tokenizer is gone'));
    await run.run();
    models.chat.tokens.count = count;
    const failure = { kind: 'rerun', why: 'the tokenizer is gone' };
    expect(run.store.getState()).toMatchObject({ failure, outcome: null, task: null });
    expect(store.getState().notice?.text).toBe('The what-if failed.');
    await run.run();
    expect(store.getState().notice?.text).toBe('The what-if is done.');
    expect(run.store.getState()).toMatchObject({ failure: null, task: null });
    expect(run.store.getState().outcome).not.toBeNull();
  });
});
