import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useMemo, useReducer, useRef, useState } from 'react';
import type { Placement } from '../../domain/decision.ts';
import type { Entry } from '../../domain/entry.ts';
import type { Event, EventOf } from '../../domain/event-kinds.ts';
import { type Forest, type NodeId, PERSON, type Step, type TreeId } from '../../domain/forest.ts';
import { capitalised, clamp } from '../../domain/numbers.ts';
import { createYielder, dueEvery } from '../../engine/tasks.ts';
import { oneLine } from '../../engine/text/words.ts';
import { useActions, useApp, useAppState } from '../../ui/app-context.ts';
import { Dialog } from '../../ui/parts/dialog.tsx';
import { counted, shortened, timeAgo } from '../../ui/parts/format.ts';
import { Ellipsis } from '../../ui/parts/text.tsx';
import styles from './history-dialog.module.css';

/** Height of a row in pixels. */
const ROW = 34;
/** Milliseconds between two updates while older steps are being read. */
const REDRAWN = 200;
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
  const getState = useAppState();
  // A streaming reply changes the forest, but not what can be undone.
  const history = useApp((state) => state.forest.history);
  const reading = useMemo(() => {
    const { forest, entries } = getState();
    return new HistoryReading({ ...forest, history }, entries);
  }, [getState, history]);
  const { rows, length } = reading;
  const [pointed, setPointed] = useState<number | null>(null);
  const at = clamp(pointed ?? reading.now, 0, length - 1);
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 10,
  });
  useLayoutEffect(() => virtualizer.scrollToIndex(at, { align: 'auto' }), [virtualizer, at]);
  const [opened] = useState(() => Date.now());
  const shown = virtualizer.getVirtualItems();
  useReading(reading, Math.min(length, (shown.at(-1)?.index ?? 0) + 1));

  const go = (index: number) => {
    const row = rows[index];
    if (row === undefined) return;
    setPointed(null);
    if (!row.now) void goToStep(row.steps);
  };
  const pressed = (event: KeyboardEvent) => {
    const to = MOVES[event.key]?.(at, length);
    if (to !== undefined) setPointed(clamp(to, 0, length - 1));
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
        {shown.map(({ index, start }) => {
          const row = rows[index] ?? UNREAD;
          return (
            // biome-ignore lint/a11y: the list has the focus and the keys; a row hears the pointer
            <div
              key={index}
              id={`${id}${index}`}
              role="option"
              aria-selected={index === at}
              aria-current={row.now ? 'step' : undefined}
              aria-posinset={index + 1}
              aria-setsize={length}
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

/** Reads on, in parts, until so many rows are known. */
const useReading = (reading: HistoryReading, wanted: number): void => {
  const { reportFailure } = useActions();
  const [, redraw] = useReducer((times: number) => times + 1, 0);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const breathe = createYielder(() => performance.now(), signal);
    const isDue = dueEvery(REDRAWN);
    const goOn = async () => {
      while (reading.rows.length < wanted && reading.more()) {
        await breathe();
        if (isDue()) redraw();
      }
      if (!signal.aborted) redraw();
    };
    goOn().catch((error: unknown) => {
      if (!signal.aborted) reportFailure('Reading the history', error);
    });
    return () => controller.abort();
  }, [reading, wanted, reportFailure]);
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
const stepWords = (step: Step, events: readonly Event[], subjects: Subjects): string => {
  const [first] = events;
  // A log written by another program may name the events of a step differently.
  if (first === undefined) return `Something was changed (${step.type})`;
  const imported = events.flatMap((event) =>
    event.type === 'turn-placed' && event.decision.by === 'import' ? [event.nodeId] : [],
  );
  if (imported.length > 0) return `${turnsInWords(subjects, imported)} imported`;
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

const quote = (text: string): string => `“${shortened(oneLine(text), QUOTED)}”`;

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

/** A row that has not been read yet. */
const UNREAD = { steps: -1, words: '…', at: null, undone: false, now: false } satisfies HistoryRow;

/** Entries read at a time: the rows on the screen take one or two. */
const PART = 256;

/**
 * Every reachable moment, newest first; undone ones are above the current position. Read backwards, since all of a very
 * long log takes seconds and only a few rows are on the screen. A step can only grow while it is the newest, so the log
 * has them one after the other.
 */
export class HistoryReading {
  /** As far as read. */
  readonly rows: HistoryRow[] = [];
  readonly length: number;
  /** Index of the current position. */
  readonly now: number;
  readonly #forest: Forest;
  readonly #entries: readonly Entry[];
  readonly #turns = new Map<NodeId, { number: number; message: string }>();
  readonly #topics = new Map<TreeId, string>();
  /** The step that comes next; undefined once all have been read. */
  #step: Step | undefined;
  /** Its entries so far, last one first. */
  #own: Entry[] = [];
  /** How many entries are still unread. */
  #unread: number;
  #isPurged = false;

  constructor(forest: Forest, entries: readonly Entry[]) {
    const { past, future } = forest.history;
    this.#forest = forest;
    this.#entries = entries;
    this.#unread = entries.length;
    this.length = past.length + future.length + 1;
    this.now = future.length;
    // An undone step may be about a turn that an earlier undone one would restore.
    for (const step of future.toReversed()) this.#note(step);
    this.#begin();
    this.more();
  }

  /** Reads another part; false if there is none. */
  more(): boolean {
    if (this.rows.length === this.length) return false;
    const until = Math.max(0, this.#unread - PART);
    while (this.#unread > until && !this.#isPurged) {
      this.#unread -= 1;
      this.#take(this.#entries[this.#unread] as Entry);
    }
    if (this.#unread === 0 || this.#isPurged) this.#finish();
    return true;
  }

  #take(entry: Entry): void {
    // A purge empties the history: nothing before it can be gone back to.
    if (entry.event.type === 'turns-purged') this.#isPurged = true;
    if (entry.step === null) return;
    if (entry.step !== this.#step?.id && this.#own.length > 0) this.#end();
    if (entry.step === this.#step?.id) this.#own.push(entry);
  }

  #finish(): void {
    while (this.#step !== undefined) this.#end();
    const words = this.#isPurged ? 'After the last purge' : 'The beginning';
    this.#add({ words, at: null });
  }

  #end(): void {
    const own = this.#own.reverse();
    const subjects: Subjects = {
      turn: (id) => this.#forest.nodes[id] ?? this.#forest.pending[id] ?? this.#turns.get(id),
      topic: (id) => this.#forest.trees[id]?.title ?? this.#topics.get(id),
    };
    const events = own.map(({ event }) => event);
    this.#add({ words: stepWords(this.#step as Step, events, subjects), at: own[0]?.at ?? null });
    this.#own = [];
    this.#begin();
  }

  #add(row: Pick<HistoryRow, 'words' | 'at'>): void {
    const { length } = this.rows;
    this.rows.push({ ...row, steps: this.length - 1 - length, undone: length < this.now, now: length === this.now });
  }

  #begin(): void {
    const { past, future } = this.#forest.history;
    const { length } = this.rows;
    this.#step = length < future.length ? future[length] : past[past.length - 1 - (length - future.length)];
    if (this.#step !== undefined) this.#note(this.#step);
  }

  /** What a step would restore says what is gone. The newest comes first, and stands. */
  #note({ changes }: Step): void {
    for (const change of changes) {
      if (change.kind !== 'record' || change.record === undefined) continue;
      const { id } = change;
      if ((change.table === 'nodes' || change.table === 'pending') && !this.#turns.has(id)) {
        const { number, message } = change.record;
        this.#turns.set(id, { number, message });
      }
      if (change.table === 'trees' && !this.#topics.has(id)) this.#topics.set(id, change.record.title);
    }
  }
}

/** What the description of a step needs to know about its subjects, even if they are gone. */
interface Subjects {
  readonly turn: (id: NodeId) => { readonly number: number; readonly message: string } | undefined;
  readonly topic: (id: TreeId) => string | undefined;
}

/** Turns that a step removed from the forest, or would restore to it. */
const turnsOf = ({ changes }: Step): NodeId[] => [
  ...new Set(changes.flatMap((change) => (change.kind === 'record' && change.table === 'nodes' ? [change.id] : []))),
];
