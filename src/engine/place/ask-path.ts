import type { TreeId } from '../../domain/forest.ts';
import type { Decider, TopicQuestion } from '../ports.ts';
import type { PathAnswer, PathQuestion } from './path-question.ts';

type Weighed = Awaited<ReturnType<Decider['topic']>>;

/**
 * Whether a message goes on in a path. A decider that answers no such question weighs all topics against each other,
 * once for all paths of a message: it says yes where it finds the path's topic likelier than not, and so the same of
 * all paths of a topic. One that gives no probability says yes to the topic that it names.
 */
export const askPath = async (decider: Decider, question: PathQuestion, signal?: AbortSignal): Promise<PathAnswer> => {
  if (decider.path !== undefined) return decider.path(question, signal);
  const among = await weighed(decider, question, signal);
  const { treeId } = question;
  const chance = chanceOf(among, treeId);
  const yes = chance === null ? among.target === treeId : chance > 0.5;
  const { reasons, raw, prompt, decider: by, personal } = among;
  return {
    yes,
    confidence: chance === null ? null : yes ? chance : 1 - chance,
    reasons,
    raw,
    ...(prompt && { prompt }),
    decider: by,
    ...(personal && { personal }),
    among,
  };
};

/** Probability that a topic answer gave a topic; 0 where it does not tell it, which it does of all but the least likely. */
const chanceOf = ({ target, confidence, alternatives = [] }: Weighed, treeId: TreeId): number | null => {
  if (confidence === null || target === treeId) return confidence;
  return alternatives.find((one) => one.target === treeId)?.confidence ?? 0;
};

const answers = new WeakMap<TopicQuestion, Map<Decider, Promise<Weighed>>>();

const weighed = (decider: Decider, { among, onAsked }: PathQuestion, signal?: AbortSignal): Promise<Weighed> => {
  const known = answers.get(among) ?? new Map<Decider, Promise<Weighed>>();
  answers.set(among, known);
  const before = known.get(decider);
  if (before !== undefined) return before;
  const answer = decider.topic({ ...among, ...(onAsked && { onAsked }) }, signal);
  known.set(decider, answer);
  return answer;
};
