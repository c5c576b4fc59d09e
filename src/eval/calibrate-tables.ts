import { type Choice, type Model, probabilities } from '../adapters/models/linear-choice.ts';
import type { Decider } from '../engine/ports.ts';
import type { BranchExample } from './branch-examples.ts';
import type { Fitted } from './calibrate-fit.ts';
import { freeRun } from './free-run.ts';
import type { LabelledDialogue } from './labelled-dialogue.ts';
import { accuracy, f1, grouped, macroF1, type Pair } from './metrics.ts';
import type { TopicExample } from './topic-examples.ts';
import { alwaysContinue, byThreshold, scoreTopics, tunedThreshold } from './topic-scores.ts';
import type { VectorOf } from './vectors.ts';

/** Topic scores a set, beside going on always and the plain threshold (tuned on these very dialogues). */
export const topicTable = (examples: readonly TopicExample[], fittedFor: (example: TopicExample) => Fitted): string => {
  const threshold = tunedThreshold(examples);
  const rows = [...grouped(examples, ({ dialogue }) => dialogue.set)].map(([set, own]) => {
    const scores = scoreTopics(own, (example) => likeliest(example.choices, fittedFor(example).topic));
    return [
      set,
      `${own.length}`,
      figure(scores.macroF1),
      figure(scoreTopics(own, alwaysContinue).macroF1),
      figure(scoreTopics(own, byThreshold(threshold)).macroF1),
      figure(scores.accuracy),
      figure(scores.createF1),
      figure(scores.switchF1),
      figure(scores.targetAccuracy),
      figure(calibrationError(own, (example) => fittedFor(example).topic)),
    ];
  });
  const head = ['set', 'turns', 'macro-F1', 'continue', `θ ${threshold.toFixed(2)}`, 'accuracy', 'create', 'switch'];
  return table([[...head, 'target', 'calibration'], ...rows]);
};

/** Branch scores a set, and what the gate leaves of the forks at several θ. */
export const branchTable = (
  examples: readonly BranchExample[],
  fittedFor: (example: BranchExample) => Fitted,
): string => {
  const rows = [...grouped(examples, ({ dialogue }) => dialogue.set)].map(([set, own]) => {
    const pairs = own.map(
      (example): Pair => [
        example.choices[example.right]?.action ?? '',
        example.choices[likeliest(example.choices, fittedFor(example).branch)]?.action ?? '',
      ],
    );
    const forks = own.filter((_, at) => pairs[at]?.[0] !== 'continue-branch');
    const kept = THETAS.map((theta) => `${forks.filter(({ similarity }) => similarity >= theta).length}`);
    const going = pairs.filter(([right]) => right === 'continue-branch').length / pairs.length;
    return [set, `${own.length}`, figure(accuracy(pairs)), figure(going), figure(f1(pairs, 'create-branch')), ...kept];
  });
  const head = ['set', 'asked', 'accuracy', 'continue', 'create F1', ...THETAS.map((theta) => `forks ≥ ${theta}`)];
  return table([head, ...rows]);
};

const THETAS = [0, 0.3, 0.4, 0.45, 0.5, 0.55, 0.6, 0.7];

/** The engine on its own placements: topic actions, and turns under the right parent. */
export const freeRunTable = async (
  dialogues: readonly LabelledDialogue[],
  vectorOf: VectorOf,
  deciderFor: (group: string) => Decider,
  theta: number,
): Promise<string> => {
  const rows: string[][] = [];
  for (const [set, own] of grouped(dialogues, (dialogue) => dialogue.set)) {
    const actions: Pair[] = [];
    const parents: Pair[] = [];
    for (const dialogue of own) {
      const run = await freeRun(dialogue, vectorOf, deciderFor(dialogue.group), theta);
      actions.push(...run.actions);
      parents.push(...run.parents);
    }
    rows.push([
      set,
      `${actions.length}`,
      figure(macroF1(actions)),
      figure(accuracy(actions)),
      figure(accuracy(parents)),
    ]);
  }
  return table([['set', 'turns', 'macro-F1', 'accuracy', 'parents'], ...rows]);
};

const likeliest = (choices: readonly Choice[], model: Model): number => {
  const all = probabilities(choices, model);
  return all.indexOf(Math.max(...all));
};

/** Expected calibration error over ten bins of confidence (Guo et al. 2017). */
const calibrationError = (examples: readonly TopicExample[], modelFor: (example: TopicExample) => Model): number => {
  const bins = Array.from({ length: 10 }, () => ({ count: 0, sure: 0, right: 0 }));
  for (const example of examples) {
    const all = probabilities(example.choices, modelFor(example));
    const sure = Math.max(...all);
    const bin = bins[Math.min(9, Math.floor(sure * 10))];
    if (bin === undefined) continue;
    bin.count++;
    bin.sure += sure;
    bin.right += all.indexOf(sure) === example.right ? 1 : 0;
  }
  return bins.reduce((sum, { sure, right }) => sum + Math.abs(sure - right), 0) / Math.max(examples.length, 1);
};

const figure = (value: number): string => (Number.isNaN(value) ? '–' : value.toFixed(3));

const table = (rows: readonly (readonly string[])[]): string => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
};
