import { Pencil, X } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, Suspense, useRef } from 'react';
import { wordOf } from '../../domain/decision.ts';
import {
  byNumber,
  type Forest,
  GIVEN,
  type Node,
  type NodeId,
  PERSON,
  type Reply,
  type ReplyState,
} from '../../domain/forest.ts';
import { beginning, branchNodes, childrenOf } from '../../domain/queries.ts';
import { spokenOf } from '../../domain/reply.ts';
import { recordsOf } from '../../domain/table.ts';
import { useActions, useApp, useAppState, useShowsPast } from '../app-context.ts';
import { Markdown } from '../chat/markdown.tsx';
import { Button, Buttons, IconButton } from '../parts/button.tsx';
import { isComposing } from '../parts/composing.ts';
import { TextArea } from '../parts/fields.tsx';
import { counted, dateTime } from '../parts/format.ts';
import { useKeeping } from '../parts/hooks.ts';
import { lazyPart } from '../parts/lazy-parts.tsx';
import { Ellipsis, Muted } from '../parts/text.tsx';
import inlineCss from './inline.module.css';
import sectionCss from './section.module.css';
import { CopyButton, Section, TopicChip, TurnLink } from './section.tsx';
import { CorrectionSection } from './shared-sections.tsx';
import styles from './turn-tab.module.css';

const AttachmentList = lazyPart(async () => (await import('../attachments/attachments.tsx')).AttachmentList);

interface Props {
  readonly forest: Forest;
  readonly node: Node;
}

/** What the turn says, and where it is placed. */
export const TurnTab = ({ forest, node }: Props) => (
  <>
    <Section
      title={`Turn ${node.number}`}
      aside={<time dateTime={new Date(node.at).toISOString()}>{dateTime(node.at)}</time>}
    >
      <Place forest={forest} node={node} />
    </Section>
    <NoteSection node={node} />
    <MarksSection node={node} />
    <Section title="Message" aside={<CopyButton label="Copy" text={() => node.message} />}>
      <p className={sectionCss.text}>{node.message}</p>
    </Section>
    {node.attachments !== undefined && node.attachments.length > 0 && (
      <Section title="Attachments">
        <Suspense fallback={null}>
          <AttachmentList attachments={node.attachments} />
        </Suspense>
      </Section>
    )}
    {node.replies.map((reply) => (
      <ReplySection key={reply.id} node={node} reply={reply} />
    ))}
    <SummarySection node={node} />
    <ReferencesSection forest={forest} node={node} />
    <CorrectionSection forest={forest} node={node} />
  </>
);

const Place = ({ forest, node }: Props) => {
  const branch = forest.branches[node.branchId];
  const run = branch === undefined ? [] : branchNodes(forest, branch);
  const head = run[0];
  const children = childrenOf(forest, node.id);
  const places = `turn ${run.indexOf(node) + 1} of ${run.length}`;
  return (
    <dl className={sectionCss.pairs}>
      <dt>Topic</dt>
      <dd>
        <Titled node={node} what="topic">
          <TopicChip forest={forest} treeId={node.treeId} />
        </Titled>
      </dd>
      <dt>Branch</dt>
      <dd>
        {head === undefined || head.parentId === null ? (
          places
        ) : (
          <>
            <Titled node={node} what="branch">
              <span dir="auto">{branch?.title ?? places}</span>
            </Titled>
            {branch?.title != null && `${places}, `}forked from <TurnLink forest={forest} nodeId={head.parentId} />
          </>
        )}
      </dd>
      <dt>Placed by</dt>
      <dd>{placedBy(node)}</dd>
      <dt>Follows</dt>
      <dd>
        {node.parentId === null ? (
          'none (first turn of its topic)'
        ) : (
          <TurnLink forest={forest} nodeId={node.parentId} />
        )}
      </dd>
      <dt>Followed by</dt>
      <dd className={inlineCss.links}>
        {children.length === 0 && 'none yet'}
        {children.slice(0, 12).map((child) => (
          <TurnLink key={child} forest={forest} nodeId={child} />
        ))}
        {children.length > 12 && counted(children.length - 12, 'more turn')}
      </dd>
    </dl>
  );
};

