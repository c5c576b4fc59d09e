import type { Context, Segment } from '../../../domain/context.ts';
import { byNumber, type Forest, type Node, type NodeId, type TreeId } from '../../../domain/forest.ts';
import { capitalised } from '../../../domain/numbers.ts';
import { recordsOf } from '../../../domain/table.ts';
import type { PastMemory, PolicyContext } from '../../../engine/history/past-contexts.ts';
import type { Cell, RecalledText } from '../../../engine/memories/memory.ts';
import { counted, ratio } from '../../parts/format.ts';
import { bareScene, type ContextState, type ContextStates, type Scene, standingOf, standingsBy } from '../scene.ts';
import { layOutGroups, type PieceGroup } from './picture-layout.ts';

/**
 * The prominence of a card for the current turn: `forward` was recalled or is sent in full; `back` was passed over, or
 * left out of a context.
 */
export type Strength = 'forward' | 'quiet' | 'back';

/** A piece of what a policy keeps, as shown on a card. */
export interface PictureCard {
  readonly id: string;
  /** Its name: “slot 2”, “Turn 4”. */
  readonly name: string;
  /** The number of its turn, or how many turns there are; for when there is no room for words. */
  readonly number: string;
  readonly words: string;
  /** Its score, or what happened to it; empty if there is nothing to say. */
  readonly note: string;
  readonly strength: Strength;
  /** The order of the topic that most of its turns are from, for its colour. */
  readonly order: number;
  /** The turns it was made of. */
  readonly from: readonly NodeId[];
  /** Why it has this strength, in words for the user. */
  readonly why: string;
  /** Said after the message, so there was nothing to send: its reply is a later one. */
  readonly isLater?: true;
}

/** A policy's own structure, ready to be drawn. */
export interface Picture {
  /** Its forest only holds titles: the cards' contents are in `cards`. */
  readonly scene: Scene;
  readonly cards: ReadonlyMap<string, PictureCard>;
  /** Ids of the `forward` cards, in the order they are sent. */
  readonly forward: readonly string[];
}

/** What a policy has for a turn, to be drawn. */
export interface PictureSource {
  readonly policy: string;
  /** What it sends for the turn; null if unknown. */
  readonly context: PolicyContext | null;
  /** The memory of a policy that keeps its own; null for others. */
  readonly memory: PastMemory | null;
}

/** The policy's own structure for a pane of this aspect ratio (width by height); null if there is nothing to draw. */
export const pictureOf = ({ context, memory }: PictureSource, aspect: number): Picture | null => {
  if (memory !== null) return memoryScene(memory, context?.context.segments ?? null, aspect);
  return context === null ? null : contextScene(context, aspect);
};

/**
 * A memory as it was before a turn: each cell is a card under its parent; without a tree, in rows, in the memory's own
 * order. Recalled cells are `forward`. `sent` are the segments of the turn's context, if known: not everything recalled
 * may have fitted. `aspect` is the pane's aspect ratio.
 */
export const memoryScene = (memory: PastMemory, sent: readonly Segment[] | null, aspect: number): Picture => {
  const { cells, recall, forest } = memory;
  const groups = groupsOf(memory);
  const cards = cardsOf(memory, sent);
  const there = new Set(cells.map(({ id }) => id));
  return {
    scene: layOutGroups(
      groups.map((group) => headed(group, forest)),
      aspect,
    ),
    cards,
    forward: recall.items.flatMap(({ cell }) => (there.has(cell) ? [cell] : [])),
  };
};

interface CellGroup {
  readonly cells: readonly Cell[];
  readonly as: 'tree' | 'rows';
  /** null if its topic is its title. */
  readonly title: string | null;
}

/** Trees first, then standalone cells; without any tree, groups of the same name. */
const groupsOf = ({ cells }: PastMemory): CellGroup[] => {
  const rootOf = rootsOf(cells);
  const trees = new Map<string, Cell[]>();
  for (const cell of cells) {
    const root = rootOf.get(cell.id) as string;
    const own = trees.get(root);
    if (own === undefined) trees.set(root, [cell]);
    else own.push(cell);
  }
  const all = [...trees.values()];
  const grown = all.filter((own) => own.length > 1);
  if (grown.length === 0) return byName(cells);
  const alone = all.filter((own) => own.length === 1).flat();
  const branching = grown.map((own): CellGroup => ({ cells: own, as: 'tree', title: treeName(own[0]?.name ?? '') }));
  return alone.length === 0 ? branching : [...branching, { cells: alone, as: 'rows', title: 'On their own' }];
};

const byName = (cells: readonly Cell[]): CellGroup[] => {
  const groups = new Map<string, Cell[]>();
  for (const cell of cells) {
    const name = groupName(cell.name);
    const own = groups.get(name);
    if (own === undefined) groups.set(name, [cell]);
    else own.push(cell);
  }
  return [...groups].map(([title, own]) => ({ cells: own, as: 'rows', title }));
};

