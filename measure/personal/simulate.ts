import type { Learner, Lesson } from '../../src/engine/lessons.ts';
import type { LabelledDialogue } from '../../src/features/evaluate/datasets/dialogues.ts';
import type { VectorOf } from '../../src/features/evaluate/measurement/embedded-texts.ts';
import type { GeneralQuestions } from '../../src/models/embedded/personal/fit-lessons.ts';
import { fitLessons } from '../../src/models/embedded/personal/fit-lessons.ts';
import { offsetsOf, type Weights } from '../../src/models/embedded/personal/lesson-facts.ts';
import { lessonsOf } from './lessons.ts';
import type { Person } from './persons.ts';

/** Corrections that a person makes before they are measured. */
const CORRECTIONS = 50;
/** Share of their dialogues in which they correct; the rest comes later. */
const EARLIER = 0.5;
/** Corrections between fits (the app fits after each), for a tenth of the time. */
const FIT_EVERY = 10;

export interface Life {
  readonly weights: Weights;
  /** The weights after 0, 10, 20 … corrections. */
  readonly stages: readonly Weights[];
  readonly corrections: number;
  /** Their later decisions on the question that their habit is about. */
  readonly later: readonly Lesson[];
}

/** Simulates a person who corrects each wrong decision in their earlier dialogues, up to a maximum. */
export const live = async (
  person: Person,
  dialogues: readonly LabelledDialogue[],
  general: GeneralQuestions,
  vectorOf: VectorOf,
  learner: Pick<Learner, 'lessonsOf'>,
): Promise<Life> => {
  const each: Lesson[][] = [];
  for (const dialogue of dialogues) each.push(await lessonsOf(person.rewrite(dialogue), vectorOf, learner));
  const cut = Math.floor(each.length * EARLIER);
  const corrected: Lesson[] = [];
  let weights: Weights = {};
  const stages = [weights];
  for (const lesson of each.slice(0, cut).flat()) {
    if (isRight(weights, lesson)) continue;
    corrected.push({ ...lesson, at: corrected.length });
    if (corrected.length % FIT_EVERY === 0) {
      weights = fitLessons(corrected, general).weights;
      stages.push(weights);
    }
    if (corrected.length === CORRECTIONS) break;
  }
  const later = each.slice(cut).flat();
  return {
    weights,
    stages,
    corrections: corrected.length,
    later: later.filter(({ question }) => question === person.question),
  };
};

export const accuracyOf = (weights: Weights, questions: readonly Lesson[]): number =>
  questions.filter((question) => isRight(weights, question)).length / Math.max(1, questions.length);

const isRight = (weights: Weights, question: Lesson): boolean => {
  const offsets = offsetsOf(weights, question);
  const scores = question.choices.map(({ base }, at) => base + (offsets[at] ?? 0));
  return scores.indexOf(Math.max(...scores)) === question.right;
};