/** Who placed a turn. The user and the engine can differ, which is kept as a label. */
const placedBy = ({ decision, label }: Node): string => {
  const first = { person: 'you', engine: 'the engine', import: 'the imported file' }[decision.by];
  if (label === null) return first;
  return {
    chosen: 'you, before it was sent',
    confirmed: `${first}, confirmed by you`,
    corrected: `${first}, moved by you`,
  }[wordOf(label)];
};

/** The title of a topic or branch, with a way to rename it. */
const Titled = ({ node, what, children }: { node: Node; what: 'topic' | 'branch'; children: ReactNode }) => {
  const { select, session } = useActions();
  const readOnly = useShowsPast();
  return (
    <span className={inlineCss.titled}>
      {children}
      {!readOnly && (
        <IconButton
          size="small"
          label={`Rename ${what}`}
          icon={Pencil}
          onClick={() => {
            select(node.id);
            session({ dialog: what === 'topic' ? 'topic-title' : 'branch-title' });
          }}
        />
      )}
    </span>
  );
};

/** Whether a turn is always sent, or never. */
const MarksSection = ({ node }: { node: Node }) => {
  const { pinTurn, hideTurns } = useActions();
  const readOnly = useShowsPast();
  return (
    <Section title="In the context">
      <Switch
        label="Pinned"
        hint="In every context of focused and of the context-agent policies, in full if the model’s window has room."
        on={node.pinned}
        disabled={readOnly}
        onChange={(on) => void pinTurn(node.id, on)}
      />
      <Switch
        label="Hidden"
        hint="In no context: no model sees it. Overrides pinning."
        on={node.hidden}
        disabled={readOnly}
        onChange={(on) => void hideTurns([node.id], on)}
      />
    </Section>
  );
};

interface SwitchProps {
  readonly label: string;
  readonly hint: string;
  readonly on: boolean;
  readonly disabled: boolean;
  readonly onChange: (on: boolean) => void;
}

const Switch = ({ label, hint, on, disabled, onChange }: SwitchProps) => (
  <label className={styles.switch}>
    <input
      type="checkbox"
      role="switch"
      aria-label={label}
      checked={on}
      aria-checked={on}
      disabled={disabled}
      onChange={(event) => onChange(event.target.checked)}
    />
    <span>
      {label}{' '}
      <Muted as="span" faint>
        {hint}
      </Muted>
    </span>
  </label>
);

/** The turns that this one pulls in from off its path, and those that pull it in. */
const ReferencesSection = ({ forest, node }: Props) => {
  const { select, session } = useActions();
  const readOnly = useShowsPast();
  const from = referencesTo(forest, node.id);
  return (
    <Section title="References">
      {node.references.length === 0 && <p className={sectionCss.note}>No references.</p>}
      <ul className={sectionCss.list} aria-label="To other turns">
        {node.references.map((reference) => (
          <ReferenceRow key={reference.to} forest={forest} node={node} reference={reference} readOnly={readOnly} />
        ))}
      </ul>
      {from.length > 0 && (
        <p className={inlineCss.links}>
          Referred to by
          {from.map(({ id }) => (
            <TurnLink key={id} forest={forest} nodeId={id} />
          ))}
        </p>
      )}
      {!readOnly && (
        <Button
          look="quiet"
          size="small"
          onClick={() => {
            select(node.id);
            session({ dialog: 'refer' });
          }}
        >
          Refer to another turn…
        </Button>
      )}
    </Section>
  );
};

interface RowProps extends Props {
  readonly reference: Node['references'][number];
  readonly readOnly: boolean;
}

