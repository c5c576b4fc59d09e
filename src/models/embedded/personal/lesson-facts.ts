import { indicator } from '../../../domain/numbers.ts';
import type { Facts, LessonChoice } from '../../../engine/lessons.ts';
import { CUES, type Cue } from '../../../engine/place/cues.ts';
import type { BranchPlace, TopicView } from '../../../engine/ports.ts';
import { wordsOf } from '../../../engine/text/words.ts';
import type { BranchReading } from '../branch-features.ts';
import { asksForKnowledge, asksInGeneral, isAct } from '../message-features.ts';
import type { TopicReading } from '../topic-features.ts';

/** Learned weights: log-odds of an action per unit of a fact, keyed by `nameOf`. */
export type Weights = Readonly<Record<string, number>>;

export const nameOf = (action: string, fact: string): string => `${action}: ${fact}`;

export const actionIn = (name: string): string => name.slice(0, name.indexOf(': '));
export const factIn = (name: string): string => name.slice(name.indexOf(': ') + 2);

/** Log-odds that the weights add to each choice, in order; all 0 without weights. */
export const offsetsOf = (weights: Weights, { message, choices }: QuestionFacts): number[] =>
  choices.map(({ action, facts }) => sumOf(weights, action, message) + sumOf(weights, action, facts));

const sumOf = (weights: Weights, action: string, facts: Facts): number => {
  let sum = 0;
  for (const fact in facts) sum += (weights[nameOf(action, fact)] ?? 0) * (facts[fact] ?? 0);
  return sum;
};

/** A question as the personal layer sees it: the facts of the message, and of each choice, in order. */
export interface QuestionFacts {
  readonly message: Facts;
  readonly choices: readonly Omit<LessonChoice, 'base'>[];
}

/** About the average cosine of a message to its own topic and to the nearest other one, over the labelled sets. */
const USUAL_SIMILARITY = 0.45;
/** Logarithm of the number of words of a usual message, about eleven. */
const USUAL_LENGTH = 2.5;

/** Facts of the topic question. Similarities and lengths are relative to what is usual, so `usual` alone means always. */
export const topicFacts = ({ setting, choices }: TopicReading): QuestionFacts => {
  const { cues, active, nearestOther, latestOther, question } = setting;
  const near = away(active);
  const message = {
    ...messageFacts(question.message, cues),
    'near to the topic': near,
    'near to another topic': nearestOther === undefined ? 0 : away(nearestOther),
    'near to the last turn': (question.path.at(-1)?.similarity ?? USUAL_SIMILARITY) - USUAL_SIMILARITY,
    'a topic of one turn': indicator(active?.size === 1),
    'nothing but new words': indicator(
      setting.words.size > 0 && (setting.shared.get(active?.treeId ?? '') ?? []).length === 0,
    ),
  };
  return {
    message,
    choices: choices.map(({ action, target }) => {
      const topic = action === 'switch-topic' ? setting.others.find(({ treeId }) => treeId === target) : undefined;
      if (topic === undefined) return { action, facts: {} };
      const facts = {
        'near to it': away(topic),
        'the nearest': indicator(topic === nearestOther),
        'the latest': indicator(topic === latestOther),
      };
      return { action, facts };
    }),
  };
};

/** Facts of the branch question. */
export const branchFacts = ({ choices, cues, question: { message, path, places } }: BranchReading): QuestionFacts => {
  const here = path.at(-1)?.similarity ?? 0;
  return {
    message: messageFacts(message, cues),
    choices: choices.map(({ action, point }) => {
      const place = places.find(({ from }) => from.nodeId === point);
      return { action, facts: place === undefined ? {} : placeFacts(place, here) };
    }),
  };
};

const placeFacts = ({ from, steps, setAside }: BranchPlace, here: number): Facts => ({
  'nearer to it than to the active turn': from.similarity - here,
  'like the turn it would set aside': setAside === null ? 0 : setAside.similarity - from.similarity,
  'one turn up': indicator(steps === 1),
  'two turns up': indicator(steps === 2),
  'the root': indicator(from.node.parentId === null),
});

const messageFacts = (message: string, cues: ReadonlyMap<Cue, string>): Record<string, number> => {
  const facts: Record<string, number> = {
    usual: 1,
    'a long message': Math.log1p(message.split(/\s+/).length) - USUAL_LENGTH,
    'a general question': indicator(asksInGeneral(cues)),
    'a question for knowledge': indicator(asksForKnowledge(cues)),
    'an instruction': indicator(isAct(cues)),
  };
  for (const cue of CUES) if (cues.has(cue)) facts[`cue ${cue}`] = 1;
  return { ...facts, ...wordingFacts(message) };
};

const away = (topic: TopicView | undefined): number => (topic?.similarity ?? USUAL_SIMILARITY) - USUAL_SIMILARITY;

/** Leading words of a message to look at: there people say what a message does. */
const START = 8;
/** Longest opening recorded as one fact, in words. */
const LONGEST_OPENING = 3;

const QUOTED = /“(.+)”$/;

/**
 * How a message is worded, as facts: how it opens, the pairs of words near its start, and how it ends. Each fact names its words,
 * so that the person can be told what was learned.
 */
export const wordingFacts = (message: string): Record<string, number> => {
  const words = wordsOf(message.slice(0, 400)).map((word) => word.toLowerCase().replaceAll('’', "'"));
  const facts: Record<string, number> = {};
  for (let count = 1; count <= Math.min(LONGEST_OPENING, words.length); count++) {
    facts[`opens “${words.slice(0, count).join(' ')}”`] = 1;
  }
  for (let at = 1; at + 1 < Math.min(START, words.length); at++) facts[`says “${words[at]} ${words[at + 1]}”`] = 1;
  const last = wordsOf(message.slice(-80)).slice(-2);
  if (words.length > LONGEST_OPENING) facts[`ends “${last.join(' ').toLowerCase()}”`] = 1;
  return facts;
};

/** The words that a wording fact names; null for any other fact. */
export const wordsNamed = (fact: string): string | null => QUOTED.exec(fact)?.[1] ?? null;
