import type { Forest, Node } from '../../domain/forest.ts';
import { nodeOf, subtree } from '../../domain/queries.ts';
import { counted } from '../parts/format.ts';

/** Where an edited message goes, and what becomes of the one it comes from. */
export const editWords = (forest: Forest, node: Node): string => {
  const { parentId, number, id } = node;
  const parent = parentId === null ? null : nodeOf(forest, parentId);
  const to = parent === null ? 'Begins a new topic' : `Goes on from turn ${parent.number} as a new branch`;
  const below = subtree(forest, id).length - 1;
  return below === 0
    ? `${to}. Turn ${number} stays beside it.`
    : `${to}. Turn ${number} and the ${counted(below, 'turn')} below it stay beside it.`;
};