const ReferenceRow = ({ forest, node, reference, readOnly }: RowProps) => {
  const { addReference, removeReference } = useActions();
  const { to, as, by } = reference;
  const number = forest.nodes[to]?.number ?? '';
  return (
    <li className={styles.row}>
      <span className={styles.to}>
        <TurnLink forest={forest} nodeId={to} />
      </span>{' '}
      <Ellipsis>
        {beginning(forest.nodes[to]?.message ?? '', 120)}
        {by === 'engine' && (
          <span className={inlineCss.quiet}>
            {' · '}
            <bdi>found by the engine</bdi>
          </span>
        )}
      </Ellipsis>
      <select
        aria-label={`What is sent of turn ${number}`}
        className={styles.as}
        value={as}
        disabled={readOnly}
        onChange={(event) => void addReference(node.id, to, event.target.value === 'path' ? 'path' : 'summary')}
      >
        <option value="path">in full</option>
        <option value="summary">summary</option>
      </select>
      {!readOnly && (
        <IconButton
          size="small"
          label={`Remove the reference to turn ${number}`}
          icon={X}
          onClick={() => void removeReference(node.id, to)}
        />
      )}
    </li>
  );
};

/** The turns that refer to a turn, oldest first. */
const referencesTo = (forest: Forest, id: NodeId): Node[] =>
  recordsOf(forest.nodes)
    .filter((node) => node.references.some(({ to }) => to === id))
    .sort(byNumber);

const STATES: Record<ReplyState, string> = {
  streaming: 'being written',
  done: 'done',
  stopped: 'stopped by you',
  interrupted: 'interrupted',
  failed: 'failed',
};

/** One reply of a turn. With several, one is active, and another can be chosen. */
const ReplySection = ({ node, reply }: { node: Node; reply: Reply }) => {
  const { chooseReply } = useActions();
  const readOnly = useShowsPast();
  const unsaved = useApp(({ turn, past }) => (past === null && turn?.replyId === reply.id ? turn.unsaved : ''));
  const several = node.replies.length > 1;
  const counts = node.replyId === reply.id;
  const { reasoning, answer } = spokenOf(reply.text + unsaved);
  const place = several ? ` ${node.replies.indexOf(reply) + 1} of ${node.replies.length}` : '';
  return (
    <Section title={`Reply${place}`} aside={<CopyButton label="Copy" text={() => answer} />}>
      <p className={sectionCss.note}>
        {reply.model === GIVEN ? 'imported' : `by ${reply.model}`} · {STATES[reply.state]}
        {several && counts && ' · in use'}
      </p>
      {reply.failure !== null && <p className={sectionCss.failure}>{reply.failure}</p>}
      {reasoning !== null && (
        <details className={sectionCss.thoughts}>
          <summary>Reasoning, not sent to models</summary>
          <p className={sectionCss.text}>{reasoning}</p>
        </details>
      )}
      {answer !== '' && <Markdown text={answer} streaming={unsaved !== ''} />}
      {!counts && !readOnly && (
        <Buttons>
          <Button size="small" onClick={() => void chooseReply(node.id, reply.id)}>
            Use this reply
          </Button>
        </Buttons>
      )}
    </Section>
  );
};

/** The user's own note on a turn. */
const NoteSection = ({ node }: { node: Node }) => {
  const { noteTurn } = useActions();
  const readOnly = useShowsPast();
  const { note } = node;
  return (
    <Section title="Note" aside="no model sees it">
      <EditableText
        key={node.id}
        nodeId={node.id}
        what="note"
        label="Note"
        edit={note === null ? 'Add a note' : 'Edit note'}
        text={note ?? ''}
        readOnly={readOnly}
        onKeep={(text) => noteTurn(node.id, text)}
      >
        {note === null ? <p className={sectionCss.note}>None.</p> : <p className={sectionCss.text}>{note}</p>}
      </EditableText>
    </Section>
  );
};