/** The root of each cell. Parents come first; a cell whose parent is gone is its own root. */
const rootsOf = (cells: readonly Cell[]): Map<string, string> => {
  const rootOf = new Map<string, string>();
  for (const { id, parent } of cells) rootOf.set(id, parent === null ? id : (rootOf.get(parent) ?? id));
  return rootOf;
};

const headed = ({ cells, as, title }: CellGroup, forest: Forest): PieceGroup => {
  const first = cells[0] as Cell;
  const topics = topicsOf(forest, first.from);
  const others = topics.length > 1 ? ` and ${counted(topics.length - 1, 'other')}` : '';
  const named = forest.trees[topics[0] ?? '']?.title ?? first.name;
  return {
    id: `of ${first.id}`,
    title: title ?? `${named}${others}`,
    heading: {
      note: title === null ? counted(first.from.length, 'turn') : counted(cells.length, 'piece'),
      plain: title !== null,
    },
    order: orderOf(forest, first.from),
    pieces: cells,
    as,
  };
};

const cardsOf = (memory: PastMemory, sent: readonly Segment[] | null): Map<string, PictureCard> => {
  const { cells, recall, forest } = memory;
  const items = new Map<string, RecalledText[]>();
  for (const item of recall.items) items.set(item.cell, [...(items.get(item.cell) ?? []), item]);
  const skipped = new Set(recall.skipped);
  const cards = new Map<string, PictureCard>();
  // Parents come first, so cells below a skipped one find it marked.
  const passed = new Set<string>();
  const shared = sharedNames(memory);
  for (const cell of cells) {
    const { id, parent, text, from } = cell;
    const own = items.get(id) ?? [];
    const below = parent !== null && passed.has(parent);
    if (skipped.has(id) || below) passed.add(id);
    const outcome = whyCell(own, { skipped: skipped.has(id), below, hadRoom: own.some((item) => hadRoom(item, sent)) });
    cards.set(id, {
      id,
      name: called(cell, forest, shared),
      number: numbered(cell, forest),
      words: text,
      from,
      order: orderOf(forest, from),
      ...outcome,
    });
  }
  return cards;
};

/** Names given by a group's heading, which need not be repeated on each of its cards. */
const sharedNames = (memory: PastMemory): ReadonlySet<string> =>
  new Set(
    groupsOf(memory).flatMap(({ cells, title }) => {
      const name = cells[0]?.name ?? '';
      const same = cells.length > 1 && cells.every((cell) => cell.name === name);
      return same && title === groupName(name) ? [name] : [];
    }),
  );

/** A cell's own name, plus its turn or number of turns if the name does not include it. */
const called = ({ name, from }: Cell, forest: Forest, shared: ReadonlySet<string>): string => {
  const number = from.length === 1 ? forest.nodes[from[0] ?? '']?.number : undefined;
  const turns = number === undefined ? counted(from.length, 'turn') : `turn ${number}`;
  if (shared.has(name) || name === 'turn') return turns;
  return /\bturns?\b/.test(name) ? name : `${name}, ${turns}`;
};

const numbered = ({ from }: Cell, forest: Forest): string => {
  if (from.length !== 1) return from.length === 0 ? '' : `×${from.length}`;
  return String(forest.nodes[from[0] ?? '']?.number ?? '');
};

/**
 * Whether something recalled made it into the context; true if unknown. A context that left nothing out was recalled
 * by other models if it lacks it.
 */
const hadRoom = ({ text, whole, from: [turn] }: RecalledText, sent: readonly Segment[] | null): boolean =>
  sent === null ||
  !sent.some(({ kind }) => kind === 'history-left-out') ||
  sent.some(
    (segment) =>
      segment.kind === 'memory' &&
      // A whole turn may be sent with the text of its files.
      (segment.text.endsWith(text) || (whole === true && segment.whole === true && segment.from[0] === turn)),
  );

/** Policies that send by the shape of the forest. */
const keepsForest = (policy: string): boolean => policy === 'focused' || policy.startsWith('context-agent');

const STRENGTH: Readonly<Record<ContextState, Strength>> = {
  full: 'forward',
  summary: 'quiet',
  'left-out': 'back',
  hidden: 'back',
};
const NOTE: Readonly<Record<ContextState, string>> = {
  full: 'in full',
  summary: 'summary',
  'left-out': 'left out',
  hidden: 'hidden',
};
const WHY: Readonly<Record<ContextState, string>> = {
  full: 'Sent in full',
  summary: 'Sent as a summary',
  'left-out': 'Left out of the context',
  hidden: 'Hidden, and never sent',
};

/**
 * What a policy without a memory of its own sends for a turn: shown in the forest of that time if the policy uses it,
 * else among the turns in order of time. `aspect` is the pane's aspect ratio.
 */
