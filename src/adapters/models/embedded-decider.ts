import type { Decider } from '../../engine/ports.ts';
import { readBranchQuestion } from './embedded-decider-branch.ts';
import { reasonsFor } from './embedded-decider-reasons.ts';
import { TextReader } from './embedded-decider-texts.ts';
import { readTopicQuestion } from './embedded-decider-topic.ts';
import { BRANCH_MODEL, TOPIC_MODEL } from './embedded-decider-weights.ts';
import { branchWording, groupOf, topicWording } from './embedded-decider-wording.ts';
import { type Choice, type Model, probabilities } from './linear-choice.ts';

const NAME = 'embedded decider';

export interface DeciderModels {
  readonly topic: Model;
  readonly branch: Model;
}

/**
 * Role `decide` without a language model: a conditional logit over the choices that are open, on
 * similarities, discourse cues and the shape of the conversation. Microseconds to decide; the same
 * question always gives the same answer.
 */
export const createEmbeddedDecider = (
  { topic: topicModel, branch: branchModel }: DeciderModels = { topic: TOPIC_MODEL, branch: BRANCH_MODEL },
): Decider => {
  const reader = new TextReader();
  return {
    name: NAME,
    topic: async (question, signal) => {
      signal?.throwIfAborted();
      const reading = readTopicQuestion(question, reader);
      const { chosen, other, confidence, all } = choose(reading.choices, topicModel);
      const about = chosen.target ?? other.target;
      const wording = topicWording(question, reading, about);
      return {
        action: chosen.action,
        target: chosen.target,
        confidence,
        reasons: reasonsFor(chosen, other, topicModel, groupOf, reading.setting.cues, wording),
        raw: JSON.stringify(
          reading.choices.map(({ action, target }, at) => ({ action, target, p: rounded(all[at] ?? 0) })),
        ),
        decider: NAME,
      };
    },
    branch: async (question, signal) => {
      signal?.throwIfAborted();
      const { choices, cues } = readBranchQuestion(question, reader);
      const { chosen, other, confidence, all } = choose(choices, branchModel);
      return {
        action: chosen.action,
        confidence,
        reasons: reasonsFor(chosen, other, branchModel, groupOf, cues, branchWording(question)),
        raw: JSON.stringify(choices.map(({ action }, at) => ({ action, p: rounded(all[at] ?? 0) }))),
        decider: NAME,
      };
    },
  };
};

/** The likeliest choice, and the next likely one. The first choice, to go on, wins a tie. */
const choose = <C extends Choice>(choices: readonly C[], model: Model) => {
  const all = probabilities(choices, model);
  const order = all.map((_, at) => at).sort((a, b) => (all[b] ?? 0) - (all[a] ?? 0));
  const chosen = choices[order[0] ?? 0];
  if (chosen === undefined) throw new Error('nothing to choose from');
  return { chosen, other: choices[order[1] ?? 0] ?? chosen, confidence: all[order[0] ?? 0] ?? 0, all };
};

const rounded = (value: number): number => Math.round(value * 1000) / 1000;