/** What stands for a turn in overviews and for the decider. Models never overwrite the user's own words. */
const SummarySection = ({ node }: { node: Node }) => {
  const { rewordSummary } = useActions();
  const readOnly = useShowsPast();
  const { summary } = node;
  return (
    <Section title="Summary" aside={summary === null ? undefined : byWords(summary.by)}>
      <EditableText
        key={node.id}
        nodeId={node.id}
        what="summary"
        label="Summary"
        edit="Edit summary"
        text={summary?.text ?? ''}
        readOnly={readOnly}
        onKeep={(text) => rewordSummary(node.id, text)}
        others={
          <Button look="quiet" size="small" onClick={() => void rewordSummary(node.id, '')}>
            Summarise again
          </Button>
        }
      >
        {summary === null ? (
          <p className={sectionCss.note}>Not summarised yet.</p>
        ) : (
          <p className={sectionCss.text}>{summary.text}</p>
        )}
      </EditableText>
    </Section>
  );
};

const byWords = (by: string): string => (by === PERSON ? 'written by you' : `by ${by}`);

interface EditableTextProps {
  readonly nodeId: NodeId;
  readonly what: 'note' | 'summary';
  /** The field's accessible name, e.g. `Note`. */
  readonly label: string;
  /** The button's label, e.g. `Edit note`. */
  readonly edit: string;
  readonly text: string;
  readonly readOnly: boolean;
  /** Resolves to whether it was kept. */
  readonly onKeep: (text: string) => Promise<boolean>;
  /** Shown while not editing. */
  readonly children: ReactNode;
  /** More buttons next to it. */
  readonly others?: ReactNode;
}

/** What is being written, null for nothing, and its setter. It stays while another tab or turn is looked at. */
const useWriting = (nodeId: NodeId, what: 'note' | 'summary') => {
  const { session } = useActions();
  const state = useAppState();
  const isThis = (one: { nodeId: NodeId; what: string }) => one.nodeId === nodeId && one.what === what;
  const now = useApp(({ session: { writing } }) => writing.find(isThis)?.text ?? null);
  const setNow = (text: string | null): void => {
    const others = state().session.writing.filter((one) => !isThis(one));
    session({ writing: text === null ? others : [...others, { nodeId, what, text }] });
  };
  return [now, setNow] as const;
};

/** Text that is edited in place: Ctrl+Enter and the button keep it, Escape discards it. What is refused stays in its field. */
const EditableText = ({ nodeId, what, label, edit, text, readOnly, onKeep, children, others }: EditableTextProps) => {
  const [now, setNow] = useWriting(nodeId, what);
  // Only just after the user has begun or ended it here: coming back to it must not take the focus.
  const asked = useRef(false);
  const end = () => {
    asked.current = true;
    setNow(null);
  };
  const { keeping, keep } = useKeeping(onKeep, end);
  if (now === null || readOnly) {
    return (
      <>
        {children}
        {!readOnly && (
          <div className={styles.buttons}>
            <Button
              ref={(button) => {
                if (button === null || !asked.current) return;
                asked.current = false;
                button.focus();
              }}
              look="quiet"
              size="small"
              onClick={() => {
                asked.current = true;
                setNow(text);
              }}
            >
              {edit}
            </Button>
            {others}
          </div>
        )}
      </>
    );
  }
  const pressed = (event: KeyboardEvent) => {
    if (isComposing(event.nativeEvent)) return;
    if (event.key === 'Escape') end();
    else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void keep(now, text);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div>
      <TextArea
        ref={(field) => {
          if (field === null || !asked.current) return;
          asked.current = false;
          writeHere(field);
        }}
        aria-label={label}
        rows={4}
        readOnly={keeping}
        value={now}
        onChange={(event) => setNow(event.target.value)}
        onKeyDown={pressed}
      />
      <div className={styles.buttons} data-end>
        <Button size="small" onClick={end}>
          Cancel
        </Button>
        <Button look="primary" size="small" onClick={() => void keep(now, text)}>
          Save
        </Button>
      </div>
    </div>
  );
};

/** Focuses the field with the caret at the end. */
const writeHere = (field: HTMLTextAreaElement): void => {
  field.focus();
  field.setSelectionRange(field.value.length, field.value.length);
};
