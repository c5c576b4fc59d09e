import { ChevronDown, ChevronRight, EyeOff, GitBranch, Link2, Pencil, Pin, StickyNote } from 'lucide-react';
import { type CSSProperties, type KeyboardEvent, useEffect, useRef } from 'react';
import type { Node } from '../../domain/forest.ts';
import { IconButton } from '../parts/button.tsx';
import { counted } from '../parts/format.ts';
import { TopicDot } from '../parts/text.tsx';
import { topicColour } from '../topic-colour.ts';
import styles from './outline.module.css';
import { type OutlineRow, rowName, type TopicRow } from './rows.ts';

/** Levels beyond this are not indented further; their `aria-level` still tells. */
const DEEPEST_INDENT = 10;

export interface RowMarks {
  readonly focusable: boolean;
  readonly selected: boolean;
  /** The active turn: the next message goes on from here. */
  readonly current: boolean;
  /** On the active path. */
  readonly onPath: boolean;
  readonly renaming: boolean;
}

/** What a row's own controls do; clicks on the row itself are the tree's affair. */
export interface TitleActions {
  /** null while nothing can be changed. */
  readonly rename: (() => void) | null;
  /** The new title; null if it is to stay. */
  readonly renamed: (title: string | null) => void;
}

interface Props {
  readonly id: string;
  readonly row: OutlineRow;
  readonly index: number;
  readonly top: number;
  readonly height: number;
  readonly marks: RowMarks;
  readonly actions: TitleActions;
}

export const OutlineRowView = ({ id, row, index, top, height, marks, actions }: Props) => {
  const topic = row.kind === 'topic' ? row.tree.order : row.topic;
  const style = {
    height,
    transform: `translateY(${top}px)`,
    '--c': topicColour(topic),
    '--indent': Math.min(row.level - 1, DEEPEST_INDENT),
  } as CSSProperties;

  return (
    <div
      id={id}
      role="treeitem"
      className={styles.row}
      style={style}
      tabIndex={marks.focusable ? 0 : -1}
      aria-label={rowName(row)}
      aria-level={row.level}
      aria-posinset={row.position}
      aria-setsize={row.siblings}
      aria-expanded={row.expanded ?? undefined}
      aria-selected={row.kind === 'turn' ? marks.selected : undefined}
      aria-current={marks.current ? 'true' : undefined}
      data-index={index}
      data-kind={row.kind}
      data-path={marks.onPath || undefined}
      data-hidden={(row.kind === 'turn' && row.node.hidden) || undefined}
    >
      <span className={styles.indent} />
      <Twisty expanded={row.expanded} />
      {row.kind === 'topic' ? (
        <TopicContent row={row} marks={marks} actions={actions} />
      ) : (
        <>
          <span className={styles.number}>{row.node.number}</span>
          {row.forks && <GitBranch className={styles.fork} aria-hidden="true" />}
          <span className={styles.words}>{row.node.message.slice(0, 240)}</span>
          <RowMarkIcons node={row.node} />
          {marks.current && <span className={styles.active}>active</span>}
        </>
      )}
    </div>
  );
};

const RowMarkIcons = ({ node }: { node: Node }) => (
  <>
    {node.pinned && <Pin className={styles.mark} aria-hidden />}
    {node.note !== null && <StickyNote className={styles.mark} aria-hidden />}
    {node.references.length > 0 && <Link2 className={styles.mark} aria-hidden />}
    {node.hidden && <EyeOff className={styles.mark} aria-hidden />}
  </>
);

const Twisty = ({ expanded }: { expanded: boolean | null }) => (
  <span className={styles.twisty} data-twisty={expanded === null ? undefined : ''} aria-hidden="true">
    {expanded !== null && (expanded ? <ChevronDown /> : <ChevronRight />)}
  </span>
);

interface TopicProps extends Pick<Props, 'marks' | 'actions'> {
  readonly row: TopicRow;
}

const TopicContent = ({ row, marks, actions }: TopicProps) => {
  if (marks.renaming) return <TopicTitle title={row.tree.title} onDone={actions.renamed} />;
  return (
    <>
      <TopicDot order={row.tree.order} />
      <span className={styles.title}>{row.tree.title}</span>
      <span className={styles.count}>{counted(row.turns, 'turn')}</span>
      {actions.rename !== null && (
        <IconButton
          label={`Rename ${row.tree.title}`}
          icon={Pencil}
          keys="F2"
          size="small"
          className={styles.rename ?? ''}
          tabIndex={-1}
          onClick={actions.rename}
        />
      )}
    </>
  );
};

interface TopicTitleProps {
  readonly title: string;
  /** The new title; null if it is to stay as it was. */
  readonly onDone: (title: string | null) => void;
}

/** A topic's title while it is being changed: Enter or leaving keeps it, Escape does not. */
const TopicTitle = ({ title, onDone }: TopicTitleProps) => {
  const input = useRef<HTMLInputElement>(null);
  const done = useRef(false);

  useEffect(() => input.current?.select(), []);

  const finish = (keep: boolean) => {
    if (done.current) return;
    done.current = true;
    const wanted = input.current?.value.trim() ?? '';
    onDone(keep && wanted !== '' && wanted !== title ? wanted : null);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation();
    if (event.key === 'Enter' && !event.nativeEvent.isComposing) finish(true);
    if (event.key === 'Escape') finish(false);
  };

  return (
    <input
      ref={input}
      className={styles.input}
      aria-label="Topic title"
      defaultValue={title}
      maxLength={120}
      onKeyDown={onKeyDown}
      onBlur={() => finish(true)}
    />
  );
};
