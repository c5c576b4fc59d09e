import type { Reason } from '../../../domain/decision.ts';
import { mean, rounded } from '../../../domain/numbers.ts';
import {
  type Learner,
  type LearningReport,
  type Lesson,
  NOTHING_LEARNED,
  type PastQuestions,
  type TurnLesson,
} from '../../../engine/lessons.ts';
import type { BranchQuestion, TopicQuestion } from '../../../engine/ports.ts';
import type { BranchReading } from '../branch-features.ts';
import type { DeciderWeights } from '../decider-weights.ts';
import { createEmbeddedDecider } from '../embedded-decider.ts';
import type { Offsets, PersonalLayer } from '../offsets.ts';
import type { TopicReading } from '../topic-features.ts';
import { fitLessons } from './fit-lessons.ts';
import {
  actionIn,
  branchFacts,
  factIn,
  nameOf,
  offsetsOf,
  type QuestionFacts,
  topicFacts,
  type Weights,
  wordsNamed,
} from './lesson-facts.ts';

/** Probabilities are reported to three decimals: a choice below this is as good as ruled out. */
const LEAST_CHANCE = 0.0005;
/** Maximum number of learned reasons to show, in total and for one answer. */
const MOST_SHOWN = 12;
const MOST_REASONS = 4;

/**
 * Learns from the person's corrections, on their machine, and adds what it learned to the embedded decider: the shipped one, or
 * one with other weights (`decides`).
 */
export const createPersonalLayer = (decides?: () => Promise<DeciderWeights>): Learner & PersonalLayer => {
  let weights: Weights | null = null;
  const topics = new WeakMap<TopicQuestion, TopicReading>();
  const branches = new WeakMap<BranchQuestion, BranchReading>();
  // The decider without anything learned; it also reveals how it reads a question.
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
      // The place may be missing from the decider's short list: nothing to learn then.
      return lessons.filter((lesson) => lesson !== null && lesson.right >= 0) as TurnLesson[];
    },
    learn: async (lessons): Promise<LearningReport> => {
      if (lessons.length === 0) {
        weights = null;
        return NOTHING_LEARNED;
      }
      // Loaded only once something has been taught.
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
      base: rounded(Math.log(Math.max(chances[at]?.p ?? 0, LEAST_CHANCE)), 3),
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

const DOES: Readonly<Record<string, string>> = {
  'create-topic': 'opens a topic',
  'switch-topic': 'returns to a topic',
  'continue-topic': 'stays in the topic',
  'continue-branch': 'goes on with the branch',
  'create-branch': 'opens a branch',
  'switch-branch': 'goes to another branch',
};

/** Weakest effect worth reading, in log-odds: 0.2 moves an even chance by 5 points. */
const WEAKEST = 0.2;

/** Effect of a fact: which action it favours most, compared to the other answers to the same question. */
interface Effect {
  readonly fact: string;
  readonly action: string;
  readonly weight: number;
}

/** What was learned, in words a person can check, strongest first. */
export const learnedWords = (weights: Weights, most: number): Reason[] =>
  reasonsOf(
    effectsIn(weights).map(({ fact, actions }) => foremost(fact, actions)),
    most,
  );

/** What speaks for one action, in words: `spoke` is log-odds by fact. */
export const spokenWords = (action: string, spoke: Readonly<Record<string, number>>, most: number): Reason[] => {
  const weights = Object.fromEntries(Object.entries(spoke).map(([fact, weight]) => [`${action}: ${fact}`, weight]));
  return reasonsOf(
    effectsIn(weights).map(({ fact, actions }) => ({ fact, action, weight: actions.get(action) ?? 0 })),
    most,
  );
};

const reasonsOf = (effects: readonly Effect[], most: number): Reason[] =>
  effects
    .filter(({ weight }) => Math.abs(weight) >= WEAKEST)
    .sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight) || (a.fact < b.fact ? -1 : 1))
    .slice(0, most)
    .map(({ fact, action, weight }) => ({
      text: `${subject(fact)} ${DOES[action] ?? action}`,
      weight: rounded(weight, 2),
    }));

interface Effects {
  readonly fact: string;
  readonly actions: Map<string, number>;
}

/** Groups the weights by fact and question, merging wordings contained in one another under the strongest. */
const effectsIn = (weights: Weights): Effects[] => {
  const byFact = new Map<string, Effects>();
  for (const [name, weight] of Object.entries(weights)) {
    const [action, fact] = [actionIn(name), factIn(name)];
    const key = `${questionOf(action)} ${fact}`;
    const effects = byFact.get(key) ?? { fact, actions: new Map() };
    effects.actions.set(action, weight);
    byFact.set(key, effects);
  }
  const heads: Effects[] = [];
  for (const effects of [...byFact.values()].sort((a, b) => size(b) - size(a) || b.fact.length - a.fact.length)) {
    const home = heads.find((head) => sameQuestion(head, effects) && overlap(head.fact, effects.fact));
    if (home === undefined) heads.push({ fact: effects.fact, actions: new Map(effects.actions) });
    // A wording within the strongest always occurs with it, so it is added; a longer one is only a variant.
    else if (effects.fact.length <= home.fact.length) {
      for (const [action, weight] of effects.actions)
        home.actions.set(action, (home.actions.get(action) ?? 0) + weight);
    }
  }
  return heads;
};

const questionOf = (action: string): string => action.slice(action.lastIndexOf('-'));

const sameQuestion = (a: Effects, b: Effects): boolean => {
  const [[first = ''] = [], [second = ''] = []] = [[...a.actions.keys()], [...b.actions.keys()]];
  return questionOf(first) === questionOf(second);
};

/** Rounded, so that wordings that always occur together are told apart by length alone. */
const size = ({ actions }: Effects): number =>
  Math.round(100 * Math.max(0, ...[...actions.values()].map(Math.abs))) / 100;

/** “by the by” and “by the” are the same thing to a person. */
const overlap = (a: string, b: string): boolean => {
  const [first, second] = [wordsNamed(a), wordsNamed(b)];
  if (first === null || second === null) return false;
  return ` ${first} `.includes(` ${second} `) || ` ${second} `.includes(` ${first} `);
};

const foremost = (fact: string, actions: ReadonlyMap<string, number>): Effect => {
  const [[action, weight] = ['', 0]] = [...actions].sort(([, a], [, b]) => b - a);
  const others = [...actions].filter(([other]) => other !== action).map(([, other]) => other);
  return { fact, action, weight: weight - mean(others) };
};

const subject = (fact: string): string => {
  const words = wordsNamed(fact);
  if (words !== null) return `“${words}”`;
  if (fact === 'usual') return 'whatever you write';
  if (fact.startsWith('cue ')) return `wording of the kind “${fact.slice(4)}”`;
  return SAID[fact] ?? fact;
};

/** Wording of facts whose names cannot precede a verb. */
const SAID: Readonly<Record<string, string>> = {
  'near to the topic': 'likeness to the topic',
  'near to another topic': 'likeness to another topic',
  'near to the last turn': 'likeness to the last turn',
  'near to it': 'likeness to that topic',
  'the nearest': 'the topic most like it',
  'the latest': 'the topic before this one',
  'nearer to it than to the active turn': 'likeness to an earlier turn',
  'like the turn it would set aside': 'likeness to a turn already answered',
  'one turn up': 'the turn just before',
  'two turns up': 'the turn before the last',
  'the root': 'the first turn of the topic',
};