export const contextScene = ({ policy, context, forest }: PolicyContext, aspect: number): Picture => {
  const standings = standingsBy(forest, context);
  const answered = answeredIn(forest, context);
  const all = recordsOf(forest.nodes).toSorted(byNumber);
  const cards = new Map(all.map((node) => [node.id, cardOf(forest, standings, node, answered)]));
  // In the forest, earlier turns may hang from later ones.
  const turns = keepsForest(policy) ? all : all.filter(({ id }) => cards.get(id)?.isLater !== true);
  const forward = turns.flatMap(({ id }) => (cards.get(id)?.strength === 'forward' ? [id] : []));
  if (keepsForest(policy)) return { scene: { ...bareScene(forest), standings }, cards, forward };
  const run = {
    id: 'in order of time',
    title: 'In order of time',
    heading: { note: counted(turns.length, 'turn'), plain: true },
    order: 0,
    pieces: turns.map(({ id }) => ({ id, parent: null })),
    as: 'rows' as const,
  };
  return { scene: layOutGroups(turns.length === 0 ? [] : [run], aspect), cards, forward };
};

/** The turn that a context was built for. Where it was replied to again later, another one is active. */
const answeredIn = ({ nodes }: Forest, { segments }: Context): Node | null => {
  const message = segments.find(({ kind }) => kind === 'message');
  return message?.kind === 'message' ? (nodes[message.nodeId] ?? null) : null;
};

const cardOf = (forest: Forest, standings: ContextStates, node: Node, answered: Node | null): PictureCard => {
  const { id, number, message, treeId } = node;
  const standing = standingOf(forest, standings, id);
  const asked = answered?.id === id;
  const isSent = standing === 'full' || standing === 'summary';
  // A turn can be moved below later ones, and is then sent them as its path.
  const isLater = answered !== null && number > answered.number && !isSent;
  return {
    id,
    name: `Turn ${number}`,
    number: String(number),
    words: message,
    note: asked ? 'the message' : isLater ? 'said later' : NOTE[standing],
    strength: STRENGTH[standing],
    order: forest.trees[treeId]?.order ?? 0,
    from: [id],
    why: asked ? 'The message that is answered' : isLater ? 'Said after this message' : WHY[standing],
    ...(isLater && { isLater }),
  };
};

/** Headings for groups of pieces by name. */
const HEADINGS: Readonly<Record<string, string>> = {
  slot: 'Slots',
  importance: 'Stream, in order of time',
  turn: 'Word for word',
  fact: 'Facts',
};

/** The heading for a name, ignoring its number: “slot 2” is one of the slots. */
const groupName = (name: string): string => {
  const kind = name.replace(/[\d.,]+/g, '').trim();
  return HEADINGS[kind] ?? capitalised(kind);
};

/** Cells that are steps of a structure are titled by their topic, others by their kind: “main context”. */
const STEP = /^(depth|level|layer|cluster|turn|fact)\b/;

/** The heading of a tree by its root's name; null if its topic is the title. */
const treeName = (root: string): string | null => (STEP.test(root) ? null : groupName(root));

/** The topics of turns, most frequent first; on a tie, the older one first. Deleted turns are ignored. */
const topicsOf = (forest: Forest, from: readonly NodeId[]): TreeId[] => {
  const counts = new Map<TreeId, number>();
  for (const id of from) {
    const treeId = forest.nodes[id]?.treeId;
    if (treeId !== undefined) counts.set(treeId, (counts.get(treeId) ?? 0) + 1);
  }
  const orderOf = (id: TreeId) => forest.trees[id]?.order ?? 0;
  return [...counts].sort(([a, m], [b, n]) => n - m || orderOf(a) - orderOf(b)).map(([id]) => id);
};

/** The order of the first of those topics, which picks a colour; 0 if there is none. */
const orderOf = (forest: Forest, from: readonly NodeId[]): number =>
  forest.trees[topicsOf(forest, from)[0] ?? '']?.order ?? 0;

interface RecallOutcome {
  readonly skipped: boolean;
  /** It is below one that was passed over. */
  readonly below: boolean;
  readonly hadRoom: boolean;
}

/** Why a piece of a memory was or was not recalled for a message. */
const whyCell = (
  items: readonly RecalledText[],
  { skipped, below, hadRoom }: RecallOutcome,
): Pick<PictureCard, 'why' | 'note' | 'strength'> => {
  if (items.length > 0) {
    const scores = items.flatMap(({ score }) => score ?? []);
    const best = scores.length === 0 ? null : ratio(Math.max(...scores));
    const why = best === null ? 'Recalled, as for every message' : `Recalled with a rating of ${best}`;
    if (!hadRoom) return { strength: 'quiet', note: 'no room', why: `${why}, but did not fit in the context` };
    return { strength: 'forward', note: best ?? 'recalled', why };
  }
  if (skipped) return { strength: 'back', note: 'skipped', why: 'Skipped, with everything below it' };
  if (below) return { strength: 'back', note: '', why: 'Not checked: one above it was skipped' };
  return { strength: 'quiet', note: '', why: 'Not recalled for this message' };
};
