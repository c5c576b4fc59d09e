import type { EventOf } from '../src/domain/event-kinds.ts';
import type { Forest, TreeId } from '../src/domain/forest.ts';
import { pendingTurn } from '../src/domain/queries.ts';
import { syntheticLog } from '../src/domain/testing/synthetic-forest.ts';
import { Engine } from '../src/engine/engine.ts';
import type { Decider, Embedder, Models } from '../src/engine/ports.ts';
import type { Storage } from '../src/engine/storage.ts';
import { createRecall } from '../src/models/embedded/recall/recall.ts';
import type { SentenceEncoder } from '../src/models/embedded/sentence-encoder.ts';
import { encoderFromDisk } from '../src/models/embedded/testing/models-from-disk.ts';
import { memoryStorage } from '../src/storage/memory-storage.ts';
import { type Figure, median } from './figure.ts';
import { KeptLog } from './kept-log.ts';
import { madeUpModels } from './memories/made-up-models.ts';
import { ModelClock } from './model-clock.ts';

/** Turns in the forest, and the goal for one more, in milliseconds. */
const FEW = { turns: 1_000, goal: 6 };
const MANY = { turns: 100_000, goal: 30 };
/** Number of turns measured after those. */
const MEASURED = 40;
/** Re-scanned turns for the large forest, since each takes seconds. */
const RESCANNED = 3;
const SEED = 7;

/** Decides as the synthetic conversation went: which topic comes next is known, so turns land all over the forest. */
const scripted = (next: () => TreeId): Decider => ({
  name: 'scripted',
  topic: async ({ topics }) => {
    const found = topics.find(({ treeId }) => treeId === next());
    const action = found === undefined ? 'create-topic' : found.active ? 'continue-topic' : 'switch-topic';
    return { action, target: found?.treeId ?? null, confidence: null, reasons: [], raw: '', decider: 'scripted' };
  },
  branch: async () => ({ action: 'create-branch', confidence: null, reasons: [], raw: '', decider: 'scripted' }),
});

/**
 * Measures the engine's own share of a turn: everything except model inference, including counting tokens and
 * committing to the (in-memory) log. The baseline keeps nothing between turns: for each one it folds the whole log
 * again, looks up every vector and counts every text. The texts of 100,000 turns have made-up vectors, since
 * embedding them would take minutes.
 */
export const engineShare = async (): Promise<Figure[]> => {
  const encoder = await encoderFromDisk();
  const { dimensions } = encoder;
  const embedder = {
    name: 'use-lite-en',
    dimensions,
    theta: 0.6,
    embed: (texts: readonly string[]) => encoder.embed(texts),
  };
  return [
    await shareOf(FEW, MEASURED, encoder, embedder),
    await shareOf(MANY, RESCANNED, encoder, madeUpModels().embed),
  ];
};

const shareOf = async (
  { turns, goal }: { readonly turns: number; readonly goal: number },
  rescanned: number,
  encoder: SentenceEncoder,
  embedder: Embedder,
): Promise<Figure> => {
  const entries = syntheticLog(turns + MEASURED, SEED);
  const later = entries.slice(
    entries.findIndex(({ event }) => event.type === 'message-sent' && event.nodeId === `n${turns + 1}`),
  );
  const messages = later.flatMap(({ event }) => (event.type === 'message-sent' ? [event.message] : []));
  const trees = later.flatMap(({ event }) => (event.type === 'turn-placed' ? [event.placement.treeId] : []));
  const before = entries.slice(0, entries.length - later.length);

  const clock = new ModelClock();
  const tokens = { name: 'use-lite-en', count: async (texts: readonly string[]) => encoder.count(texts) };
  let turn = 0;
  const models: Models = clock.watch({
    chat: createRecall({ tokens, wordDelay: () => 0 }),
    decide: scripted(() => trees[turn] as TreeId),
    summarise: {
      name: 'excerpt',
      summarise: async ({ message }) => message.slice(0, 80),
      title: async ({ message }) => message.slice(0, 20),
    },
    embed: embedder,
  });
  const storage = memoryStorage();

  const measure = async (count: number, afresh: boolean): Promise<number> => {
    const log = new KeptLog(before);
    let engine = engineOn(log, models, storage);
    await engine.catchUp(new AbortController().signal);
    const shares: number[] = [];
    for (turn = 0; turn < count; turn++) {
      clock.reset();
      const start = performance.now();
      if (afresh) {
        log.refold();
        engine = engineOn(log, models, storage);
      }
      log.commit(sent(`m${turn}`, messages[turn] as string));
      const pending = pendingTurn(log.forest);
      if (pending === null) throw new Error('a message was not taken');
      await engine.turn(pending, new AbortController().signal);
      shares.push(performance.now() - start - clock.spent);
    }
    return median(shares);
  };

  const value = await measure(MEASURED, false);
  const baseline = await measure(rescanned, true);
  return {
    name: `Own share of a turn at ${turns.toLocaleString('en')} turns, median of ${MEASURED}`,
    value,
    unit: 'ms',
    goal,
    baseline: { name: `every turn re-scanned, median of ${rescanned}`, value: baseline },
  };
};

const sent = (nodeId: string, message: string) => ({
  type: 'record' as const,
  event: { type: 'message-sent', nodeId, message, given: null, target: null } satisfies EventOf<'message-sent'>,
  step: nodeId,
});

const engineOn = (log: KeptLog, models: Models, vectors: Storage): Engine =>
  new Engine(
    {
      models: () => models,
      embedded: models,
      vectors,
      now: () => performance.now(),
      newId: () => log.newId(),
    },
    {
      forest: (): Forest => log.forest,
      commit: async (intent) => log.commit(intent),
      received: () => undefined,
      phase: () => undefined,
      time: () => Date.now(),
    },
  );
