import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Actions } from '../../app/actions.ts';
import type { NodeId } from '../../domain/forest.ts';
import type { PolicyContext } from '../../engine/history/past-contexts.ts';
import { errorMessage } from '../../engine/model-failure.ts';
import { dueEvery } from '../../engine/tasks.ts';
import { useActions } from '../../ui/app-context.ts';
import { type ContextPart, contextParts, leftOutTurns, partText } from '../../ui/inspector/context-parts.ts';
import { counted, ratio } from '../../ui/parts/format.ts';

/** What a context contains of one item. */
export interface ContextCell extends ContextPart {
  /** Numbers of the turns it leaves out. */
  readonly turns?: readonly number[];
}

/** One item that contexts may contain, with each context's cell; null if it lacks the item. */
export interface ContextRow {
  readonly key: string;
  readonly label: string;
  readonly cells: readonly (ContextCell | null)[];
  /** Not all of them send the same text for it. */
  readonly differs: boolean;
}

/** Lays contexts side by side: their opening, the overview, the turns in chronological order, the message. */
export const contextComparisonRows = (contexts: readonly PolicyContext[]): ContextRow[] => {
  const columns = contexts.map((one) => new Map([...partsIn(one)].map((part) => [part.key, part])));
  const rows = new Map<string, ContextCell>();
  for (const column of columns) for (const [key, part] of column) if (!rows.has(key)) rows.set(key, part);
  const numberOf = ({ nodeId }: ContextPart): number =>
    contexts.reduce((found, { forest }) => found || (forest.nodes[nodeId ?? '']?.number ?? 0), 0);
  return [...rows]
    .map(([key, part]) => {
      const cells = columns.map((column) => column.get(key) ?? null);
      const [first] = cells;
      const differs = cells.some((cell) => cell === null || !first || contentOf(cell) !== contentOf(first));
      return { key, part, row: { key, label: labelOf(part, numberOf(part)), cells, differs } };
    })
    .sort((a, b) => rank(a.part) - rank(b.part) || numberOf(a.part) - numberOf(b.part))
    .map(({ row }) => row);
};

/** The parts of a context. What it says about omitted turns is a single part, with their number. */
const partsIn = ({ forest, context }: PolicyContext): ContextCell[] => {
  const parts = contextParts(forest, context);
  const notes = parts.filter(({ kind }) => kind === 'left-out');
  const turns = leftOutTurns(forest, context);
  const others = parts.filter(({ kind }) => kind !== 'left-out');
  if (notes.length === 0 && turns.length === 0) return others;
  const leftOut: ContextCell = {
    index: notes[0]?.index ?? 0,
    key: 'left-out',
    kind: 'left-out',
    label: 'Left out',
    tokens: notes.reduce((sum, { tokens }) => sum + tokens, 0),
    nodeId: null,
    topic: null,
    turns,
    said: notes.flatMap(({ said }) => said),
  };
  return [...others, leftOut];
};

const isTurn = ({ key, kind }: ContextPart): boolean => key.startsWith('turn ') && kind !== 'message';

/** A turn is one row however it is sent; its cells say how. */
const labelOf = (part: ContextPart, number: number): string =>
  isTurn(part) && number > 0 ? `Turn ${number}` : part.label;

const ORDER = ['instructions', 'overview', 'branch', 'topic', 'left-out', 'memory', 'turn', 'message'];

const rank = (part: ContextPart): number => {
  if (part.key === 'overview') return ORDER.indexOf('overview');
  return ORDER.indexOf(isTurn(part) ? 'turn' : part.kind);
};

const contentOf = (cell: ContextCell): string => `${cell.turns?.join() ?? ''} ${partText(cell)}`;

/** The form of a turn or line in a context, in a word or two. */
export const cellWords = ({ kind, said, score, turns = [] }: ContextCell): string => {
  switch (kind) {
    case 'turn':
      return said.length > 1 ? 'in full' : 'its message';
    case 'pinned':
      return 'pinned';
    case 'reference':
      return 'referred to';
    case 'unsure':
      return 'possibly needed';
    case 'shortened':
      return 'shortened';
    case 'fetched':
      return 'fetched';
    case 'turn-summary':
    case 'branch':
    case 'topic':
      return 'in short';
    case 'instructions':
    case 'message':
      return 'sent';
    case 'left-out':
      return counted(turns.length, 'turn');
    case 'memory':
      return score === undefined ? 'recalled' : `recalled, ${ratio(score)}`;
  }
};

