import fuzzysort from 'fuzzysort';
import { Sparkles, Sprout } from 'lucide-react';
import { type KeyboardEvent, useCallback, useDeferredValue, useEffect, useId, useMemo, useRef, useState } from 'react';
import type { AppState } from '../../app/state.ts';
import type { Target } from '../../domain/decision.ts';
import type { Forest, Node, Tree } from '../../domain/forest.ts';
import { latinDigits } from '../../domain/numbers.ts';
import { activePath, beginning, childrenOf, treesOf } from '../../domain/queries.ts';
import { recordsOf } from '../../domain/table.ts';
import { withinSpell } from '../../engine/tasks.ts';
import { useAppState } from '../app-context.ts';
import { useKeymap } from '../commands/keymap.ts';
import { isMacEditing, listMove, strokeOf } from '../commands/keystroke.ts';
import { isComposing } from '../parts/composing.ts';
import { SearchField } from '../parts/fields.tsx';
import { counted } from '../parts/format.ts';
import { useInSteps, useOnceReady } from '../parts/hooks.ts';
import { Ellipsis, Marked, TopicDot } from '../parts/text.tsx';
import styles from './place-picker.module.css';

interface Props {
  /** null: Coppice decides. */
  readonly onChoose: (target: Target | null) => void;
  readonly onClose: () => void;
}

/**
 * Chooses where the next message goes by searching: a combobox with a list (WAI-ARIA APG). The focus stays in the
 * field; arrows move through the list, Enter chooses, and the common choices have single keys.
 */
