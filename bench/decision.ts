import type { Forest, Node, PendingTurn } from '../src/domain/forest.ts';
import { defaultParameters } from '../src/engine/parameters.ts';
import { ComparedMessage } from '../src/engine/place/compared-message.ts';
import type { RouteInput } from '../src/engine/place/route-input.ts';
import { Stopwatch } from '../src/engine/tasks.ts';
import { reconsidered, route } from '../src/engine/turn/decide.ts';
import { ForestIndexCache } from '../src/engine/vectors/forest-index.ts';
import { VectorTable } from '../src/engine/vectors/vector-table.ts';
import { createEmbeddedDecider } from '../src/models/embedded/embedded-decider.ts';
import { decideAnew } from './decision-anew.ts';
import { madeForest } from './decision-forest.ts';
import { type Figure, median } from './figure.ts';

const SEED = 11;
/** Warm-up decisions before the measured ones, since code is slow the first time it runs. */
const WARM_UP = { small: 400, large: 30 };
const MEASURED = { small: 200, large: 60 };
/** Number of turns from which a decision takes long enough to measure fewer of them. */
const LARGE = 10_000;
const BASELINE_MEASURED = 12;
/** Number of messages joined into the text of a reply. */
const REPLY = 5;

const SIZES: readonly { readonly turns: number; readonly topics: number; readonly goal: number | null }[] = [
  { turns: 1_000, topics: 50, goal: 1 },
  { turns: 1_000, topics: 1_000, goal: null },
  { turns: 10_000, topics: 500, goal: null },
  { turns: 100_000, topics: 5_000, goal: 30 },
  { turns: 100_000, topics: 1, goal: 30 },
];

/** Returns the forest after a message has been sent from a node; unchanged parts are shared. */
const asking = (forest: Forest, message: string, { id, treeId, branchId }: Node): Forest => ({
  ...forest,
  turnCount: forest.turnCount + 1,
  active: { treeId, branchId, nodeId: id },
  pending: {
    asked: {
      id: 'asked',
      number: forest.turnCount + 1,
      message,
      at: 0,
      step: 's',
      given: null,
      target: null,
    },
  },
});

/** Measures deciding where a message goes, from its embedding to the decision with its trace, with the embedded decider. */
export const decision = async (): Promise<Figure[]> => {
  const figures: Figure[] = [];
  for (const { turns, topics, goal } of SIZES) {
    const { forest, vectors, message } = madeForest(turns, topics, SEED);
    const table = new VectorTable(vectors[0]?.length ?? 0);
    vectors.forEach((vector, i) => {
      table.set(`n${i + 1}`, vector);
    });
    const index = new ForestIndexCache(table);
    const decider = createEmbeddedDecider();
    const next = () => {
      const made = message();
      return { made, asked: asking(forest, made.text, forest.nodes[made.nodeId] as Node) };
    };
    // Created in advance, so that collecting the resulting garbage does not count towards the decision.
    const size = turns < LARGE ? 'small' : 'large';
    const messages = Array.from({ length: WARM_UP[size] + MEASURED[size] }, next);
    let added = 0;
    const again: number[] = [];
    const kept = async () => {
      const { made, asked } = messages[added++] as ReturnType<typeof next>;
      // Each message follows an added turn, which is taken in between turns, before the message is sent.
      table.set(`added ${added}`, vectors[added] as Float32Array);
      index.of(forest);
      const start = performance.now();
      const near = new ComparedMessage(made.text, made.vector, table, 'made up', index);
      const input: RouteInput = {
        forest: asked,
        pending: asked.pending.asked as PendingTurn,
        near,
        deciders: [decider],
        embedder: 'made up',
        theta: 0.5,
        policy: 'context-agent',
        parameters: defaultParameters,
        signal: new AbortController().signal,
        fallbacks: [],
        stopwatch: new Stopwatch(() => performance.now()),
      };
      const routed = await route(input);
      const decided = performance.now();
      const still = near.whileItIs(asked);
      // As long as the beginning of a reply, with as many words.
      const reply = messages.slice(0, REPLY).reduce((text, one) => `${text} ${one.made.text}`, made.text);
      const before = performance.now();
      await reconsidered({ ...input, near: still() }, routed, still(reply, made.vector));
      again.push(performance.now() - before);
      return decided - start;
    };
    const byId = new Map(vectors.map((vector, i) => [`n${i + 1}`, vector]));
    const anew = async () => {
      const { made, asked } = next();
      const start = performance.now();
      await decideAnew(asked, made, byId, decider);
      return performance.now() - start;
    };
    const of = `${turns.toLocaleString('en')} turns in ${topics.toLocaleString('en')} ${topics === 1 ? 'topic' : 'topics'}`;
    await times(kept, WARM_UP[size]);
    const value = median(await times(kept, MEASURED[size]));
    await times(anew, 2);
    const baseline = {
      name: 'every similarity and view made anew',
      value: median(await times(anew, BASELINE_MEASURED)),
    };
    figures.push({ name: `Decision among ${of}, median of ${MEASURED[size]}`, value, unit: 'ms', goal, baseline });
    figures.push({
      name: `Looking again once it has been replied to, among ${of}`,
      value: median(again.slice(WARM_UP[size])),
      unit: 'ms',
      goal: null,
      baseline: { name: 'the decision', value },
    });
    const changes = () => {
      const changed = { ...forest, nodes: { ...forest.nodes } };
      const start = performance.now();
      index.of(changed);
      return Promise.resolve(performance.now() - start);
    };
    await times(changes, 2);
    figures.push({
      name: `Taking a changed forest of ${of} in, between turns`,
      value: median(await times(changes, BASELINE_MEASURED)),
      unit: 'ms',
      goal: null,
      baseline: null,
    });
  }
  return figures;
};

const times = async (work: () => Promise<number>, count: number): Promise<number[]> => {
  const all: number[] = [];
  for (let i = 0; i < count; i++) all.push(await work());
  return all;
};
