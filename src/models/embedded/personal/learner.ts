import type { Learned, Learner, Lesson, PastQuestions, TurnLesson } from '../../../engine/place/lessons.ts';
import type { BranchQuestion, TopicQuestion } from '../../../engine/ports.ts';
import type { DeciderWeights } from '../decider-weights.ts';
import { createEmbeddedDecider } from '../embedded-decider.ts';
import type { BranchReading } from '../embedded-decider-branch.ts';
import type { TopicReading } from '../embedded-decider-topic.ts';
import { fitLessons } from './fit-lessons.ts';
import type { Offsets, PersonalLayer } from './offsets.ts';
import { branchFacts, type QuestionFacts, topicFacts } from './question-facts.ts';
import { nameOf, offsetsOf, type Weights } from './weights.ts';
import { learnedWords, spokenWords } from './words.ts';

/** Probabilities are told to three decimals: below this a choice is as good as out of the question. */
const LEAST_CHANCE = 0.0005;
/** Of what was learned, how much a person is shown, and how much of it for one answer. */
const MOST_SHOWN = 12;
const MOST_REASONS = 4;

/**
 * Learns from the person's corrections, on their machine, and adds what it learned to the embedded decider: the one that ships,
 * or one of other weights (`decides`).
 */
export const createPersonalLayer = (decides?: () => Promise<DeciderWeights>): Learner & PersonalLayer => {
  let weights: Weights | null = null;
  const topics = new WeakMap<TopicQuestion, TopicReading>();
  const branches = new WeakMap<BranchQuestion, BranchReading>();
  // The decider before anything was learned; it also tells how it reads a question.
  const base = createEmbeddedDecider(decides, {
    topic: (reading) => {
      topics.set(reading.setting.question, reading);
      return null;
    },
    branch: (reading) => {
      branches.set(reading.question, reading);
      return null;
    },
  });

  const topicLesson = async ({ question, target }: PastQuestions['topic']) => {
    const { raw } = await base.topic(question);
    const reading = topics.get(question);
    if (reading === undefined) return null;
    const right = reading.choices.findIndex((choice) => choice.target === target);
    return lessonFrom('topic', topicFacts(reading), raw, right);
  };
  const branchLesson = async ({ question, parentId }: NonNullable<PastQuestions['branch']>) => {
    const { raw } = await base.branch(question);
    const reading = branches.get(question);
    if (reading === undefined) return null;
    const here = question.path.at(-1)?.nodeId;
    const right = reading.choices.findIndex(({ point }) => (point ?? here) === parentId);
    return lessonFrom('branch', branchFacts(reading), raw, right);
  };

  return {
    lessonsOf: async ({ topic, branch }) => {
      const lessons = [await topicLesson(topic), branch === null ? null : await branchLesson(branch)];
      // The place may be one that the decider had not put on its short list: nothing to learn from then.
      return lessons.filter((lesson) => lesson !== null && lesson.right >= 0) as TurnLesson[];
    },
    learn: async (lessons): Promise<Learned> => {
      if (lessons.length === 0) {
        weights = null;
        return { lessons: 0, corrections: { of: 0, missed: 0 }, share: 1, reasons: [], weights: {} };
      }
      // Only who has taught something needs them.
      const { shippedGeneral } = await import('./general-questions.ts');
      const fitted = fitLessons(lessons, shippedGeneral());
      weights = fitted.weights;
      return { ...fitted, reasons: learnedWords(fitted.weights, MOST_SHOWN) };
    },
    topic: (reading) => (weights === null ? null : offsets(weights, topicFacts(reading))),
    branch: (reading) => (weights === null ? null : offsets(weights, branchFacts(reading))),
  };
};

const lessonFrom = (
  question: Lesson['question'],
  { message, choices }: QuestionFacts,
  raw: string,
  right: number,
): TurnLesson => {
  const chances = JSON.parse(raw) as readonly { readonly p: number }[];
  return {
    question,
    message,
    choices: choices.map((choice, at) => ({
      ...choice,
      base: rounded(Math.log(Math.max(chances[at]?.p ?? 0, LEAST_CHANCE))),
    })),
    right,
  };
};

const offsets = (weights: Weights, facts: QuestionFacts): Offsets => ({
  values: offsetsOf(weights, facts),
  reasons: (chosen, against) => {
    const spoke: Record<string, number> = {};
    // What speaks against the other choice speaks for the chosen one.
    for (const [at, sign] of [[chosen, 1] as const, [against, -1] as const]) {
      const { action = '', facts: own = {} } = facts.choices[at] ?? {};
      for (const [fact, value] of [...Object.entries(facts.message), ...Object.entries(own)]) {
        spoke[fact] = (spoke[fact] ?? 0) + sign * value * (weights[nameOf(action, fact)] ?? 0);
      }
    }
    return spokenWords(facts.choices[chosen]?.action ?? '', spoke, MOST_REASONS);
  },
});

const rounded = (value: number): number => Math.round(value * 1000) / 1000;
