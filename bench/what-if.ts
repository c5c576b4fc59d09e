import type { EventOf } from '../src/domain/event-kinds.ts';
import { pendingTurn } from '../src/domain/queries.ts';
import { syntheticLog } from '../src/domain/testing/synthetic-forest.ts';
import { Engine } from '../src/engine/engine.ts';
import { rerun } from '../src/engine/history/re-run.ts';
import { RerunModels } from '../src/engine/history/re-run-models.ts';
import { AS_IT_WAS, placementDifferences, type WhatIf } from '../src/engine/history/what-if.ts';
import { SHIPPED_SETTINGS } from '../src/engine/settings.ts';
import { shapeOf, sweep, THETA_RANGE } from '../src/features/what-if/sweep.ts';
import { inOrderOf } from '../src/features/what-if/twin-view.ts';
import { createRecall } from '../src/models/embedded/recall/recall.ts';
import { modelsFromDisk } from '../src/models/embedded/testing/models-from-disk.ts';
import { createWhatIfDeciders } from '../src/models/embedded/what-if-deciders.ts';
import { memoryStorage } from '../src/storage/memory-storage.ts';
import { bareScene } from '../src/ui/canvas/scene.ts';
import { type Figure, median } from './figure.ts';
import { KeptLog } from './kept-log.ts';

const TURNS = 200;
const SEED = 7;
const GOAL_MS = 1000;
const MEASURED = 5;

/** The same question with the paper's rule, which depends on θ. */
const BY_RULE: WhatIf = { ...AS_IT_WAS, decider: 'paper-rule' };

/**
 * Re-runs a conversation placed by the engine itself and compares the two. The baseline has no stored vectors or
 * token counts and embeds everything again.
 */
export const whatIf = async (): Promise<Figure[]> => {
  const models = await modelsFromDisk();
  const storage = memoryStorage();
  const log = new KeptLog([]);
  const own = {
    models: () => models,
    embedded: models,
    vectors: storage,
    now: () => performance.now(),
    newId: () => log.newId(),
  };
  const engine = new Engine(own, {
    forest: () => log.forest,
    commit: async (intent) => log.commit(intent),
    received: () => undefined,
    phase: () => undefined,
    time: () => Date.now(),
  });
  for (const { event } of syntheticLog(TURNS, SEED)) {
    if (event.type !== 'message-sent') continue;
    log.commit({
      type: 'record',
      event: { ...event, given: 'As you say.' } satisfies EventOf<'message-sent'>,
      step: event.nodeId,
    });
    const pending = pendingTurn(log.forest);
    if (pending !== null) await engine.turn(pending, new AbortController().signal);
  }
  const original = { entries: log.entries, forest: log.forest };

  const workshopOn = async (vectors: typeof storage, question: WhatIf): Promise<RerunModels> => {
    const tokens = { ...models.chat.tokens };
    const shared = new RerunModels({
      models: { ...models, chat: { ...createRecall({ tokens, wordDelay: () => 0 }) } },
      embedded: models,
      deciders: createWhatIfDeciders(),
      lessons: [],
      settings: SHIPPED_SETTINGS,
      settingsOf: () => null,
      vectors,
      now: () => performance.now(),
      newId: () => log.newId(),
    });
    await shared.prepare(original.entries, question);
    return shared;
  };
  const watch = { progress: () => undefined, breathe: async () => undefined, signal: new AbortController().signal };
  const once = async (vectors: typeof storage, question: WhatIf) => {
    const made = await rerun(await workshopOn(vectors, question), original.entries, question, watch);
    return { made, found: placementDifferences(original, made) };
  };
  const timed = async (work: () => unknown): Promise<number> => {
    const start = performance.now();
    await work();
    return performance.now() - start;
  };
  const times = async (work: () => unknown): Promise<number> => {
    await work();
    const all: number[] = [];
    for (let i = 0; i < MEASURED; i++) all.push(await timed(work));
    return median(all);
  };

  const same = await once(storage, AS_IT_WAS);
  if (same.found.length > 0) throw new Error('a re-run with nothing otherwise has moved turns');
  const { made } = await once(storage, BY_RULE);
  const comparison = () => {
    placementDifferences(original, made);
    shapeOf(original.forest);
    shapeOf(made.forest);
    const before = bareScene(original.forest);
    bareScene(inOrderOf(made.forest, original.forest), before.layout);
  };
  const anew = await timed(() => once(memoryStorage(), AS_IT_WAS));
  const allAnew = async () => {
    for (let at = 0; at < THETA_RANGE.steps; at++) await once(memoryStorage(), BY_RULE);
  };
  const swept = async () =>
    sweep(await workshopOn(storage, BY_RULE), original, BY_RULE, THETA_RANGE, watch, () => undefined);
  return [
    {
      name: `Opening the comparison of ${TURNS} turns: differences, shapes, both layouts`,
      value: await times(comparison),
      unit: 'ms',
      goal: GOAL_MS,
      baseline: null,
    },
    {
      name: `One re-run of ${TURNS} turns with nothing otherwise`,
      value: await times(() => once(storage, AS_IT_WAS)),
      unit: 'ms',
      goal: GOAL_MS,
      baseline: { name: 'everything embedded anew', value: anew },
    },
    {
      name: `Sweep of ${THETA_RANGE.steps} thresholds over ${TURNS} turns`,
      value: await timed(swept),
      unit: 'ms',
      goal: null,
      baseline: { name: 'each by itself, embedded anew', value: await timed(allAnew) },
    },
  ];
};
