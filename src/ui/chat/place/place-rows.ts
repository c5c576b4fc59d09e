import fuzzysort from 'fuzzysort';
import type { Forest, Node, Target, Tree } from '../../../domain/forest.ts';
import { activePath, childrenOf, treesOf } from '../../../domain/queries.ts';

/** A place that the next message can be sent to, or (`decide`) the way back to not choosing one. */
export type PlaceRow = { readonly key: string; readonly marks: readonly number[] } & (
  | { readonly kind: 'here'; readonly node: Node; readonly tree: Tree }
  | { readonly kind: 'new-topic' }
  | { readonly kind: 'decide' }
  | { readonly kind: 'topic'; readonly tree: Tree; readonly last: Node }
  | { readonly kind: 'turn'; readonly node: Node; readonly tree: Tree; readonly forks: boolean }
);

export interface PlaceGroup {
  readonly heading: string;
  readonly rows: readonly PlaceRow[];
}

export interface Places {
  readonly forest: Forest;
  /** What is chosen already. */
  readonly target: Target | null;
  /** Cosine of the draft to topics, by their ids, as far as it is known: the nearest come first. */
  readonly near: ReadonlyMap<string, number>;
}

/** What a row says, before what stands at its end. */
export const rowWords = (row: PlaceRow): string => {
  switch (row.kind) {
    case 'here':
      return 'Continue here';
    case 'new-topic':
      return 'New topic';
    case 'decide':
      return 'Let Coppice decide';
    case 'topic':
      return row.tree.title;
    case 'turn':
      return row.node.message.slice(0, LETTERS);
  }
};

/** What stands at the end of a row. */
export const rowDetail = (row: PlaceRow): string => {
  switch (row.kind) {
    case 'here':
      return `after turn ${row.node.number}`;
    case 'topic':
      return `after turn ${row.last.number}`;
    case 'turn':
      return row.forks ? 'new branch' : 'goes on';
    default:
      return '';
  }
};

/** The key that chooses a row while nothing is sought. */
export const KEYS: Readonly<Partial<Record<PlaceRow['kind'], string>>> = {
  here: '.',
  'new-topic': '+',
  decide: 'Backspace',
};

export const targetOf = (row: PlaceRow): Target | null => {
  switch (row.kind) {
    case 'decide':
      return null;
    case 'new-topic':
      return { kind: 'new-topic', chosen: true };
    case 'topic':
      return { kind: 'under', nodeId: row.last.id, chosen: true };
    case 'here':
    case 'turn':
      return { kind: 'under', nodeId: row.node.id, chosen: true };
  }
};

/** Letters of a message that are shown and looked through. */
const LETTERS = 240;
/** Rows of a kind before anything is sought. */
const FIRST_TOPICS = 6;
const FIRST_TURNS = 4;
/** Rows of a kind that are found. */
const FOUND = 12;
/** From 0 for no match to 1 for the same: below this, letters only happen to follow each other. */
const LEAST = 0.35;
const LEAST_IN_MESSAGES = 0.45;

/** The places that match; without a query the likely ones. */
export const placeGroups = (places: Places, query: string): PlaceGroup[] => {
  const sought = query.trim();
  const groups =
    sought === ''
      ? [
          { heading: 'The next message', rows: plainRows(places) },
          { heading: 'Other topics', rows: otherTopics(places).slice(0, FIRST_TOPICS) },
          { heading: 'Earlier in this topic', rows: earlierTurns(places.forest) },
        ]
      : [
          { heading: 'The next message', rows: matching(plainRows(places), sought, LEAST) },
          { heading: 'Other topics', rows: matching(otherTopics(places), sought, LEAST) },
          { heading: 'Turns', rows: foundTurns(places.forest, sought) },
        ];
  return groups.filter(({ rows }) => rows.length > 0);
};

const plainRows = ({ forest, target }: Places): PlaceRow[] => {
  const here = forest.nodes[forest.active?.nodeId ?? ''];
  const tree = forest.trees[here?.treeId ?? ''];
  return [
    ...(here && tree ? [{ kind: 'here', key: 'here', marks: [], node: here, tree } as const] : []),
    { kind: 'new-topic', key: 'new-topic', marks: [] },
    ...(target === null ? [] : [{ kind: 'decide', key: 'decide', marks: [] } as const]),
  ];
};

/** The nearest to what is being written first, where that is known; else those spoken of last. */
const otherTopics = ({ forest, near }: Places): PlaceRow[] =>
  treesOf(forest)
    .flatMap((tree) => {
      const last = forest.nodes[tree.activeId];
      return tree.id === forest.active?.treeId || last === undefined || last.hidden ? [] : [{ tree, last }];
    })
    .sort((a, b) => (near.get(b.tree.id) ?? -1) - (near.get(a.tree.id) ?? -1) || b.last.number - a.last.number)
    .map(({ tree, last }) => ({ kind: 'topic', key: tree.id, marks: [], tree, last }));

const earlierTurns = (forest: Forest): PlaceRow[] =>
  activePath(forest)
    .slice(0, -1)
    .filter(({ hidden }) => !hidden)
    .slice(-FIRST_TURNS)
    .reverse()
    .flatMap((node) => turnRow(forest, node));

const turnRow = (forest: Forest, node: Node): PlaceRow[] => {
  const tree = forest.trees[node.treeId];
  if (tree === undefined) return [];
  return [{ kind: 'turn', key: node.id, marks: [], node, tree, forks: childrenOf(forest, node.id).length > 0 }];
};

const matching = (rows: readonly PlaceRow[], sought: string, threshold: number): PlaceRow[] =>
  fuzzysort
    .go(sought, rows, { key: rowWords, threshold, limit: FOUND })
    .map(({ obj, indexes }) => ({ ...obj, marks: [...indexes] }));

/** A turn whose number is the query comes first. */
const foundTurns = (forest: Forest, sought: string): PlaceRow[] => {
  const rows = Object.values(forest.nodes)
    .filter(({ hidden }) => !hidden)
    .flatMap((node) => turnRow(forest, node));
  const number = /^(?:turn\s*)?#?(\d+)$/i.exec(sought)?.[1];
  const named = rows.filter((row) => row.kind === 'turn' && `${row.node.number}` === number);
  return [...named, ...matching(rows, sought, LEAST_IN_MESSAGES).filter(({ key }) => key !== named[0]?.key)];
};
