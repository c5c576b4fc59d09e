/*
 * Fits the embedded decider to labelled dialogues and says how it does on dialogues it was not fitted to:
 * npm run calibrate -- --data DIR [--write]. DIR has the sets in their public forms; --write replaces the weights.
 */
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { createEmbeddedDecider } from '../adapters/models/embedded-decider.ts';
import { USE_LITE_THETA } from '../adapters/models/theta.ts';
import { branchShare, type Fitted, fitModels, topicShare } from './calibrate-fit.ts';
import { branchTable, freeRunTable, topicTable } from './calibrate-tables.ts';
import { weightsFile } from './calibrate-weights-file.ts';
import { readDataSets } from './data-sets.ts';
import { type Examples, examplesOf, textsOf } from './examples-of.ts';
import { embedAll } from './vectors.ts';

const WEIGHTS = new URL('../adapters/models/embedded-decider-weights.ts', import.meta.url);
/** Parts of the cross-validation; the dialogues of one group are all in the same part. */
const FOLDS = 5;

const say = (line: string) => {
  process.stdout.write(`${line}\n`);
};

const { values } = parseArgs({
  options: { data: { type: 'string' }, write: { type: 'boolean', default: false } },
});
if (values.data === undefined) throw new Error('usage: npm run calibrate -- --data DIR [--write]');

const dialogues = await readDataSets(values.data);
if (dialogues.length === 0) throw new Error(`no labelled dialogues under ${values.data}`);
say(`${dialogues.length} dialogues, ${dialogues.reduce((sum, { turns }) => sum + turns.length, 0)} turns`);
const vectorOf = await embedAll(textsOf(dialogues), say);
const examples = await examplesOf(dialogues, vectorOf, { topic: topicShare, branch: branchShare });
say(`${examples.topic.length} topic decisions, ${examples.branch.length} branch decisions`);

if (values.write) {
  await writeFile(WEIGHTS, weightsFile(fitModels(examples)));
  say(`wrote ${WEIGHTS.pathname}`);
}

const groups = [...new Set(dialogues.map(({ group }) => group))];
const foldOf = new Map(groups.map((group, at) => [group, at % FOLDS]));
const without = (left: (example: Examples['topic' | 'branch'][number]) => boolean): Fitted =>
  fitModels({
    topic: examples.topic.filter((example) => !left(example)),
    branch: examples.branch.filter((example) => !left(example)),
  });
const folds = Array.from({ length: FOLDS }, (_, fold) =>
  without(({ dialogue }) => foldOf.get(dialogue.group) === fold),
);
const fittedElsewhere = (group: string): Fitted => folds[foldOf.get(group) ?? 0] ?? fitModels(examples);

say('\nTopic decision, teacher-forced, cross-validated by dialogue');
say(topicTable(examples.topic, ({ dialogue }) => fittedElsewhere(dialogue.group)));

const sets = [...new Set(dialogues.map(({ set }) => set))].filter((set) => !set.includes('-'));
const unseen = new Map(sets.map((set) => [set, without(({ dialogue }) => dialogue.set.split('-')[0] === set)]));
say('\nTopic decision, teacher-forced, fitted without the whole set');
say(
  topicTable(
    examples.topic.filter(({ dialogue }) => unseen.has(dialogue.set)),
    ({ dialogue }) => unseen.get(dialogue.set) ?? fittedElsewhere(dialogue.group),
  ),
);

say('\nBranch decision, teacher-forced, cross-validated by dialogue');
say(branchTable(examples.branch, ({ dialogue }) => fittedElsewhere(dialogue.group)));

say(`\nThe engine left to itself, cross-validated by dialogue, θ ${USE_LITE_THETA}`);
say(
  await freeRunTable(
    dialogues.filter(({ set }) => set === 'ntm' || set === 'sgd' || set.endsWith('-digressions')),
    vectorOf,
    (group) => createEmbeddedDecider(fittedElsewhere(group)),
    USE_LITE_THETA,
  ),
);
