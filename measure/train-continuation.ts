import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { contextAgent } from '../src/engine/context/policies/context-agent.ts';
import type { ContinuationWeights } from '../src/engine/context/policies/focused/continuations.ts';
import {
  type ContinuationFeatures,
  continuationFeatures,
  continuationsOf,
} from '../src/engine/context/policies/focused/continuations.ts';
import { loadGlossaries } from '../src/engine/text/glossary.ts';
import { replyStart } from '../src/engine/vectors/node-vectors.ts';
import { cosine, softmax } from '../src/engine/vectors/vector-math.ts';
import type { LabelledDialogue } from '../src/features/evaluate/datasets/dialogues.ts';
import { learnedFor } from '../src/features/evaluate/held-out/held-out-deciders.ts';
import type { VectorOf } from '../src/features/evaluate/measurement/embedded-texts.ts';
import { type EvaluationMode, placeDialogue, placeIn } from '../src/features/evaluate/measurement/placements.ts';
import { nodeIdOf, Replay } from '../src/features/evaluate/measurement/replay.ts';
import { type Descent, descend } from './fit-logistic.ts';
import { readTrainingSets, textsOf } from './training-sets.ts';
import { embedAll } from './vectors.ts';

/*
 * Fits the weights that tell the context where a message may continue from: npm run train:continuation -- --data DIR. The sets
 * that contexts are measured on, CAsT 2022 and the labelled NTM dialogues, are left out, so that nothing is measured on training
 * data.
 */

const WEIGHTS = new URL('../src/engine/context/policies/focused/continuation-weights.json', import.meta.url);

const SETS = ['oasst-interleaved', 'structflow-interleaved', 'coppice-interleaved', 'coppice', 'ntm-more'];

/** Features of everything that a message may continue from, and which of them is right by its label. */
interface ContinuationExample {
  readonly set: string;
  readonly features: readonly ContinuationFeatures[];
  readonly right: number;
}

/**
 * Returns the turns of a dialogue as contexts are built for them, each decided by the learned decider with weights that were not
 * fitted to the dialogue. A turn whose right place is not among the continuations is skipped.
 */
const continuationExamples = async (
  dialogue: LabelledDialogue,
  mode: EvaluationMode,
  vectorOf: VectorOf,
): Promise<ContinuationExample[]> => {
  const { set, turns } = dialogue;
  const placing = { subject: 'learned', deciderFor: learnedFor, policy: contextAgent };
  const { placed, settled } = await placeDialogue(set, dialogue, placing, mode, vectorOf);
  const replay = new Replay(vectorOf);
  const examples: ContinuationExample[] = [];
  for (const [turn, labelled] of turns.entries()) {
    const { message, parent } = labelled;
    const near = replay.nearness(message);
    const { forest, nodeId } = replay.preview(message, ...placeIn(placed, turn));
    const node = forest.nodes[nodeId];
    const continuations = node === undefined ? null : continuationsOf(forest, node);
    if (continuations !== null) {
      const vector = vectorOf(message);
      const nearReply = (id: string): number | null => {
        const start = forest.nodes[id] === undefined ? '' : replyStart(forest.nodes[id]);
        return start === '' ? null : cosine(vectorOf(start), vector);
      };
      const features = continuationFeatures(message, continuations, (id) => near.to(id), nearReply);
      const right =
        parent === null
          ? continuations.turns.length
          : continuations.turns.findIndex((one) => one.node.id === nodeIdOf(parent));
      if (right >= 0) examples.push({ set, features, right });
    }
    const goldId = parent === null ? null : nodeIdOf(parent);
    const [parentId, went] = mode === 'teacher-forced' ? [goldId, undefined] : placeIn(settled, turn);
    replay.place(labelled, parentId, null, went);
  }
  return examples;
};

const DESCENT: Descent = { steps: 300, rate: 0.05, l2: 0.001 };

/**
 * Fits the feature weights that make the labelled places most likely: a conditional logit (McFadden 1974). `share`: how much a set
 * counts, however many examples it has.
 */
const fitContinuation = (
  examples: readonly ContinuationExample[],
  share: (set: string) => number,
): { readonly weights: ContinuationWeights; readonly loss: number } => {
  const names = [...new Set(examples.flatMap(({ features }) => features.flatMap((of) => Object.keys(of))))].sort();
  const counts = new Map<string, number>();
  for (const { set } of examples) counts.set(set, (counts.get(set) ?? 0) + 1);
  const total = [...counts.keys()].reduce((sum, set) => sum + share(set), 0);
  const rows = examples.map(({ set, features, right }) => ({
    right,
    weight: share(set) / total / (counts.get(set) ?? 1),
    values: features.map((of) => Float64Array.from(names, (name) => of[name] ?? 0)),
  }));
  return descend(
    names,
    rows.flatMap(({ values }) => values),
    DESCENT,
    (weights, slope) => {
      let loss = 0;
      for (const { right, weight, values } of rows) {
        const scores = values.map((row) => row.reduce((score, value, i) => score + value * (weights[i] as number), 0));
        const chances = softmax(scores);
        loss -= weight * Math.log(Math.max(1e-12, chances[right] as number));
        for (const [at, row] of values.entries()) {
          const pull = weight * ((chances[at] as number) - (at === right ? 1 : 0));
          for (let i = 0; i < row.length; i++) slope[i] = (slope[i] as number) + pull * (row[i] as number);
        }
      }
      return loss;
    },
  );
};

const { values } = parseArgs({ options: { data: { type: 'string' } } });
if (values.data === undefined) throw new Error('usage: npm run train:continuation -- --data DIR');

const dialogues = (await readTrainingSets(values.data)).filter(({ set }) => SETS.includes(set));
await loadGlossaries();
const vectorOf = await embedAll(textsOf(dialogues), console.log);
const examples: ContinuationExample[] = [];
for (const dialogue of dialogues) {
  for (const mode of ['teacher-forced', 'free-running'] as const) {
    examples.push(...(await continuationExamples(dialogue, mode, vectorOf)));
  }
}
const { weights, loss } = fitContinuation(examples, () => 1);
await writeFile(WEIGHTS, `${JSON.stringify(weights, null, 2)}\n`);
console.log(
  `${examples.length} turns of ${dialogues.length} dialogues, mean loss ${loss.toFixed(3)}; wrote ${WEIGHTS.pathname}`,
);
