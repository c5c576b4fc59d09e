import { ChevronRight, List, Workflow } from 'lucide-react';
import { type CSSProperties, type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import type { AppState } from '../../../app/state.ts';
import type { Forest, Node, NodeId } from '../../../domain/forest.ts';
import { isUnsent, replyOf } from '../../../domain/queries.ts';
import type { MemoryAtTurn } from '../../../engine/context/policy.ts';
import type { PastMemory, PolicyContext } from '../../../engine/history/past-contexts.ts';
import type { Cell, RecalledText } from '../../../engine/memories/memory.ts';
import { errorMessage, withAdvice } from '../../../engine/model-failure.ts';
import { useActions, useApp, useShownForest } from '../../app-context.ts';
import { fallbackWords } from '../../inspector/decision-words.ts';
import { Segmented } from '../../parts/fields.tsx';
import { ratio } from '../../parts/format.ts';
import { Ellipsis, Heading, Muted } from '../../parts/text.tsx';
import { turnRanges } from '../../parts/turn-words.ts';
import { topicColour } from '../../topic-colour.ts';
import { PolicyPicture, recallWords } from './policy-picture.tsx';
import styles from './policy-structure.module.css';

const VIEWS = [
  { value: 'picture' as const, label: 'Picture', icon: <Workflow size={14} aria-hidden /> },
  { value: 'list' as const, label: 'List', icon: <List size={14} aria-hidden /> },
];

interface Props {
  readonly policy: string;
  /** A text if it is not ready yet, or cannot be made. */
  readonly memory: PastMemory | string | null;
  readonly context: PolicyContext | null;
  /** Placed to the left of the switch. */
  readonly head: ReactNode;
  readonly onTurn?: (nodeId: NodeId) => void;
}

/** A memory before a turn, as a picture or as an equivalent list. */
export const PolicyStructure = ({ policy, memory, context, head, onTurn }: Props) => {
  const { session } = useActions();
  const as = useApp((state) => state.session.memoryAs);
  return (
    <section className={styles.structure} aria-label={`The memory of ${policy}`}>
      <header className={styles.bar}>
        {head}
        <Segmented
          label="Show the memory as"
          options={VIEWS}
          value={as}
          onChange={(memoryAs) => session({ memoryAs })}
        />
      </header>
      {memory !== null && typeof memory !== 'string' && memory.fallbacks.length > 0 && (
        <Muted className={styles.note} role="status">
          {memory.fallbacks.map(fallbackWords).join(' ')}
        </Muted>
      )}
      {memory === null || typeof memory === 'string' ? (
        <Muted className={styles.note} role={memory === null ? 'status' : 'alert'}>
          {memory === null
            ? 'Building the memory…'
            : `The memory could not be built: ${withAdvice(memory, 'Choose an available model in Models.')}`}
        </Muted>
      ) : as === 'picture' ? (
        <Pictured policy={policy} memory={memory} context={context} {...(onTurn !== undefined && { onTurn })} />
      ) : (
        <>
          <Muted className={styles.note} role="status">
            {recallWords(memory).join(' · ')}
          </Muted>
          {memory.cells.length > 0 && <MemoryCells policy={policy} memory={memory} />}
        </>
      )}
    </section>
  );
};

const Pictured = ({ memory, ...rest }: Omit<Props, 'memory' | 'head'> & { memory: PastMemory }) => {
  const [selected, setSelected] = useState<string | null>(null);
  const { policy, context, onTurn } = rest;
  return (
    <PolicyPicture
      shown={{ policy, context, memory }}
      selected={selected}
      onSelect={setSelected}
      {...(onTurn !== undefined && { onTurn })}
    />
  );
};

/** The current policy's memory as it was before the turn being looked at; follows along as turns are added. */
export const MemoryPane = ({ policy }: { policy: string }) => {
  const forest = useShownForest();
  const selectedId = useApp((state) => state.session.selectedId);
  const conversationId = useApp((state) => state.conversationId);
  const node = forest.nodes[selectedId ?? ''] ?? forest.nodes[forest.active?.nodeId ?? ''];
  if (node === undefined) return <p className={styles.empty}>Nothing here yet. Send a message to build the memory.</p>;
  return <Before key={`${conversationId} ${policy}`} policy={policy} forest={forest} node={node} />;
};

const Before = ({ policy, forest, node }: { policy: string; forest: Forest; node: Node }) => {
  const { select } = useActions();
  // While a turn is being handled, the log grows with every word.
  const moment = useApp(({ past, turn, entries }) => past?.count ?? (turn === null ? entries.length : -1));
  const by = useApp(memoryModels);
  const made = useMemory(node.id, policy, by, moment);
  const { before, memory } = memoryBefore(forest, node, made);
  const context = useContext(policy, before, memory);
  return (
    <div className={styles.pane}>
      <PolicyStructure
        policy={policy}
        memory={memory}
        context={context}
        onTurn={select}
        head={
          <Heading size="small" className={styles.head}>
            {policy} <span>before turn {before.number}</span>
            {(before !== node || made.by !== by) && (
              <span role="status">{`building the memory before turn ${node.number}…`}</span>
            )}
          </Heading>
        }
      />
    </div>
  );
};

/**
 * Tells by which models a memory is made: changes once another one is ready in place of the one before, or stands in for
 * one that was lost. One that is merely loading changes nothing yet, nor does one that is busy, perhaps with this memory.
 */
export const memoryModels = ({ models }: Pick<AppState, 'models'>): string =>
  (['embed', 'summarise'] as const).map((role) => models[role].answering).join('\n');

/** The context of the turn, if this policy built it. */
const useContext = (policy: string, node: Node, memory: PastMemory | string | null): PolicyContext | null => {
  const reply = replyOf(node);
  const context = reply?.context ?? null;
  const sent = reply !== null && !isUnsent(reply);
  return useMemo(() => {
    if (context?.policy !== policy || memory === null || typeof memory === 'string') return null;
    return { policy, sent, context, forest: memory.forest, withoutSimilarity: null };
  }, [policy, sent, context, memory]);
};

/** Turns passed faster than this, in milliseconds, are skipped: each costs a fold of the log. */
const REST = 150;

interface BuiltMemory {
  /** The turn that the memory precedes: while another one is being made, still the previous one. */
  readonly of: NodeId;
  /** The models that it was made by. */
  readonly by: string;
  /** null while the first is being made; if it cannot be made, what went wrong, in words. */
  readonly memory: PastMemory | string | null;
}

/** The turn that a memory is shown under, and the memory: none if it was made for a turn that is no longer there. */
export const memoryBefore = (forest: Forest, node: Node, { of, memory }: Omit<BuiltMemory, 'by'>) => {
  const before = forest.nodes[of];
  return before === undefined ? { before: node, memory: null } : { before, memory };
};

/** A policy's memory as it was before a turn, with what it recalls for the turn. Made again when `by` or `moment` changes. */
export const useMemory = (nodeId: NodeId, policy: string, by: string, moment = 0): BuiltMemory => {
  const { memoryFor } = useActions();
  const [made, setMade] = useState<BuiltMemory>({ of: nodeId, by, memory: null });
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was said since changes it
  useEffect(() => {
    const stop = new AbortController();
    const take = (memory: PastMemory | string) => {
      if (!stop.signal.aborted) setMade({ of: nodeId, by, memory });
    };
    const make = () =>
      memoryFor(nodeId, policy, stop.signal).then(
        (memory) => take(memory ?? 'this turn has no memory'),
        (error: unknown) => take(errorMessage(error)),
      );
    const begun = setTimeout(make, made.memory === null ? 0 : REST);
    return () => {
      clearTimeout(begun);
      stop.abort();
    };
  }, [memoryFor, nodeId, policy, by, moment]);
  return made;
};

/** Up to this many pieces all start expanded. */
const FEW = 60;

/** The pieces of a memory, as a tree or a list; arrows move, Enter expands the words of one. */
const MemoryCells = ({ policy, memory }: { policy: string; memory: PastMemory }) => {
  const { cells, forest } = memory;
  const tree = isTree(memory);
  const [folded, setFolded] = useState<ReadonlyMap<string, boolean>>(new Map());
  const open = openCells(memory, folded);
  const [read, setRead] = useState<ReadonlySet<string>>(new Set());
  const [which, setWhich] = useState<'all' | 'recalled'>('all');
  const [at, setAt] = useState<string | null>(null);
  const list = useRef<HTMLDivElement>(null);
  const all = memoryRows(memory, open);
  const everyRecalled = recalledRows(memory);
  const rows = which === 'all' ? all : everyRecalled;
  const focused = rows.some(({ cell }) => cell.id === at) ? at : (rows[0]?.cell.id ?? null);

  const focus = (row: MemoryRow | undefined) => {
    if (row === undefined) return;
    setAt(row.cell.id);
    const items = list.current?.querySelectorAll<HTMLElement>('[data-cell]') ?? [];
    [...items].find((one) => one.dataset.cell === row.cell.id)?.focus();
  };
  const toggled = (set: ReadonlySet<string>, id: string): ReadonlySet<string> => {
    const next = new Set(set);
    if (!next.delete(id)) next.add(id);
    return next;
  };
  const fold = ({ cell, open }: MemoryRow) => setFolded(new Map(folded).set(cell.id, open === true));
  const onKey = (event: KeyboardEvent) => {
    const index = rows.findIndex(({ cell }) => cell.id === focused);
    const row = rows[index];
    if (row === undefined) return;
    const moves: Readonly<Record<string, () => void>> = {
      ArrowDown: () => focus(rows[index + 1]),
      ArrowUp: () => focus(rows[index - 1]),
      Home: () => focus(rows[0]),
      End: () => focus(rows.at(-1)),
      ArrowRight: () => (row.open === false ? fold(row) : row.open && focus(rows[index + 1])),
      ArrowLeft: () =>
        row.open === true ? fold(row) : focus(rows.slice(0, index).findLast(({ level }) => level < row.level)),
      Enter: () => setRead(toggled(read, row.cell.id)),
      ' ': () => setRead(toggled(read, row.cell.id)),
    };
    const move = moves[event.key];
    if (move === undefined) return;
    event.preventDefault();
    move();
  };
  return (
    <>
      <div className={styles.tools}>
        <Segmented
          label="Pieces"
          options={[
            { value: 'all', label: `All ${cells.length}` },
            { value: 'recalled', label: `Recalled ${everyRecalled.length}` },
          ]}
          value={which}
          onChange={setWhich}
        />
        <Muted as="span" faint className={styles.hint}>
          Use the arrow keys to move and Enter to expand the text.
        </Muted>
      </div>
      <div ref={list} role="tree" aria-label={`${tree ? 'Tree' : 'List'} of ${policy}`} className={styles.cells}>
        {rows.map((row) => (
          <div
            key={row.cell.id}
            role="treeitem"
            data-cell={row.cell.id}
            data-recalled={row.recalled !== null || undefined}
            data-skipped={row.skipped || undefined}
            aria-level={row.level}
            aria-posinset={row.place}
            aria-setsize={row.siblings}
            aria-label={spoken(forest, row)}
            aria-selected={row.cell.id === focused}
            {...(row.open !== null && { 'aria-expanded': row.open })}
            tabIndex={row.cell.id === focused ? 0 : -1}
            className={styles.cell}
            style={{ paddingInlineStart: 24 + (row.level - 1) * 20 }}
            onFocus={() => setAt(row.cell.id)}
            onKeyDown={onKey}
            onClick={() => setRead(toggled(read, row.cell.id))}
          >
            <MemoryCell forest={forest} row={row} read={read.has(row.cell.id)} onFold={() => fold(row)} />
          </div>
        ))}
      </div>
    </>
  );
};

interface CellProps {
  readonly forest: Forest;
  readonly row: MemoryRow;
  /** Its words are expanded. */
  readonly read: boolean;
  readonly onFold: () => void;
}

/** A piece of a memory: its name, the turns it was made of in their colours, and its words. */
const MemoryCell = ({ forest, row, read, onFold }: CellProps) => {
  const { cell, open, recalled, skipped } = row;
  const topics = [...new Set(cell.from.flatMap((id) => forest.nodes[id]?.treeId ?? []))];
  return (
    <>
      <span
        className={styles.fold}
        data-open={open ?? undefined}
        aria-hidden="true"
        onClick={(event) => {
          if (open === null) return;
          event.stopPropagation();
          onFold();
        }}
      >
        {open !== null && <ChevronRight size={13} />}
      </span>
      <span className={styles.dots} aria-hidden="true">
        {topics.slice(0, 4).map((id) => (
          <i key={id} style={{ '--c': topicColour(forest.trees[id]?.order ?? 0) } as CSSProperties} />
        ))}
      </span>
      <Ellipsis className={styles.name}>
        {cell.name}
        {turnRanges(forest, cell.from) !== cell.name && <small>{turnRanges(forest, cell.from)}</small>}
      </Ellipsis>
      <Ellipsis className={styles.words} data-read={read || undefined}>
        {cell.text}
      </Ellipsis>
      <span className={styles.mark}>
        {recalled !== null && (recalled.score === null ? 'recalled' : `recalled ${ratio(recalled.score)}`)}
        {skipped && 'skipped'}
      </span>
    </>
  );
};

/** The same for screen readers, recalled pieces first. */
const spoken = (forest: Forest, row: MemoryRow): string => {
  const { cell, recalled, skipped } = row;
  const turns = turnRanges(forest, cell.from);
  return [
    cell.name,
    ...(turns === '' || turns === cell.name ? [] : [turns]),
    ...(recalled === null ? [] : [recalled.score === null ? 'recalled' : `recalled, rated ${ratio(recalled.score)}`]),
    ...(skipped ? ['skipped'] : []),
    cell.text,
  ].join(', ');
};

/** A cell in the displayed list or tree. */
interface MemoryRow {
  readonly cell: Cell;
  /** From 1. */
  readonly level: number;
  /** null if it has no children. */
  readonly open: boolean | null;
  /** What was recalled of it for the turn; null if nothing was. */
  readonly recalled: RecalledText | null;
  /** It was passed over, with everything below it. */
  readonly skipped: boolean;
  /** Its position among its siblings, from 1, and their number. */
  readonly place: number;
  readonly siblings: number;
}

/** Whether any cell has a parent. */
export const isTree = ({ cells }: MemoryAtTurn): boolean => cells.some(({ parent }) => parent !== null);

/** The ancestors of recalled cells: expanding them shows these. */
export const aboveRecalled = ({ cells, recall }: MemoryAtTurn): Set<string> => {
  const parents = new Map(cells.map(({ id, parent }) => [id, parent]));
  const above = new Set<string>();
  for (const { cell } of recall.items) {
    for (let at = parents.get(cell) ?? null; at !== null && !above.has(at); at = parents.get(at) ?? null) above.add(at);
  }
  return above;
};

/** The expanded cells: those that a person has neither folded nor unfolded are as the memory is best read. */
export const openCells = (memory: MemoryAtTurn, folded: ReadonlyMap<string, boolean>): ReadonlySet<string> => {
  const ids = memory.cells.map(({ id }) => id);
  const open = ids.length <= FEW ? new Set(ids) : aboveRecalled(memory);
  for (const [id, isFolded] of folded) {
    if (isFolded) open.delete(id);
    else open.add(id);
  }
  return open;
};

/** The visible rows, top to bottom; a cell's children only if it is open. */
export const memoryRows = ({ cells, recall }: MemoryAtTurn, open: ReadonlySet<string>): MemoryRow[] => {
  const there = new Set(cells.map(({ id }) => id));
  const below = new Map<string | null, Cell[]>();
  for (const cell of cells) {
    const parent = cell.parent !== null && there.has(cell.parent) ? cell.parent : null;
    const own = below.get(parent);
    if (own === undefined) below.set(parent, [cell]);
    else own.push(cell);
  }
  const recalled = new Map(recall.items.map((item) => [item.cell, item]));
  const skipped = new Set(recall.skipped);
  const under = (parent: string | null, level: number): MemoryRow[] =>
    (below.get(parent) ?? []).flatMap((cell, at, siblings) => {
      const isOpen = below.has(cell.id) ? open.has(cell.id) : null;
      const row: MemoryRow = {
        cell,
        level,
        open: isOpen,
        recalled: recalled.get(cell.id) ?? null,
        skipped: skipped.has(cell.id),
        place: at + 1,
        siblings: siblings.length,
      };
      return isOpen === true ? [row, ...under(cell.id, level + 1)] : [row];
    });
  return under(null, 1);
};

/** Only what was recalled, as a list. */
export const recalledRows = (memory: MemoryAtTurn): MemoryRow[] =>
  memoryRows(memory, new Set(memory.cells.map(({ id }) => id)))
    .filter(({ recalled }) => recalled !== null)
    .map((row, at, { length }) => ({ ...row, level: 1, open: null, place: at + 1, siblings: length }));
