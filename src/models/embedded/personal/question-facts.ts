import { CUES, type Cue } from '../../../engine/place/cues.ts';
import type { Facts, LessonChoice } from '../../../engine/place/lessons.ts';
import type { BranchPlace, TopicView } from '../../../engine/ports.ts';
import type { BranchReading } from '../embedded-decider-branch.ts';
import { asksForKnowledge, asksInGeneral, isAct } from '../embedded-decider-kinds.ts';
import type { TopicReading } from '../embedded-decider-topic.ts';
import { wordingFacts } from './wording-facts.ts';

/** A question as the personal layer sees it: what is said of the message, and of each choice, in order. */
export interface QuestionFacts {
  readonly message: Facts;
  readonly choices: readonly Omit<LessonChoice, 'base'>[];
}

/** About the average cosine of a message to its own topic and to the nearest other one, over the labelled sets. */
const USUAL_SIMILARITY = 0.45;
/** Logarithm of the number of words of a usual message, about eleven. */
const USUAL_LENGTH = 2.5;

/** Of the topic question. Similarities and lengths are told from what is usual, so that `usual` alone means always. */
export const topicFacts = ({ setting, choices }: TopicReading): QuestionFacts => {
  const { cues, active, nearestOther, latestOther, question } = setting;
  const near = away(active);
  const message = {
    ...messageFacts(question.message, cues),
    'near to the topic': near,
    'near to another topic': nearestOther === undefined ? 0 : away(nearestOther),
    'near to the last turn': (question.path.at(-1)?.similarity ?? USUAL_SIMILARITY) - USUAL_SIMILARITY,
    'a topic of one turn': is(active?.size === 1),
    'nothing but new words': is(
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
        'the nearest': is(topic === nearestOther),
        'the latest': is(topic === latestOther),
      };
      return { action, facts };
    }),
  };
};

/** Of the branch question. */
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
  'one turn up': is(steps === 1),
  'two turns up': is(steps === 2),
  'the root': is(from.node.parentId === null),
});

const messageFacts = (message: string, cues: ReadonlyMap<Cue, string>): Record<string, number> => {
  const facts: Record<string, number> = {
    usual: 1,
    'a long message': Math.log1p(message.split(/\s+/).length) - USUAL_LENGTH,
    'a general question': is(asksInGeneral(cues)),
    'a question for knowledge': is(asksForKnowledge(cues)),
    'an instruction': is(isAct(cues)),
  };
  for (const cue of CUES) if (cues.has(cue)) facts[`cue ${cue}`] = 1;
  return { ...facts, ...wordingFacts(message) };
};

const away = (topic: TopicView | undefined): number => (topic?.similarity ?? USUAL_SIMILARITY) - USUAL_SIMILARITY;

const is = (holds: boolean): number => (holds ? 1 : 0);
