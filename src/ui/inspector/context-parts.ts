import type { Context, Overview, OverviewLine, Segment } from '../../domain/context.ts';
import type { Forest, NodeId } from '../../domain/forest.ts';
import { counted } from '../parts/numbers.ts';
import { ranges } from './figures.ts';

/** Kinds of text in a context, in the order in which they are shown. */
export const PART_KINDS = ['turn', 'turn-summary', 'branch', 'topic', 'instructions', 'message', 'left-out'] as const;
export type PartKind = (typeof PART_KINDS)[number];

/** A piece of a context that can be told apart by eye: a segment, or a line of its overview. */
export interface Part {
  /** Its place in what is sent, from 0. */
  readonly index: number;
  readonly kind: PartKind;
  readonly label: string;
  readonly tokens: number;
  /** The turn it speaks of, or the first of them; null if none, or none that still stands. */
  readonly nodeId: NodeId | null;
  /** A topic's place in order of creation, for its colour; null for what belongs to no topic. */
  readonly topic: number | null;
}

export interface PartGroup {
  readonly kind: PartKind;
  readonly label: string;
  readonly tokens: number;
  readonly parts: readonly Part[];
}

/** The parts of a context, in the order sent. */
export const contextParts = (forest: Forest, context: Context): Part[] =>
  context.segments.flatMap((segment) => partsOf(forest, segment)).map((part, index) => ({ ...part, index }));

type Unplaced = Omit<Part, 'index'>;

const partsOf = (forest: Forest, segment: Segment): Unplaced[] => {
  const { tokens } = segment;
  switch (segment.kind) {
    case 'instructions':
      return [{ kind: 'instructions', label: 'Instructions', tokens, nodeId: null, topic: null }];
    case 'overview':
      return overviewParts(forest, forest.overviews[segment.overviewId], tokens);
    case 'turn': {
      const turn = turnLabel(forest, segment.nodeId);
      const label = `${turn}${whyOffPath(forest, segment)}`;
      return [{ kind: 'turn', label, tokens, ...home(forest, segment.nodeId) }];
    }
    case 'turn-summary':
      return [
        { kind: 'turn-summary', label: turnLabel(forest, segment.nodeId), tokens, ...home(forest, segment.nodeId) },
      ];
    case 'reference-summary': {
      const label = `${turnLabel(forest, segment.nodeId)}, referred to`;
      return [{ kind: 'turn-summary', label, tokens, ...home(forest, segment.nodeId) }];
    }
    case 'path-left-out': {
      const label = `${counted(segment.turns, 'turn')} of the path left out`;
      return [{ kind: 'left-out', label, tokens, nodeId: null, topic: null }];
    }
    case 'history-left-out': {
      const label = `${counted(segment.turns, 'turn')} of the conversation left out`;
      return [{ kind: 'left-out', label, tokens, nodeId: null, topic: null }];
    }
    case 'message':
      return [{ kind: 'message', label: 'The message', tokens, ...home(forest, segment.nodeId) }];
  }
};

/** Why a turn is sent that is not on the path; empty for one that is. */
const whyOffPath = (forest: Forest, { unsure, pinned, neededBy }: Segment & { kind: 'turn' }): string => {
  if (unsure === true) return ', in case the decision is wrong';
  if (pinned === true) return ', pinned';
  return neededBy === undefined ? '' : `, referred to by ${turnLabel(forest, neededBy).toLowerCase()}`;
};

/** The lines of an overview, and what its heading and line ends cost beside them. */
const overviewParts = (forest: Forest, overview: Overview | undefined, tokens: number): Unplaced[] => {
  const none = { nodeId: null, topic: null };
  if (overview === undefined) return [{ kind: 'topic', label: 'Overview', tokens, ...none }];
  const parts = overview.lines.map((line) => linePart(forest, line));
  const rest = tokens - parts.reduce((sum, part) => sum + part.tokens, 0);
  if (rest <= 0) return parts;
  return [{ kind: 'instructions', label: 'Heading of the overview', tokens: rest, ...none }, ...parts];
};

const linePart = (forest: Forest, line: OverviewLine): Unplaced => {
  const { tokens } = line;
  if (line.kind === 'left-out') {
    const found = [
      line.branches > 0 ? counted(line.branches, 'branch', 'branches') : '',
      line.topics > 0 ? counted(line.topics, 'topic') : '',
    ];
    const label = `${found.filter((words) => words !== '').join(' and ')} left out`;
    return { kind: 'left-out', label, tokens, nodeId: null, topic: null };
  }
  const place = home(forest, line.nodeIds[0]);
  if (line.kind === 'topic') {
    return { kind: 'topic', label: forest.trees[line.treeId]?.title ?? 'A topic that is gone', tokens, ...place };
  }
  const numbers = line.nodeIds.flatMap((id) => forest.nodes[id]?.number ?? []);
  return {
    kind: 'branch',
    label: `Branch of ${numbers.length === 1 ? 'turn' : 'turns'} ${ranges(numbers)}`,
    tokens,
    ...place,
  };
};

const home = (forest: Forest, nodeId: NodeId | undefined): Pick<Part, 'nodeId' | 'topic'> => {
  const node = nodeId === undefined ? undefined : forest.nodes[nodeId];
  if (node === undefined) return { nodeId: null, topic: null };
  return { nodeId: node.id, topic: forest.trees[node.treeId]?.order ?? null };
};

const turnLabel = (forest: Forest, nodeId: NodeId): string => {
  const node = forest.nodes[nodeId];
  return node === undefined ? 'A turn that is gone' : `Turn ${node.number}`;
};

/** Up to this many topics are listed one by one. */
const NAMED = 3;

/** Parts by kind; kinds that do not occur are left out, and a few topics stand by themselves. */
export const groupParts = (forest: Forest, parts: readonly Part[]): PartGroup[] =>
  PART_KINDS.flatMap((kind) => {
    const own = parts.filter((part) => part.kind === kind);
    if (own.length === 0) return [];
    const groups = kind === 'topic' && own.length <= NAMED ? own.map((part) => [part]) : [own];
    return groups.map((group) => {
      const tokens = group.reduce((sum, part) => sum + part.tokens, 0);
      return { kind, label: groupLabel(forest, kind, group), tokens, parts: group };
    });
  });

const groupLabel = (forest: Forest, kind: PartKind, parts: readonly Part[]): string => {
  const numbers = parts.flatMap((part) => (part.nodeId === null ? [] : (forest.nodes[part.nodeId]?.number ?? [])));
  const turns = `${parts.length === 1 ? 'turn' : 'turns'} ${ranges(numbers)}`;
  switch (kind) {
    case 'turn':
      // Not “path”: a policy without a tree sends turns from anywhere.
      return `in full: ${turns}`;
    case 'turn-summary':
      return `as summaries: ${turns}`;
    case 'branch':
      return `${parts.length === 1 ? 'summary' : 'summaries'} of ${counted(parts.length, 'branch', 'branches')}`;
    case 'topic':
      return parts.length === 1 ? `summary: ${parts[0]?.label}` : `summaries of ${counted(parts.length, 'topic')}`;
    case 'instructions':
      return 'instructions';
    case 'message':
      return 'the message';
    case 'left-out':
      return parts.map((part) => part.label).join(', ');
  }
};
