import { TextReader } from '../adapters/models/embedded-decider-texts.ts';
import { embeddingText } from '../engine/embedding-text.ts';
import { type BranchExample, branchExamples } from './branch-examples.ts';
import type { LabelledDialogue } from './labelled-dialogue.ts';
import { type TopicExample, topicExamples } from './topic-examples.ts';
import type { VectorOf } from './vectors.ts';

export interface Examples {
  readonly topic: readonly TopicExample[];
  readonly branch: readonly BranchExample[];
}

/** Below every θ worth asking at, so that θ can be chosen afterwards. */
const LOWEST_THETA = 0;

/** Every decision in the labelled dialogues. Each set weighs what it is given, however many it has. */
export const examplesOf = async (
  dialogues: readonly LabelledDialogue[],
  vectorOf: VectorOf,
  weights: { readonly topic: (set: string) => number; readonly branch: (set: string) => number },
): Promise<Examples> => {
  const reader = new TextReader();
  const topic = dialogues.flatMap((dialogue) => topicExamples(dialogue, vectorOf, reader));
  const branch: BranchExample[] = [];
  for (const dialogue of dialogues) {
    if (dialogue.labels === 'parents') branch.push(...(await branchExamples(dialogue, vectorOf, reader, LOWEST_THETA)));
  }
  return { topic: weighted(topic, weights.topic), branch: weighted(branch, weights.branch) };
};

/** Texts whose vectors the examples need. */
export const textsOf = (dialogues: readonly LabelledDialogue[]): Set<string> =>
  new Set(
    dialogues.flatMap(({ turns }) =>
      turns.flatMap(({ message, reply }) => [message, embeddingText({ message, reply: reply ?? '' })]),
    ),
  );

const weighted = <E extends TopicExample | BranchExample>(examples: readonly E[], of: (set: string) => number): E[] => {
  const counts = new Map<string, number>();
  for (const { dialogue } of examples) counts.set(dialogue.set, (counts.get(dialogue.set) ?? 0) + 1);
  return examples.map((example) => ({
    ...example,
    weight: of(example.dialogue.set) / (counts.get(example.dialogue.set) ?? 1),
  }));
};