export const PlacePicker = ({ onChoose, onClose }: Props) => {
  const state = useAppState();
  const keymap = useKeymap();
  // A snapshot from when it opened: a reply streaming behind it must not move the list.
  const [places] = useState(() => placesOf(state()));
  const [query, setQuery] = useState('');
  const [at, setAt] = useState(0);
  const sought = useDeferredValue(query);
  const find = useCallback(() => turnsFound(places.forest, sought), [places, sought]);
  const { result: turns, isDone } = useInSteps(find);
  const groups = useMemo(() => placeGroups(places, sought, turns ?? []), [places, sought, turns]);
  const rows = rowsOf(groups);
  const active = Math.min(at, rows.length - 1);
  const id = useId();
  const root = useRef<HTMLDivElement>(null);

  useEffect(() => {
    const element = root.current;
    if (element === null) return;
    // The field stays in place however few results there are.
    element.style.minHeight = `${element.offsetHeight}px`;
    element.querySelector('input')?.focus({ preventScroll: true });
  }, []);
  // It keeps all texts that it has ever compared: hundreds of megabytes in a long conversation.
  useEffect(() => () => fuzzysort.cleanup(), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another query has another list
  useEffect(() => {
    root.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [active, sought]);

  const choose = (row: PlaceRow | undefined) => row !== undefined && onChoose(targetOf(row));
  const enter = () => {
    // Enter right after typing uses the current query, not the list that lags behind it.
    const isShown = sought === query && isDone;
    const found = isShown ? null : withinSpell(turnsFound(places.forest, query), () => performance.now());
    const row = isShown ? rows[active] : rowsOf(placeGroups(places, query, found?.result ?? []))[active];
    // Turns still to be found come last.
    wait(row === undefined && !isShown && found === null);
    choose(row);
  };
  const wait = useOnceReady(sought === query && isDone, enter);
  const pressed = (event: KeyboardEvent) => {
    if (isComposing(event.nativeEvent)) return;
    const stroke = strokeOf(event.nativeEvent);
    const held = event.ctrlKey || event.metaKey || event.altKey;
    const keyed = query === '' && !held ? rows.find(({ kind }) => PLACE_KEYS[kind] === event.key) : undefined;
    const to = held ? null : listMove(event.key, active, rows.length, PAGE);
    const isKey = stroke !== null && stroke.length > 1 && !isMacEditing(event);
    const isOwn = isKey && keymap.commandWith(stroke, state().keys) === 'choose-place';
    if (isOwn) {
      if (!event.repeat) onClose();
    } else if (keyed !== undefined) {
      // Held down, it has just emptied the field.
      if (!event.repeat) choose(keyed);
    } else if (to !== null) setAt(to);
    else if (event.key === 'Enter') enter();
    else return;
    event.preventDefault();
  };

  let index = 0;
  return (
    <div ref={root} className={styles.picker}>
      <SearchField
        label="Search topics and turns"
        value={query}
        onChange={(value) => {
          setQuery(value);
          setAt(0);
          wait(false);
        }}
        role="combobox"
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        aria-expanded
        aria-autocomplete="list"
        aria-controls={id}
        aria-activedescendant={active >= 0 ? `${id}${active}` : undefined}
        onKeyDown={pressed}
      />
      <div id={id} role="listbox" aria-label="Places" className={styles.list}>
        {groups.map(({ heading, rows: own }) => (
          <div key={heading} role="group" aria-label={heading}>
            <p className={styles.heading} aria-hidden>
              {heading}
            </p>
            {own.map((row) => {
              const mine = index++;
              return (
                <Option
                  key={row.key}
                  id={`${id}${mine}`}
                  row={row}
                  keyed={query === '' ? PLACE_KEYS[row.kind] : undefined}
                  selected={mine === active}
                  onPoint={() => setAt(mine)}
                  onPick={() => choose(row)}
                />
              );
            })}
          </div>
        ))}
      </div>
      {rows.length === 0 && <p className={styles.none}>{isDone ? 'No matching topics or turns.' : 'Searching…'}</p>}
      <p role="status" className="visually-hidden">
        {sought === '' || !isDone ? '' : counted(rows.length, 'place')}
      </p>
    </div>
  );
};

interface OptionProps {
  readonly id: string;
  readonly row: PlaceRow;
  /** A key that chooses it at once. */
  readonly keyed: string | undefined;
  readonly selected: boolean;
  readonly onPoint: () => void;
  readonly onPick: () => void;
}

/** The search field handles the keys; a row only handles the pointer. */
const Option = ({ id, row, keyed, selected, onPoint, onPick }: OptionProps) => {
  const detail = rowDetail(row);
  return (
    // biome-ignore lint/a11y: the search field has the focus and the keys, as the pattern of a combobox has it
    <div
      id={id}
      role="option"
      className={styles.option}
      aria-selected={selected}
      onPointerMove={onPoint}
      onClick={onPick}
    >
      <span className={styles.mark}>
        {row.kind === 'new-topic' ? (
          <Sprout size={14} aria-hidden />
        ) : row.kind === 'decide' ? (
          <Sparkles size={14} aria-hidden />
        ) : (
          <TopicDot order={row.tree.order} />
        )}
      </span>
      {row.kind === 'turn' && <span className={styles.number}>Turn {row.node.number} </span>}
      <Ellipsis>
        <Marked text={rowWords(row)} marks={row.marks} />
      </Ellipsis>
      {detail !== '' && <span className={styles.detail}> {detail}</span>}
      {keyed !== undefined && (
        <kbd className={styles.key} aria-hidden>
          {KEY_WORDS[keyed] ?? keyed}
        </kbd>
      )}
    </div>
  );
};

const KEY_WORDS: Readonly<Record<string, string>> = { Backspace: '⌫' };

/** How many rows Page Up and Page Down move by. */
const PAGE = 6;

const rowsOf = (groups: readonly PlaceGroup[]): readonly PlaceRow[] => groups.flatMap(({ rows }) => rows);

/** The draft's preview may already know how near the topics are. */
const placesOf = ({ forest, session: { target }, preview }: AppState) => {
  const candidates = preview?.shown?.node.decision.trace?.topic.candidates ?? [];
  return { forest, target, near: new Map(candidates.map(({ treeId, similarity }) => [treeId, similarity])) };
};

/** A place the next message can be sent to, or (`decide`) going back to not choosing one. */
type PlaceRow = { readonly key: string; readonly marks: readonly number[] } & (
  | { readonly kind: 'here'; readonly node: Node; readonly tree: Tree }
  | { readonly kind: 'new-topic' }
  | { readonly kind: 'decide' }
  | { readonly kind: 'topic'; readonly tree: Tree; readonly last: Node }
  | { readonly kind: 'turn'; readonly node: Node; readonly tree: Tree; readonly forks: boolean }
);

interface PlaceGroup {
  readonly heading: string;
  readonly rows: readonly PlaceRow[];
}

export interface Places {
  readonly forest: Forest;
  /** The current choice. */
  readonly target: Target | null;
  /** Cosine of the draft to topics by id, as far as known: the nearest come first. */
  readonly near: ReadonlyMap<string, number>;
}

/** The text of a row, without its detail. */
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
      return beginning(row.node.message, LETTERS);
  }
};

