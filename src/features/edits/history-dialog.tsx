import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useId, useLayoutEffect, useMemo, useRef, useState } from 'react';
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
import { capitalised, clamp } from '../../domain/numbers.ts';
import { holdsPurge } from '../../domain/scrub.ts';
import { oneLine } from '../../engine/text/words.ts';
import { useActions, useApp } from '../../ui/app-context.ts';
import { Dialog } from '../../ui/parts/dialog.tsx';
import { counted, timeAgo } from '../../ui/parts/format.ts';
import { Ellipsis } from '../../ui/parts/text.tsx';
import styles from './history-dialog.module.css';

/** Height of a row in pixels. */
const ROW = 34;
/** Number of rows that Page Up and Page Down move by. */
const PAGE = 10;

/** What was done, step by step: the current position, what was undone, and a way to go to each moment. */
export const HistoryDialog = ({ onClose }: { onClose: () => void }) => (
  <Dialog title="History" description="All steps, newest first. Choose one to go to it." onClose={onClose}>
    <Steps />
  </Dialog>
);

/** Rendered inside the dialog, whose content mounts later: the list must find its scroller. */
const Steps = () => {
  const { goToStep } = useActions();
  const forest = useApp((state) => state.forest);
  const entries = useApp((state) => state.entries);
  const rows = useMemo(() => historyRows(forest, entries), [forest, entries]);
  const now = rows.findIndex((row) => row.now);
  const [pointed, setPointed] = useState<number | null>(null);
  const at = clamp(pointed ?? now, 0, rows.length - 1);
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 10,
  });
  useLayoutEffect(() => virtualizer.scrollToIndex(at, { align: 'auto' }), [virtualizer, at]);
  const [opened] = useState(() => Date.now());

  const go = (index: number) => {
    const row = rows[index];
    if (row === undefined) return;
    setPointed(null);
    if (!row.now) void goToStep(row.steps);
  };
  const pressed = (event: KeyboardEvent) => {
    const to = MOVES[event.key]?.(at, rows.length);
    if (to !== undefined) setPointed(clamp(to, 0, rows.length - 1));
    else if (event.key === 'Enter' || event.key === ' ') go(at);
    else return;
    event.preventDefault();
  };

  return (
    <div
      ref={scroller}
      role="listbox"
      aria-label="Steps"
      tabIndex={0}
      data-write-here
      aria-activedescendant={`${id}${at}`}
      className={styles.list}
      onKeyDown={pressed}
    >
      <div className={styles.rows} style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const row = rows[index];
          if (row === undefined) return null;
          return (
            // biome-ignore lint/a11y: the list has the focus and the keys; a row hears the pointer
            <div
              key={row.steps}
              id={`${id}${index}`}
              role="option"
              aria-selected={index === at}
              aria-current={row.now ? 'step' : undefined}
              aria-posinset={index + 1}
              aria-setsize={rows.length}
              aria-label={`${row.words}${row.undone ? ', undone' : ''}${row.now ? ', current' : ''}`}
              className={styles.row}
              data-undone={row.undone || undefined}
              style={{ height: ROW, transform: `translateY(${start}px)` }}
              onClick={() => go(index)}
            >
              <Ellipsis className={styles.words}>{row.words}</Ellipsis>
              {row.now && <span className={styles.now}>you are here</span>}
              {row.at !== null && <time className={styles.time}>{timeAgo(row.at, opened)}</time>}
            </div>
          );
        })}
      </div>
    </div>
  );
};

const MOVES: Readonly<Record<string, (at: number, length: number) => number>> = {
  ArrowDown: (at) => at + 1,
  ArrowUp: (at) => at - 1,
  PageDown: (at) => at + PAGE,
  PageUp: (at) => at - PAGE,
  Home: () => 0,
  End: (_, length) => length - 1,
};

/** Maximum length of a quoted part of a message or note, in UTF-16 units. */
const QUOTED = 60;

/** Describes what a step of the history did: `Turn 5 moved under turn 3`. */
const stepWords = (step: Step, subjects: Subjects): string => {
  const events = subjects.entriesOf(step.id).map(({ event }) => event);
  const [first] = events;
  // A log written by another program may name the events of a step differently.
  if (first === undefined) return `Something was changed (${step.type})`;
  const turns = nodeIdsOf(events, first.type);
  const say: Words = { ...subjects, step, events, turns, them: turnsInWords(subjects, turns) };
  return wordsOf(first, say);
};

interface Words extends Subjects {
  readonly step: Step;
  readonly events: readonly Event[];
  /** The turns affected by the events of the step's own kind. */
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
    case 'turn-reconsidered':
      return `${them} ${movedTo(event.placement, say)}, as its reply showed`;
    case 'turns-arranged':
      return `Sorted into topics: ${counted(event.turns.length, 'turn')} moved`;
    case 'turn-decided':
      return `${them} decided again`;
    case 'turn-extracted':
      return event.placement === null ? `${them} deleted; the turns below were kept` : `${them} detached from its path`;
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
      return event.scenes.length === 0 ? 'Story removed' : `Story saved with ${counted(event.scenes.length, 'scene')}`;
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
    // These are never history steps, or they end the history.
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

/** The turns affected by the events of one kind: an action on several turns is one step of several events. */
const nodeIdsOf = (events: readonly Event[], type: Event['type']): NodeId[] => {
  const ids = events.flatMap((event) => (event.type === type && 'nodeId' in event ? [event.nodeId] : []));
  return [...new Set(ids)];
};

/** `Turn 3`, or `4 turns`. */
const turnsInWords = (subjects: Subjects, ids: readonly NodeId[]): string => {
  const [first] = ids;
  return ids.length === 1 && first !== undefined
    ? capitalised(turnInWords(subjects, first))
    : counted(ids.length, 'turn');
};

const turnInWords = ({ turn }: Subjects, id: NodeId): string => {
  const number = turn(id)?.number;
  return number === undefined ? 'a deleted turn' : `turn ${number}`;
};

const lower = (words: string): string => words.charAt(0).toLowerCase() + words.slice(1);

const quote = (text: string): string => {
  const line = oneLine(text);
  return `“${line.length > QUOTED ? `${line.slice(0, QUOTED - 1).trimEnd()}…` : line}”`;
};

/** A moment of the history: the state after a step, or (the first) before any. */
interface HistoryRow {
  /** Number of steps done at that moment, as `goToStep` expects. */
  readonly steps: number;
  readonly words: string;
  /** Milliseconds since 1970; null for the beginning. */
  readonly at: number | null;
  /** It was undone; going there restores it. */
  readonly undone: boolean;
  /** The conversation's current position. */
  readonly now: boolean;
}

/** Every reachable moment, newest first; undone ones are listed above the current position. */
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
    words: holdsPurge(entries) ? 'After the last purge' : 'The beginning',
    at: null,
    undone: false,
    now: past.length === 0,
  };
  return [beginning, ...rows].reverse();
};

/** What the description of a step needs to know about its subjects, even if they are gone. */
interface Subjects {
  readonly turn: (id: NodeId) => { readonly number: number; readonly message: string } | undefined;
  readonly topic: (id: TreeId) => string | undefined;
  /** The entries recorded as one step, in order. */
  readonly entriesOf: (step: StepId) => readonly Entry[];
}

/** Looks up the subjects of the history in the forest, or, if they are gone, in what the steps would restore. */
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

/** Turns that a step removed from the forest, or would restore to it. */
const turnsOf = ({ changes }: Step): NodeId[] => [
  ...new Set(changes.flatMap((change) => (change.kind === 'record' && change.table === 'nodes' ? [change.id] : []))),
];
