import { Play } from 'lucide-react';
import { memo, type ReactNode, useCallback, useDeferredValue, useMemo, useRef, useState } from 'react';
import { textFilter } from '../../app/search-words.ts';
import { Button } from '../../ui/parts/button.tsx';
import { Checkbox, SearchField } from '../../ui/parts/fields.tsx';
import { count, counted } from '../../ui/parts/format.ts';
import { FailureBox, Muted } from '../../ui/parts/text.tsx';
import styles from './import-dialog.module.css';
import type { RefusedFile } from './read/read-files.ts';
import type { FoundRow } from './read/rows.ts';

/** Rows rendered at once; searching narrows further. */
const ROWS = 100;

const NO_ROWS: readonly FoundRow[] = [];

interface FoundConversationsProps {
  readonly rows: readonly FoundRow[];
  readonly refused: readonly RefusedFile[];
  /** Shown instead of the buttons while something is being read or saved. */
  readonly busy: ReactNode;
  readonly onOpen: (rows: readonly FoundRow[]) => void;
  readonly onReplay: (row: FoundRow) => void;
}

/** The content of files before anything is opened: every conversation, with what is kept of it and what is not. */
export const FoundConversations = ({ rows, refused, busy, onOpen, onReplay }: FoundConversationsProps) => {
  const [sought, setSought] = useState('');
  const [left, setLeft] = useState<ReadonlySet<number>>(new Set());
  const filter = useDeferredValue(sought);
  const found = useMemo(() => {
    const isFound = textFilter(filter);
    return rows.filter(({ title, opening }) => isFound(`${title} ${opening}`));
  }, [rows, filter]);
  // Rendering a hundred rows at once would delay the next frame.
  const drawn = useDeferredValue(found, NO_ROWS).slice(0, ROWS);
  const chosen = left.size === 0 ? rows : rows.filter(({ index }) => !left.has(index));
  const [only] = chosen.length === 1 ? chosen : [];
  const tick = useCallback((which: readonly FoundRow[], isTicked: boolean) => {
    setLeft((before) => {
      const next = new Set(before);
      for (const { index } of which) isTicked ? next.delete(index) : next.add(index);
      return next;
    });
  }, []);
  const latest = useRef(onReplay);
  latest.current = onReplay;
  const replay = useCallback((row: FoundRow) => latest.current(row), []);
  const allTicked = found.length > 0 && (left.size === 0 || found.every(({ index }) => !left.has(index)));

  return (
    <>
      {refused.length > 0 && <NotRead refused={refused} />}
      {rows.length > 5 && <SearchField label="Search what was read" value={sought} onChange={setSought} />}
      {rows.length > 0 && (
        <div className={styles.found}>
          <table aria-label="What was read">
            <thead>
              <tr>
                <th>
                  {rows.length > 1 && (
                    <Checkbox on={allTicked} onChange={(isTicked) => tick(found, isTicked)}>
                      <span className="visually-hidden">All</span>
                    </Checkbox>
                  )}
                </th>
                <th scope="col">Conversation</th>
                <th scope="col">Messages</th>
                <th scope="col">Turns</th>
                <th scope="col">Branches</th>
                <th scope="col">Topics</th>
                {rows.length > 1 && <th aria-label="Replay" />}
              </tr>
            </thead>
            <tbody>
              {drawn.map((row) => (
                <Row
                  key={row.index}
                  row={row}
                  isTicked={!left.has(row.index)}
                  onTick={tick}
                  onReplay={rows.length > 1 ? replay : null}
                  isBusy={busy !== null}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
      <Muted role="status">
        {rows.length > 0 && found.length === 0
          ? 'No conversations match these words.'
          : found.length > ROWS && `Showing the first ${ROWS} of ${count(found.length)}. Search to find the others.`}
      </Muted>
      <div className={styles.foot}>
        {busy ?? (
          <>
            <p>
              {rows.length > 1 && `${counted(chosen.length, 'conversation')} of ${count(rows.length)} chosen. `}
              Open as it was to keep every message in its place, or replay to let the engine place the path that was
              shown last, turn by turn.
            </p>
            <span className={styles.choices}>
              <Button disabled={(only?.turns ?? 0) === 0} onClick={() => only && onReplay(only)}>
                <Play size={12} fill="currentColor" aria-hidden />
                Replay
              </Button>
              <Button look="primary" disabled={chosen.length === 0} onClick={() => onOpen(chosen)}>
                Open as it was
              </Button>
            </span>
          </>
        )}
      </div>
    </>
  );
};

interface RowProps {
  readonly row: FoundRow;
  readonly isTicked: boolean;
  readonly onTick: (rows: readonly FoundRow[], isTicked: boolean) => void;
  readonly onReplay: ((row: FoundRow) => void) | null;
  readonly isBusy: boolean;
}

/** Memoised: a row renders again when something begins or ends, but not as the list grows. */
const Row = memo(({ row, isTicked, onTick, onReplay, isBusy }: RowProps) => (
  <tr data-ticked={isTicked}>
    <td>
      <Checkbox on={isTicked} onChange={(on) => onTick([row], on)}>
        <span className="visually-hidden">{row.title}</span>
      </Checkbox>
    </td>
    <th scope="row">
      <b dir="auto">{row.title}</b>
      <small>{row.tool}</small>
      {!row.opening.startsWith(row.title.replace(/…$/, '')) && <p dir="auto">{row.opening}</p>}
      {row.notes.length > 0 && (
        <ul aria-label={`Notes on ${row.title}`}>
          {row.notes.map((note) => (
            <Muted as="li" faint key={note}>
              {note}
            </Muted>
          ))}
        </ul>
      )}
    </th>
    <td>{count(row.messages)}</td>
    <td>{count(row.turns)}</td>
    <td>{count(row.branches)}</td>
    <td>{count(row.topics)}</td>
    {onReplay !== null && (
      <td>
        <Button
          size="small"
          aria-label={`Replay ${row.title}`}
          disabled={row.turns === 0}
          // A disabled one would lose the focus, which it has if its own press began what is being done.
          aria-disabled={isBusy || undefined}
          onClick={isBusy ? undefined : () => onReplay(row)}
        >
          <Play size={12} fill="currentColor" aria-hidden />
          Replay
        </Button>
      </td>
    )}
  </tr>
));

/** The first of the files that could not be read, with the reasons. */
export const NotRead = ({ refused }: { refused: readonly RefusedFile[] }) => (
  <FailureBox>
    {refused.slice(0, 5).map(({ name, why }) => (
      <p key={`${name} ${why}`}>
        <b>{name}</b>: {why}
      </p>
    ))}
    {refused.length > 5 && <p>And {count(refused.length - 5)} more.</p>}
  </FailureBox>
);
