import type { Decider, Models } from '../ports.ts';
import { askPath } from './ask-path.ts';

/**
 * Answers by the first decider where it is sure enough, and asks the second where it is not: a language model
 * then works only for the few messages that need it. An answer without a confidence counts as unsure.
 */
export const askingWhereUnsure = (first: Decider, second: Decider, sureFrom: number): Decider => {
  const sure = (confidence: number | null): boolean => confidence !== null && confidence >= sureFrom;
  return {
    name: `${first.name}, and ${second.name} where that is unsure`,
    ungated: first.ungated === true,
    topic: async (question, signal) => {
      const answer = await first.topic(question, signal);
      return sure(answer.confidence) ? answer : second.topic(question, signal);
    },
    branch: async (question, signal) => {
      const answer = await first.branch(question, signal);
      return sure(answer.confidence) ? answer : second.branch(question, signal);
    },
    path: async (question, signal) => {
      const answer = await askPath(first, question, signal);
      return sure(answer.confidence) ? answer : askPath(second, question, signal);
    },
  };
};

/**
 * Who is asked, in turn: the chosen decider, beside which another may be asked where it is unsure (`consult`); and
 * the embedded one where they fail.
 */
export const decidersFor = (
  { decide, consult }: Pick<Models, 'decide' | 'consult'>,
  embedded: Decider,
  sureFrom: number,
): Decider[] => {
  const first = consult === undefined ? decide : askingWhereUnsure(decide, consult, sureFrom);
  return first === embedded ? [embedded] : [first, embedded];
};
