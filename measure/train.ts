import { grouped } from '../src/features/evaluate/datasets/dialogues.ts';
/*
 * Trains the embedded decider on labelled dialogues: npm run train -- --data DIR [--left-out].
 * Writes the shipped weights, and those of a cross-validation by dialogue, with which it is measured on dialogues that it was
 * trained on. `--left-out` writes nothing: instead it reports for each set how a decider does that was trained on none of it.
 */

import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { contextAgent } from '../src/engine/context/policies/context-agent.ts';
import { EMBEDDER } from '../src/engine/embedded-names.ts';
import { loadGlossaries } from '../src/engine/text/glossary.ts';
import type { LabelledDialogue } from '../src/features/evaluate/datasets/dialogues.ts';
import { accuracy, macroF1, type Pair } from '../src/features/evaluate/measurement/metric.ts';
import { placeDialogue } from '../src/features/evaluate/measurement/placements.ts';
import type { DeciderWeights } from '../src/models/embedded/decider-weights.ts';
import { createEmbeddedDecider } from '../src/models/embedded/embedded-decider.ts';
import { fitDecider, prepareTraining } from './fit-decider.ts';
import { FOLDS, foldsIn, seenIn, unrelatedTo } from './folds.ts';
import { packWeights } from './pack.ts';
import { readTrainingSets, textsOf } from './training-sets.ts';
import { embedAll } from './vectors.ts';

const SHIPPED = new URL('../src/models/embedded/decider-weights.json', import.meta.url);
const RUN_TS = fileURLToPath(new URL('../scripts/run-ts.mjs', import.meta.url));
const CROSS_VALIDATED = new URL('../src/features/evaluate/held-out/weights/', import.meta.url);

/** What one fit is based on: all dialogues, or those of all parts of the cross-validation but one. */
const PARTS = ['all', ...Array.from({ length: FOLDS }, (_, fold) => `${fold}`)];

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    'left-out': { type: 'boolean', default: false },
    // Only some of the parts (`all,1,3`): for the child processes, or if only the shipped weights are wanted.
    parts: { type: 'string' },
  },
});
if (values.data === undefined) throw new Error('usage: npm run train -- --data DIR [--left-out]');

const dialogues = await readTrainingSets(values.data);
console.log(`${dialogues.length} dialogues, ${dialogues.reduce((sum, { turns }) => sum + turns.length, 0)} turns`);
await loadGlossaries();
const vectorOf = await embedAll(textsOf(dialogues), console.log);
const prepared = async () => {
  const training = await prepareTraining(dialogues, vectorOf, EMBEDDER);
  const { topics, branches } = training.answered;
  console.log(`${topics.length} topic decisions, ${branches.length} branch decisions`);
  return training;
};

/** Prints how weights do on dialogues, each turn placed as labelled before the next. */
const report = async (set: string, own: typeof dialogues, weights: DeciderWeights): Promise<void> => {
  const decider = createEmbeddedDecider(async () => weights);
  const subject = { subject: set, deciderFor: () => decider, policy: contextAgent };
  const pairs: Pair[] = [];
  for (const dialogue of own) {
    const { records } = await placeDialogue(set, dialogue, subject, 'teacher-forced', vectorOf);
    pairs.push(...records.map(({ gold, predicted }): Pair => [gold.topic, predicted.topic]));
  }
  console.log(
    `${set.padEnd(20)} ${pairs.length} macro-F1 ${macroF1(pairs).toFixed(3)} accuracy ${accuracy(pairs).toFixed(3)}`,
  );
};

/** NTM dialogues are one set, whoever labelled them; a mix belongs to its source set. */
const kindOf = (set: string): string =>
  set === 'coppice-services' ? set : (/^everyday-[a-z]+/.exec(set)?.[0] ?? set.split('-')[0] ?? set);

/** Fits some of the parts in a child process, which reads the dialogues once for all of them. */
const inProcess = (parts: readonly string[]): Promise<void> =>
  new Promise((resolve, reject) => {
    const args = [
      ...process.execArgv,
      RUN_TS,
      fileURLToPath(import.meta.url),
      '--data',
      values.data ?? '',
      '--parts',
      `${parts}`,
    ];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] });
    child.on('error', reject);
    child.on('exit', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`fitting ${parts} ended with code ${code}`));
    });
  });

if (values['left-out']) {
  const training = await prepared();
  const sets = grouped(dialogues, ({ set }) => set);
  for (const set of sets.keys()) {
    if (set !== kindOf(set)) continue;
    const kept = unrelatedTo(dialogues, (dialogue) => kindOf(dialogue.set) === set);
    const weights = await fitDecider(training, kept);
    await report(set, sets.get(set) ?? [], weights);
  }
} else if (values.parts !== undefined) {
  const foldsOf = foldsIn(dialogues);
  const training = await prepared();
  for (const part of values.parts.split(',')) {
    const kept = (dialogue: LabelledDialogue) => part === 'all' || !foldsOf(dialogue).includes(Number(part));
    const weights = await fitDecider(training, kept);
    const file = part === 'all' ? SHIPPED : new URL(`fold-${part}.json`, CROSS_VALIDATED);
    await writeFile(file, `${JSON.stringify(packWeights(weights))}\n`);
    console.log(`wrote ${file.pathname}`);
  }
} else {
  await mkdir(CROSS_VALIDATED, { recursive: true });
  await writeFile(new URL('seen.json', CROSS_VALIDATED), `${JSON.stringify(seenIn(dialogues, foldsIn(dialogues)))}\n`);
  const processes = Math.min(availableParallelism(), PARTS.length);
  const partsOf = (process: number) => PARTS.filter((_, at) => at % processes === process);
  await Promise.all(Array.from({ length: processes }, (_, process) => inProcess(partsOf(process))));
}
