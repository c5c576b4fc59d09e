import type { EvaluatedDecision, EvaluatedDialogue } from './evaluation-port.ts';

/** For each turn the number of its topic in order of creation, from 0: as labelled, and as decided. */
export const topicNumbers = (
  { turns }: Pick<EvaluatedDialogue, 'turns'>,
  decisions: readonly Pick<EvaluatedDecision, 'turn' | 'predicted'>[],
  mode: string,
): { readonly labelled: readonly number[]; readonly decided: readonly number[] } => {
  const labelled = numbered(turns.map(({ parent }) => parent));
  const parents = turns.map((_, turn) => decisions.find((one) => one.turn === turn)?.predicted.parent ?? null);
  if (mode === 'free-running') return { labelled, decided: numbered(parents) };
  // Every earlier turn stood where its label says; a topic too many has the number of none.
  const topics = Math.max(-1, ...labelled) + 1;
  const decided = parents.map((parent, turn) => {
    if (parent !== null) return labelled[parent] ?? topics;
    return turns[turn]?.parent === null ? (labelled[turn] ?? topics) : topics;
  });
  return { labelled, decided };
};

const numbered = (parents: readonly (number | null)[]): number[] => {
  const numbers: number[] = [];
  let next = 0;
  for (const parent of parents) numbers.push(parent === null ? next++ : (numbers[parent] ?? 0));
  return numbers;
};