/** How often a memory's progress is shown, in milliseconds. */
const SHOWN_EVERY = 100;

interface Known {
  readonly of: NodeId;
  readonly contexts: ReadonlyMap<string, PolicyContext>;
  /** Why a policy's memory could not be built, in words. */
  readonly failed: ReadonlyMap<string, string>;
}

interface BuildProgress {
  /** The policy whose memory is being built; null before the first. */
  readonly policy: string | null;
  readonly turns: number;
  readonly of: number;
}

export interface ComparedContexts {
  /** The available ones, in the order of the names. */
  readonly contexts: readonly PolicyContext[];
  readonly failed: readonly (readonly [policy: string, why: string])[];
  /** Whether something stood in for a model in one that was not sent so. */
  readonly hasFallbacks: boolean;
  /** null if nothing is in progress. */
  readonly building: BuildProgress | null;
  /** Why none can be built, in words. */
  readonly failure: string | null;
  readonly stop: () => void;
  /** Continues with what is missing. */
  readonly goOn: () => void;
  /** The same, and does again what failed. */
  readonly retry: () => void;
}

const isStandIn = ({ sent, context }: PolicyContext): boolean => !sent && context.fallbacks !== undefined;

const none = (of: NodeId): Known => ({ of, contexts: new Map(), failed: new Map() });

/**
 * What the named policies would have sent for a turn, as results arrive; known results are kept while others are
 * chosen. `ask` provides them; if omitted, they are for the turn in its actual place.
 */
export const useContexts = (
  nodeId: NodeId | null,
  names: readonly string[],
  ask?: Actions['compareContexts'],
): ComparedContexts => {
  const actions = useActions();
  const compareContexts = ask ?? actions.compareContexts;
  const latest = useRef(none(''));
  const running = useRef<AbortController | null>(null);
  const [known, setKnown] = useState(latest.current);
  const [building, setBuilding] = useState<BuildProgress | null>(null);
  const [failure, setFailure] = useState<string | null>(null);

  const goOn = useCallback(() => {
    if (nodeId === null) return;
    running.current?.abort();
    const own = new AbortController();
    running.current = own;
    const keep = (change: (now: Known) => Known) => {
      if (own.signal.aborted) return;
      latest.current = change(latest.current);
      setKnown(latest.current);
    };
    // Retries a memory that failed.
    keep((now) => (now.of === nodeId ? { ...now, failed: new Map() } : none(nodeId)));
    const missing = names.filter((name) => {
      const there = latest.current.contexts.get(name);
      return there === undefined || isStandIn(there);
    });
    setFailure(null);
    setBuilding(missing.length === 0 ? null : { policy: null, turns: 0, of: 0 });
    if (missing.length === 0) return;
    const isDue = dueEvery(SHOWN_EVERY);
    const watch = {
      onContext: (context: PolicyContext) =>
        keep((now) => ({ ...now, contexts: new Map(now.contexts).set(context.policy, context) })),
      onFailed: (policy: string, why: string) =>
        keep((now) => ({ ...now, failed: new Map(now.failed).set(policy, why) })),
      onTaken: (policy: string, turns: number, of: number) => {
        if (!own.signal.aborted && isDue()) setBuilding({ policy, turns, of });
      },
    };
    compareContexts(nodeId, missing, watch, own.signal)
      .catch((error: unknown) => {
        if (!own.signal.aborted) setFailure(errorMessage(error));
      })
      .finally(() => {
        if (!own.signal.aborted) setBuilding(null);
      });
  }, [compareContexts, nodeId, names]);

  const stop = useCallback(() => {
    running.current?.abort();
    setBuilding(null);
  }, []);

  const { retryMemories } = actions;
  const retry = useCallback(() => {
    retryMemories();
    goOn();
  }, [retryMemories, goOn]);

  useEffect(() => {
    goOn();
    return () => running.current?.abort();
  }, [goOn]);

  const mine = known.of === nodeId ? known : null;
  // Stable while a memory is being built, so that the table does not re-render for every turn the memory takes in.
  const contexts = useMemo(() => names.flatMap((name) => mine?.contexts.get(name) ?? []), [names, mine]);
  return {
    contexts,
    failed: names.flatMap((name) => {
      const why = mine?.failed.get(name);
      return why === undefined ? [] : [[name, why] as const];
    }),
    hasFallbacks: contexts.some(isStandIn),
    building,
    failure,
    stop,
    goOn,
    retry,
  };
};
