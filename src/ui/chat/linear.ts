import type { Forest, Node, NodeId, Tree, TreeId } from '../../domain/forest.ts';
import { isAncestor } from '../../domain/queries.ts';
import { count } from '../parts/format.ts';

/** Turns sent between two turns of the path that lie elsewhere. */
export interface Gap {
  readonly kind: 'gap';
  readonly words: string;
  /** Topic to colour it by, where they are all on one other topic. */
  readonly topic: TreeId | null;
  /** The newest of them. */
  readonly lastId: NodeId;
}

/** Turns of the path that follow each other and are hidden: no model is sent them. */
interface HiddenRun {
  readonly kind: 'hidden';
  readonly nodes: readonly Node[];
}

/** The path as a linear conversation: its turns, and between them what happened elsewhere. */
export type LinearItem = Gap | HiddenRun | { readonly kind: 'turn'; readonly node: Node };

export const linear = (forest: Forest, path: readonly Node[]): LinearItem[] => {
  const others = elsewhere(forest, path);
  const items: LinearItem[] = [];
  const tip = path.at(-1);
  let next = 0;
  const gapBefore = (limit: number) => {
    const start = next;
    while ((others[next]?.number ?? Infinity) < limit) next += 1;
    if (next > start && tip !== undefined) items.push(gap(forest, others.slice(start, next), tip));
  };
  for (const node of path) {
    gapBefore(node.number);
    if (node.hidden) addHidden(items, node);
    else items.push({ kind: 'turn', node });
  }
  gapBefore(Infinity);
  return items;
};

const addHidden = (items: LinearItem[], node: Node): void => {
  const before = items.at(-1);
  if (before?.kind === 'hidden') items[items.length - 1] = { kind: 'hidden', nodes: [...before.nodes, node] };
  else items.push({ kind: 'hidden', nodes: [node] });
};

/** Longest title, in characters, that leaves room for the words around it. */
const TITLE = 24;
const shortened = (title: string): string => (title.length > TITLE ? `${title.slice(0, TITLE - 1).trimEnd()}…` : title);

const elsewhere = (forest: Forest, path: readonly Node[]): Node[] => {
  const onPath = new Set(path.map((node) => node.id));
  const others: Node[] = [];
  for (const id in forest.nodes) {
    const node = forest.nodes[id];
    if (node !== undefined && !onPath.has(id)) others.push(node);
  }
  return others.sort((a, b) => a.number - b.number);
};

const gap = (forest: Forest, nodes: readonly Node[], tip: Node): Gap => {
  const last = nodes.at(-1) as Node;
  const later = last.number > tip.number;
  const turns = `${count(nodes.length)}${later ? ' later' : ''} ${nodes.length === 1 ? 'turn' : 'turns'}`;
  const are = nodes.length === 1 ? 'is' : 'are';
  const topics = new Set(nodes.map((node) => node.treeId));
  const [only] = topics;
  const withOwn = topics.delete(tip.treeId);
  const one = !withOwn && topics.size === 1 && only !== undefined ? only : null;

  const words =
    one !== null
      ? `${turns} on ${shortened(forest.trees[one]?.title ?? 'it')} ${are} another topic`
      : !withOwn
        ? `${turns} are on ${topics.size} other topics`
        : topics.size > 0
          ? `${turns} are on other branches and topics`
          : later && nodes.every((node) => isAncestor(forest, tip.id, node.id))
            ? `${turns} ${nodes.length === 1 ? 'goes' : 'go'} on from here`
            : `${turns} ${are} on another branch`;
  return { kind: 'gap', words, topic: one, lastId: last.id };
};

interface Crumbs {
  readonly topic: Tree;
  /** Heads of the branches that the path runs through after its first, in order. */
  readonly forks: readonly Node[];
  /** Forks left out between the topic and the ones shown. */
  readonly hidden: number;
}

/** Forks shown before the oldest are left out. */
const SHOWN = 2;

/** The way to the end of a path: its topic, and where it forked. Null for an empty path. */
export const crumbsOf = (forest: Forest, path: readonly Node[]): Crumbs | null => {
  const topic = forest.trees[path[0]?.treeId ?? ''];
  if (topic === undefined) return null;
  const forks = path.filter((node, index) => index > 0 && path[index - 1]?.branchId !== node.branchId);
  return { topic, forks: forks.slice(-SHOWN), hidden: Math.max(0, forks.length - SHOWN) };
};