/** The detail at the end of a row. */
export const rowDetail = (row: PlaceRow): string => {
  switch (row.kind) {
    case 'here':
      return `after turn ${row.node.number}`;
    case 'topic':
      return `after turn ${row.last.number}`;
    case 'turn':
      return row.forks ? 'new branch' : 'continues';
    default:
      return '';
  }
};

/** The key that chooses a row while the query is empty. */
export const PLACE_KEYS: Readonly<Partial<Record<PlaceRow['kind'], string>>> = {
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

/** Characters of a message that are shown and searched. */
const LETTERS = 240;
/** Rows of each kind while the query is empty. */
const FIRST_TOPICS = 6;
const FIRST_TURNS = 4;
/** Rows of each kind among the results. */
const FOUND = 12;
/** From 0 for no match to 1 for an exact one: below this, the letters match only by coincidence. */
const LEAST = 0.35;
const LEAST_IN_MESSAGES = 0.45;

/** The matching places, with the turns that were found; without a query, the likely ones. */
export const placeGroups = (places: Places, query: string, turns: readonly PlaceRow[]): PlaceGroup[] => {
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
          { heading: 'Turns', rows: turns },
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

/** The nearest to the draft first, where known; else the most recent. */
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

const fuzzyMatches = (rows: readonly PlaceRow[], sought: string, threshold: number) =>
  fuzzysort
    .go(sought, rows, {
      // Prepared here, or all that is compared would be kept as long as it is open.
      key: (row) => fuzzysort.prepare(rowWords(row)),
      threshold,
      limit: FOUND,
    })
    .map(({ obj, indexes, score }) => ({ row: { ...obj, marks: [...indexes] } as PlaceRow, score }));

const matching = (rows: readonly PlaceRow[], sought: string, threshold: number): PlaceRow[] =>
  fuzzyMatches(rows, sought, threshold).map(({ row }) => row);

/** Turns compared in a step: as many as may have to be read for it in a few milliseconds. */
const PART = 128;

/** The turns that match best, found in steps; one whose number is the query comes first. */
export function* turnsFound(forest: Forest, query: string): Generator<undefined, readonly PlaceRow[]> {
  const sought = query.trim();
  if (sought === '') return [];
  const nodes = recordsOf(forest.nodes).filter(({ hidden }) => !hidden);
  const number = /^(?:turn\s*)?#?(\d+)$/i.exec(latinDigits(sought))?.[1];
  const named = nodes.filter((node) => `${node.number}` === number).flatMap((node) => turnRow(forest, node));
  let best: ReturnType<typeof fuzzyMatches> = [];
  for (let from = 0; from < nodes.length; from += PART) {
    if (from > 0) yield;
    const rows = nodes.slice(from, from + PART).flatMap((node) => turnRow(forest, node));
    const found = fuzzyMatches(rows, sought, LEAST_IN_MESSAGES);
    if (found.length > 0) best = [...best, ...found].sort((a, b) => b.score - a.score).slice(0, FOUND);
  }
  return [...named, ...best.map(({ row }) => row).filter(({ key }) => key !== named[0]?.key)];
}
