import type { Node } from '../../domain/forest.ts';
import { childrenOf } from '../../domain/queries.ts';
import { counted } from '../parts/format.ts';
import type { Scene } from './scene.ts';
import { type Standing, standingOf } from './standing.ts';

const STANDING: Readonly<Record<Standing, string>> = {
  full: 'in the context in full',
  summary: 'in the context as a summary',
  'left-out': 'not in the context',
  hidden: 'hidden, never in the context',
};

/** What is selected in words, for those who do not see it. */
export const selectionText = (scene: Scene): string => {
  const { forest, standings, selectedId, selection, folds } = scene;
  const node = selectedId === null ? undefined : forest.nodes[selectedId];
  if (node === undefined)
    return Object.keys(forest.nodes).length === 0 ? 'The forest is empty.' : 'No turn is selected.';
  const where = [
    ...(forest.active?.nodeId === node.id ? ['active'] : standings.path.has(node.id) ? ['on the active path'] : []),
    STANDING[standingOf(forest, standings, node.id)],
    ...marksInWords(node),
    after(childrenOf(forest, node.id).length, folds.get(node.id) ?? 0),
  ];
  const others = selection.size > 1 ? `${counted(selection.size, 'turn')} selected. ` : '';
  const title = forest.trees[node.treeId]?.title ?? '';
  return `${others}Turn ${node.number}, ${where.join(', ')}. ${title}: ${node.message.slice(0, 200)}`;
};

const marksInWords = ({ pinned, note, references }: Pick<Node, 'pinned' | 'note' | 'references'>): string[] => [
  ...(pinned ? ['pinned'] : []),
  ...(note === null ? [] : ['has a note']),
  ...(references.length === 0 ? [] : [`refers to ${counted(references.length, 'turn')}`]),
];

const after = (children: number, folded: number): string => {
  if (children === 0) return 'the tip of its branch';
  const follows = children === 1 ? 'one turn follows' : `${children} turns follow`;
  return folded === 0 ? follows : `${follows}, ${counted(folded, 'turn')} folded away`;
};
