/*
 * Trains the embedded decider on labelled dialogues: npm run train -- --data DIR [--left-out].
 * Writes the weights that ship, and those of a cross-validation by dialogue, with which it is measured on
 * dialogues that it was trained on. `--left-out` writes nothing: it says instead how a decider does on each set
 * that was trained on none of it.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import type { Model } from '../adapters/models/boosted-choice.ts';
import { pack, toBase64 } from '../adapters/models/boosted-trees.ts';
import type { DeciderWeights, PackedWeights } from '../adapters/models/decider-weights.ts';
import { createEmbeddedDecider } from '../adapters/models/embedded-decider.ts';
import { contextAgent } from '../engine/policies/context-agent.ts';
import { fitDecider, prepareTraining } from './fit-decider.ts';
import { placeDialogue } from './measurement/placements.ts';
import { accuracy, grouped, macroF1, type Pair } from './metrics.ts';
import { FOLDS, foldsIn, seenIn, unrelatedTo } from './seen-dialogues.ts';
import { readTrainingSets, textsOf } from './training-sets.ts';
import { embedAll } from './vectors.ts';

const EMBEDDER = 'use-lite-en int8';
const SHIPPED = new URL('../adapters/models/decider-weights.json', import.meta.url);
const CROSS_VALIDATED = new URL('weights/', import.meta.url);

const say = (line: string) => {
  process.stdout.write(`${line}\n`);
};

const packed = ({ axes, topic, branch }: DeciderWeights): PackedWeights => ({
  axes: { embedder: axes.embedder, mean: toBase64(axes.mean), axes: toBase64(axes.axes) },
  topic: packedModel(topic),
  branch: packedModel(branch),
});
const packedModel = (model: Model) =>
  Object.fromEntries(Object.entries(model).map(([action, trees]) => [action, pack(trees)]));

const { values } = parseArgs({
  options: { data: { type: 'string' }, 'left-out': { type: 'boolean', default: false } },
});
if (values.data === undefined) throw new Error('usage: npm run train -- --data DIR [--left-out]');

const dialogues = await readTrainingSets(values.data);
say(`${dialogues.length} dialogues, ${dialogues.reduce((sum, { turns }) => sum + turns.length, 0)} turns`);
const vectorOf = await embedAll(textsOf(dialogues), say);
const training = await prepareTraining(dialogues, vectorOf, EMBEDDER);
say(`${training.topics.length} topic decisions, ${training.branches.length} branch decisions`);

/** Prints how weights do on dialogues, each placed as its label says before the next. */
const report = async (set: string, own: typeof dialogues, weights: DeciderWeights): Promise<void> => {
  const decider = createEmbeddedDecider(async () => weights);
  const subject = { subject: set, deciderFor: () => decider, policy: contextAgent };
  const pairs: Pair[] = [];
  for (const dialogue of own) {
    const { records } = await placeDialogue(set, dialogue, subject, 'teacher-forced', vectorOf);
    pairs.push(...records.map(({ gold, predicted }): Pair => [gold.topic, predicted.topic]));
  }
  say(`${set.padEnd(20)} ${pairs.length} macro-F1 ${macroF1(pairs).toFixed(3)} accuracy ${accuracy(pairs).toFixed(3)}`);
};

/** NTM dialogues are one set, whoever labelled them; a mix belongs to the set it is of. */
const kindOf = (set: string): string => (set === 'coppice-services' ? set : (set.split('-')[0] ?? set));

if (values['left-out']) {
  const sets = grouped(dialogues, ({ set }) => set);
  for (const set of sets.keys()) {
    if (set !== kindOf(set)) continue;
    const kept = unrelatedTo(dialogues, (dialogue) => kindOf(dialogue.set) === set);
    const weights = await fitDecider(training, kept);
    await report(set, sets.get(set) ?? [], weights);
  }
} else {
  await writeFile(SHIPPED, `${JSON.stringify(packed(await fitDecider(training)))}\n`);
  say(`wrote ${SHIPPED.pathname}`);
  const foldsOf = foldsIn(dialogues);
  await mkdir(CROSS_VALIDATED, { recursive: true });
  for (let fold = 0; fold < FOLDS; fold++) {
    const weights = await fitDecider(training, (dialogue) => !foldsOf(dialogue).includes(fold));
    await writeFile(new URL(`fold-${fold}.json`, CROSS_VALIDATED), `${JSON.stringify(packed(weights))}\n`);
    say(`wrote the weights of fold ${fold + 1} of ${FOLDS}`);
  }
  await writeFile(new URL('seen.json', CROSS_VALIDATED), `${JSON.stringify(seenIn(dialogues, foldsOf))}\n`);
}
