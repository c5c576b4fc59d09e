import { Sprout } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useDeferredValue, useEffect, useId, useRef, useState } from 'react';
import { Dialog } from '../../ui/parts/dialog.tsx';
import { SearchField } from '../../ui/parts/fields.tsx';
import { TopicDot } from '../../ui/parts/text.tsx';
import { found, type Searchable } from './picker-rows.ts';
import styles from './turn-picker.module.css';

/** Rows drawn at once; searching narrows further. */
const ROWS = 100;
/** Rows that Page Up and Page Down go by. */
const PAGE = 8;

/** What is picked: a turn, or (null) a new topic. */
export type Pick = Searchable | null;

interface TurnPickerProps {
  readonly title: string;
  readonly description: string;
  readonly rows: readonly Searchable[];
  /** Offers a new topic before all turns; its refusal, if it cannot be. */
  readonly newTopic?: { readonly refusal: string | null };
  readonly onPick: (pick: Pick) => void;
  readonly onClose: () => void;
  /** More about the row that is highlighted, under the list. */
  readonly about: (pick: Pick | undefined) => ReactNode;
  /** The button that picks. */
  readonly picks: (pick: () => void, possible: boolean) => ReactNode;
}

/**
 * One of many turns, found by typing: a combobox over a list (WAI-ARIA APG). The focus stays in the search field;
 * arrows go through the list, also to rows that cannot be picked, which say why.
 */
export const TurnPicker = ({ title, description, rows, newTopic, onPick, onClose, about, picks }: TurnPickerProps) => {
  const id = useId();
  const [query, setQuery] = useState('');
  const [at, setAt] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const sought = useDeferredValue(query);
  const hits = found(rows, sought);
  const options: Pick[] = [...(newTopic !== undefined && sought.trim() === '' ? [null] : []), ...hits.slice(0, ROWS)];
  const here = Math.min(at, options.length - 1);
  const current = options[here];
  const refusalOf = (pick: Pick | undefined) =>
    pick === undefined ? '' : pick === null ? (newTopic?.refusal ?? null) : pick.refusal;

  useEffect(() => {
    list.current?.querySelector(`[data-at="${here}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [here]);

  const choose = (pick: Pick | undefined) => {
    if (pick !== undefined && refusalOf(pick) === null) onPick(pick);
  };
  const pressed = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const to = MOVES[event.key]?.(here, options.length);
    if (to !== undefined) setAt(Math.max(0, Math.min(options.length - 1, to)));
    else if (event.key === 'Enter') choose(current);
    else return;
    event.preventDefault();
  };

  return (
    <Dialog
      title={title}
      description={description}
      onClose={onClose}
      actions={picks(() => choose(current), current !== undefined && refusalOf(current) === null)}
    >
      <div className={styles.search}>
        <SearchField
          label="Search turns"
          value={query}
          onChange={(value) => {
            setQuery(value);
            setAt(0);
          }}
          data-write-here
          role="combobox"
          aria-expanded
          aria-autocomplete="list"
          aria-controls={`${id}list`}
          aria-activedescendant={current === undefined ? undefined : `${id}${here}`}
          onKeyDown={pressed}
        />
      </div>
      <div ref={list} id={`${id}list`} role="listbox" aria-label="Turns" className={styles.list}>
        {options.map((pick, index) => (
          <PickerRow
            key={pick?.node.id ?? 'new-topic'}
            id={`${id}${index}`}
            at={index}
            pick={pick}
            refusal={refusalOf(pick)}
            current={index === here}
            onPoint={() => setAt(index)}
            onChoose={() => choose(pick)}
          />
        ))}
      </div>
      {hits.length === 0 && <p className={styles.note}>No turn matches these words.</p>}
      {hits.length > ROWS && (
        <p className={styles.note}>{`The newest ${ROWS} of ${hits.length}: type to find the others.`}</p>
      )}
      <div className={styles.about} aria-live="polite">
        {about(current)}
      </div>
    </Dialog>
  );
};

const MOVES: Readonly<Record<string, (at: number, length: number) => number>> = {
  ArrowDown: (at, length) => (at + 1) % length,
  ArrowUp: (at, length) => (at + length - 1) % length,
  PageDown: (at) => at + PAGE,
  PageUp: (at) => at - PAGE,
};

interface TurnPickerRowProps {
  readonly id: string;
  readonly at: number;
  readonly pick: Pick;
  readonly refusal: string | null;
  readonly current: boolean;
  readonly onPoint: () => void;
  readonly onChoose: () => void;
}

/** The list's keys are on its search field; a row hears the pointer. */
const PickerRow = ({ id, at, pick, refusal, current, onPoint, onChoose }: TurnPickerRowProps) => (
  // biome-ignore lint/a11y: the search field has the focus and the keys, as the pattern of a combobox has it
  <div
    id={id}
    role="option"
    className={styles.row}
    aria-selected={current}
    aria-disabled={refusal !== null || undefined}
    data-at={at}
    onPointerMove={onPoint}
    onClick={onChoose}
  >
    <span className={styles.mark}>
      {pick === null ? <Sprout size={14} aria-hidden /> : <TopicDot order={pick.topic} />}
    </span>
    <span className={styles.words}>
      {pick === null ? (
        <b>New topic</b>
      ) : (
        <>
          <span className={styles.number}>Turn {pick.node.number}</span> {pick.node.message.slice(0, 240)}
        </>
      )}
    </span>
    <span className={styles.crumbs}>{refusal ?? pick?.crumbs.join(' › ') ?? 'It begins a topic of its own.'}</span>
  </div>
);
