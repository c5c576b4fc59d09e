import type { Placement } from '../../domain/decision.ts';
import type { Entry } from '../../domain/entry.ts';
import type { Event, EventOf } from '../../domain/event-kinds.ts';
import {
  type Change,
  type Forest,
  type NodeId,
  PERSON,
  type Step,
  type StepId,
  type TreeId,
} from '../../domain/forest.ts';
import { counted } from '../../ui/parts/format.ts';

/** Longest part of a message or note that is quoted, in UTF-16 units. */
const QUOTED = 60;

/** What a step of the history did, in words: `Turn 5 moved under turn 3`. */
const stepWords = (step: Step, subjects: Subjects): string => {
  const events = subjects.entriesOf(step.id).map(({ event }) => event);
  const [first] = events;
  // A log that another program wrote may name a step's events otherwise.
  if (first === undefined) return `Something was changed (${step.type})`;
  const turns = nodeIdsOf(events, first.type);
  const say: Words = { ...subjects, step, events, turns, them: turnsInWords(subjects, turns) };
  return wordsOf(first, say);
};

interface Words extends Subjects {
  readonly step: Step;
  readonly events: readonly Event[];
  /** The turns that the events of the step's own kind are about. */
  readonly turns: readonly NodeId[];
  /** The same, in words. */
  readonly them: string;
}

const withFiles = ({ attachments = [] }: EventOf<'message-sent'>): string =>
  attachments.length === 0 ? '' : `, with ${attachments.map(({ name }) => name).join(', ')}`;

const wordsOf = (event: Event, say: Words): string => {
  const { them } = say;
  switch (event.type) {
    case 'message-sent':
      return `${them} sent: ${quote(event.message)}${withFiles(event)}${sentTo(say)}`;
    case 'turn-placed':
      return `${them} placed`;
    case 'turn-moved':
      return `${them} ${movedTo(event.placement, say)}`;
    case 'turns-arranged':
      return `Sorted into topics: ${counted(event.turns.length, 'turn')} moved`;
    case 'turn-decided':
      return `${them} decided again`;
    case 'turn-extracted':
      return event.placement === null
        ? `${them} deleted; what hung from ${say.turns.length === 1 ? 'it' : 'them'} stayed`
        : `${them} taken out of its path`;
    case 'turns-deleted':
      return deleted(event.nodeIds, say);
    case 'turns-hidden':
      return hiding(event.nodeIds, event.hidden, say);
    case 'turn-pinned':
      return `${them} ${event.pinned ? 'pinned' : 'unpinned'}`;
    case 'turn-noted':
      return event.note === null ? `Note on ${lower(them)} removed` : `Note on ${lower(them)}: ${quote(event.note)}`;
    case 'reference-added': {
      const { to, as } = event.reference;
      return `${them} refers to ${turnInWords(say, to)}${as === 'summary' ? ', to its summary' : ', in full'}`;
    }
    case 'reference-removed':
      return `${them} no longer refers to ${turnInWords(say, event.to)}`;
    case 'branch-titled':
      return event.title === null ? 'Branch title removed' : `Branch renamed to ${quote(event.title)}`;
    case 'topic-titled':
      return `Topic renamed to ${quote(event.title)}`;
    case 'summarised':
      return `Summary of ${lower(them)} ${event.by === PERSON ? 'written by you' : 'written again'}`;
    case 'turn-confirmed':
      return `${them} confirmed where it is`;
    case 'activated':
      return `Went to ${lower(them)}`;
    case 'conversation-titled':
      return event.title === null ? 'Conversation title removed' : `Conversation renamed to ${quote(event.title)}`;
    case 'story-told':
      return event.scenes.length === 0
        ? 'The story taken away'
        : `The story told in ${counted(event.scenes.length, 'scene')}`;
    case 'reply-settings-set':
      return 'Reply settings changed';
    case 'reply-started':
      return `Another reply to ${lower(them)}, by ${event.model}`;
    case 'reply-chosen':
      return `Another reply to ${lower(them)} chosen`;
    case 'reply-resumed':
    case 'reply-received':
    case 'reply-ended':
      return `Reply to ${lower(them)} continued`;
    // These are never steps of the history, or end it.
    case 'overview-built':
    case 'turns-purged':
    case 'undone':
    case 'redone':
      return `Something was changed (${event.type})`;
    default:
      return event satisfies never;
  }
};

const sentTo = ({ events, topic }: Words): string => {
  const placed = events.find((event) => event.type === 'turn-placed');
  if (placed === undefined) return '';
  const chosen = placed.label?.beforehand === true ? ', to a place of your choice' : '';
  if (placed.placement.parentId !== null) return chosen;
  const title = topic(placed.placement.treeId);
  return title === undefined ? `, a new topic${chosen}` : `, a new topic${chosen}: ${quote(title)}`;
};

const movedTo = ({ parentId }: Placement, say: Words): string => {
  if (parentId !== null) return `moved under ${turnInWords(say, parentId)}`;
  return say.turns.length === 1 ? 'made a topic of its own' : 'made topics of their own';
};

