import { refusalInWords } from '../../app/edits.ts';
import type { Forest, Node, NodeId } from '../../domain/forest.ts';
import { nodeOf, pathTo, subtree } from '../../domain/queries.ts';
import { recordsOf } from '../../domain/table.ts';

/** A turn that can be picked, or the reason why not. */
export interface TurnRow {
  readonly node: Node;
  /** The title of its topic, and of its branch where that is not the topic's first. */
  readonly crumbs: readonly string[];
  /** The topic's place in order of creation: its colour. */
  readonly topic: number;
  readonly refusal: string | null;
}

/** What a search looks through: made once for a forest, so that typing stays quick over thousands of turns. */
export interface Searchable extends TurnRow {
  readonly sought: string;
}

/** Every turn, the newest first, with where it is and why it cannot be picked. */
export const searchable = (forest: Forest, refusals: ReadonlyMap<NodeId, string>): Searchable[] =>
  recordsOf(forest.nodes)
    .toSorted((a, b) => b.number - a.number)
    .map((node) => {
      const crumbs = crumbsOf(forest, node);
      return {
        node,
        crumbs,
        topic: forest.trees[node.treeId]?.order ?? 0,
        refusal: refusals.get(node.id) ?? null,
        sought: `turn ${node.number} ${node.message} ${crumbs.join(' ')}`.toLocaleLowerCase(),
      };
    });

/** Those that have all the words, in any order; a turn whose number is the whole query comes first. */
export const found = (rows: readonly Searchable[], query: string): Searchable[] => {
  const words = query.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [...rows];
  const number = /^(?:turn\s*)?(\d+)$/i.exec(query.trim())?.[1];
  const hits = rows.filter((row) => words.every((word) => row.sought.includes(word)));
  const exact = rows.find(({ node }) => `${node.number}` === number);
  return exact === undefined ? hits : [exact, ...hits.filter((row) => row !== exact)];
};

const crumbsOf = (forest: Forest, { treeId, branchId }: Node): string[] => {
  const tree = forest.trees[treeId];
  const branch = forest.branches[branchId];
  if (tree === undefined) return [];
  const head = forest.nodes[branch?.headId ?? ''];
  if (branch === undefined || head === undefined || head.id === tree.rootId) return [tree.title];
  return [tree.title, branch.title ?? `branch from turn ${head.number}`];
};

/** Why turns cannot be moved under a turn, by that turn. */
export const moveRefusals = (forest: Forest, moving: readonly NodeId[]): Map<NodeId, string> => {
  const refusals = new Map<NodeId, string>();
  const parents = new Set(moving.map((id) => nodeOf(forest, id).parentId));
  const [parent] = parents;
  if (parents.size === 1 && parent != null) refusals.set(parent, refusalInWords('already-there'));
  for (const id of moving) {
    const { number } = nodeOf(forest, id);
    for (const node of subtree(forest, id)) {
      const words = node.id === id ? 'This is the turn to move.' : `It hangs from turn ${number}, which moves.`;
      refusals.set(node.id, words);
    }
  }
  return refusals;
};

/** Why a turn cannot refer to a turn, by that turn. */
export const referRefusals = (forest: Forest, from: NodeId): Map<NodeId, string> => {
  const refusals = new Map<NodeId, string>();
  for (const { id } of pathTo(forest, from)) refusals.set(id, refusalInWords('on-its-path'));
  return refusals.set(from, 'This is the turn that refers.');
};