const deleted = (nodeIds: readonly NodeId[], say: Words): string => {
  const under = turnsOf(say.step).length - nodeIds.length;
  const words = `${turnsInWords(say, nodeIds)} deleted`;
  return under > 0
    ? `${words} with the ${counted(under, 'turn')} under ${nodeIds.length === 1 ? 'it' : 'them'}`
    : words;
};

const hiding = (nodeIds: readonly NodeId[], hides: boolean, say: Words): string => {
  const words = `${turnsInWords(say, nodeIds)} ${hides ? 'hidden' : 'shown again'}`;
  const ended = say.events.find((event) => event.type === 'activated');
  return ended === undefined ? words : `Branch ended at ${turnInWords(say, ended.nodeId)}: ${lower(words)}`;
};

/** The turns that the events of one kind are about: what is done to several at once is one step of several events. */
const nodeIdsOf = (events: readonly Event[], type: Event['type']): NodeId[] => {
  const ids = events.flatMap((event) => (event.type === type && 'nodeId' in event ? [event.nodeId] : []));
  return [...new Set(ids)];
};

/** `Turn 3`, or `4 turns`. */
const turnsInWords = (subjects: Subjects, ids: readonly NodeId[]): string => {
  const [first] = ids;
  if (ids.length !== 1 || first === undefined) return counted(ids.length, 'turn');
  const words = turnInWords(subjects, first);
  return words.charAt(0).toUpperCase() + words.slice(1);
};

const turnInWords = ({ turn }: Subjects, id: NodeId): string => {
  const number = turn(id)?.number;
  return number === undefined ? 'a deleted turn' : `turn ${number}`;
};

const lower = (words: string): string => words.charAt(0).toLowerCase() + words.slice(1);

const quote = (text: string): string => {
  const line = text.trim().replace(/\s+/g, ' ');
  return `“${line.length > QUOTED ? `${line.slice(0, QUOTED - 1).trimEnd()}…` : line}”`;
};

/** A moment of the history: how it is after a step, or (the first) before any. */
export interface HistoryRow {
  /** How many steps are done at that moment: what `goToStep` takes. */
  readonly steps: number;
  readonly words: string;
  /** Milliseconds since 1970; null for the beginning. */
  readonly at: number | null;
  /** It was undone: going there brings it back. */
  readonly undone: boolean;
  /** Where the conversation is. */
  readonly now: boolean;
}

/** Every moment that can be gone to, the newest first; those undone stand above where we are. */
export const historyRows = (forest: Forest, entries: readonly Entry[]): HistoryRow[] => {
  const { past, future } = forest.history;
  const subjects = subjectsOf(forest, entries);
  const rows = [...past, ...future.toReversed()].map(
    (step, index): HistoryRow => ({
      steps: index + 1,
      words: stepWords(step, subjects),
      at: subjects.entriesOf(step.id)[0]?.at ?? null,
      undone: index >= past.length,
      now: index === past.length - 1,
    }),
  );
  const beginning: HistoryRow = {
    steps: 0,
    words: beginsAfterPurge(entries) ? 'As it was after the last purge' : 'The beginning',
    at: null,
    undone: false,
    now: past.length === 0,
  };
  return [beginning, ...rows].reverse();
};

/** What was before a purge cannot be gone back to. */
const beginsAfterPurge = (entries: readonly Entry[]): boolean =>
  entries.some(({ event }) => event.type === 'turns-purged');

/** What the words about a step need to know of what it was about, also where that is gone by now. */
export interface Subjects {
  readonly turn: (id: NodeId) => { readonly number: number; readonly message: string } | undefined;
  readonly topic: (id: TreeId) => string | undefined;
  /** What was recorded as one step, in order. */
  readonly entriesOf: (step: StepId) => readonly Entry[];
}

/** Looks a history's subjects up in the forest, and where they are gone from it in what the steps would bring back. */
const subjectsOf = (forest: Forest, entries: readonly Entry[]): Subjects => {
  const turns = new Map<NodeId, { number: number; message: string }>();
  const topics = new Map<TreeId, string>();
  const note = (change: Change) => {
    if (change.kind !== 'record' || change.record === undefined) return;
    if (change.table === 'nodes' || change.table === 'pending') turns.set(change.id, change.record);
    if (change.table === 'trees') topics.set(change.id, change.record.title);
  };
  for (const step of [...forest.history.past, ...forest.history.future]) step.changes.map(note);
  const byStep = new Map<StepId, Entry[]>();
  for (const entry of entries) {
    if (entry.step === null) continue;
    const events = byStep.get(entry.step);
    if (events === undefined) byStep.set(entry.step, [entry]);
    else events.push(entry);
  }
  return {
    turn: (id) => forest.nodes[id] ?? forest.pending[id] ?? turns.get(id),
    topic: (id) => forest.trees[id]?.title ?? topics.get(id),
    entriesOf: (step) => byStep.get(step) ?? [],
  };
};

/** Turns that a step took out of the forest, or would bring back to it. */
const turnsOf = ({ changes }: Step): NodeId[] => [
  ...new Set(changes.flatMap((change) => (change.kind === 'record' && change.table === 'nodes' ? [change.id] : []))),
];
