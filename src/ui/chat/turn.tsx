import {
  Check,
  CircleHelp,
  CornerDownRight,
  CornerUpLeft,
  Ellipsis,
  GitBranch,
  Link2,
  type LucideIcon,
  Pencil,
  Pin,
  Sprout,
  StickyNote,
  TriangleAlert,
} from 'lucide-react';
import {
  type CSSProperties,
  Fragment,
  type KeyboardEvent,
  memo,
  Suspense,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react';
import { isChanged } from '../../app/edits.ts';
import { shownForest } from '../../app/state.ts';
import type { NodeCandidate } from '../../domain/decision.ts';
import type { Forest, Node, NodeId } from '../../domain/forest.ts';
import { beginning } from '../../domain/queries.ts';
import { type OtherPlace, unsureOf } from '../../engine/place/unsure.ts';
import { useActions, useApp, useAppState } from '../app-context.ts';
import { TurnMenuItems } from '../commands/turn-actions.tsx';
import { Button, CopyIconButton, IconButton } from '../parts/button.tsx';
import { isComposing } from '../parts/composing.ts';
import { count, percent, similarity } from '../parts/format.ts';
import { PHONE, TOUCH } from '../parts/hooks.ts';
import { lazyPart } from '../parts/lazy-parts.tsx';
import { Menu } from '../parts/menu.tsx';
import { Muted } from '../parts/text.tsx';
import { Tooltip } from '../parts/tooltip.tsx';
import { canConfirm } from '../parts/turn-words.ts';
import { topicColour } from '../topic-colour.ts';
import { isReplying, MessageField, STILL_WRITING } from './composer.tsx';
import { CorrectionMenu } from './correction-menu.tsx';
import messageCss from './message.module.css';
import { editWords, type PlacementReason, type WhyPart, whyKey, whyOf } from './placement-words.ts';
import { ReplyView } from './reply.tsx';
import { SiblingSwitch } from './switcher.tsx';
import styles from './turn.module.css';
import stylesOfWhy from './why-line.module.css';

const SentAttachments = lazyPart(async () => (await import('../attachments/attachments.tsx')).SentAttachments);

/** One turn: the message, why it is here, and the reply. Rendered again only when its node changes. */
export const Turn = memo(({ node, last, readOnly }: { node: Node; last: boolean; readOnly: boolean }) => {
  const selected = useApp((state) => state.session.selectedId === node.id);
  const order = useApp((state) => shownForest(state).trees[node.treeId]?.order ?? 0);
  return (
    <article
      aria-label={`Turn ${node.number}`}
      data-turn={node.id}
      data-selected={selected}
      className={styles.turn}
      style={{ '--c': topicColour(order) } as CSSProperties}
    >
      <Message node={node} selected={selected} readOnly={readOnly} />
      <Files of={node} made={false} />
      <WhyLine node={node} readOnly={readOnly} />
      <TurnMarks node={node} readOnly={readOnly} />
      {!readOnly && <UnsureLine node={node} />}
      {!readOnly && <ReferenceLine node={node} />}
      <ReplyView node={node} last={last} readOnly={readOnly} />
      <Files of={node} made />
    </article>
  );
});

/** Files that came with the message, or were generated with the reply. */
export const Files = ({ of, made }: { of: Pick<Node, 'attachments'>; made: boolean }) => {
  const files = of.attachments?.filter((one) => (one.made === true) === made) ?? [];
  if (files.length === 0) return null;
  return (
    <Suspense fallback={null}>
      <SentAttachments attachments={files} />
    </Suspense>
  );
};

/** The user's marks on a turn: pinned, a note, references. Renders nothing if there are none. */
const TurnMarks = ({ node, readOnly }: { node: Node; readOnly: boolean }) => {
  const { note, pinned, references } = node;
  if (note === null && !pinned && references.length === 0) return null;
  return (
    <ul className={styles.marks} aria-label={`Marks of turn ${node.number}`}>
      {pinned && (
        <li>
          <Pin size={13} aria-hidden /> pinned
        </li>
      )}
      {references.map((reference) => (
        <li key={reference.to}>
          <Link2 size={13} aria-hidden />
          <Reference to={reference.to} as={reference.as} />
        </li>
      ))}
      {note !== null && (
        <li className={styles.note} dir="auto">
          <StickyNote size={13} aria-hidden />
          <Note node={node} note={note} readOnly={readOnly} />
        </li>
      )}
    </ul>
  );
};

const Reference = ({ to, as }: Pick<Node['references'][number], 'to' | 'as'>) => {
  const { select } = useActions();
  const number = useApp((state) => shownForest(state).nodes[to]?.number);
  if (number === undefined) return <span>refers to a deleted turn</span>;
  return (
    <button type="button" className={styles.link} onClick={() => select(to)}>
      refers to turn {number}
      {as === 'summary' && ', its summary'}
    </button>
  );
};

const Note = ({ node, note, readOnly }: { node: Node; note: string; readOnly: boolean }) => {
  const { select, session } = useActions();
  if (readOnly) return <span>{note}</span>;
  return (
    <button
      type="button"
      className={styles.link}
      onClick={() => {
        select(node.id);
        session({ dialog: 'note' });
      }}
    >
      {/* Its own direction, so that the note's words alone set that of the line. */}
      <span className="visually-hidden" dir="ltr">
        Note:{' '}
      </span>
      {note}
    </button>
  );
};

const ICONS: Record<PlacementReason['shape'], LucideIcon> = {
  continue: CornerDownRight,
  branch: GitBranch,
  switch: CornerUpLeft,
  topic: Sprout,
};

/** Where the turn went and why. */
const WhyLine = ({ node, readOnly }: { node: Node; readOnly: boolean }) => {
  // As long as the node is the same, only titles in the forest can change the line.
  useApp((state) => shownForest(state).trees);
  const now = whyOf(shownForest(useAppState()()), node);
  // Every turn that is placed changes a topic, seldom what a line says.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says it all
  const why = useMemo(() => now, [whyKey(now)]);
  return <WhyWords node={node} why={why} readOnly={readOnly} />;
};

/** The line itself; a click corrects the place. */
const WhyWords = memo(({ node, why, readOnly }: { node: Node; why: PlacementReason; readOnly: boolean }) => {
  const [correcting, setCorrecting] = useState(false);
  const id = useId();
  const { select, showInspector } = useActions();
  const explain = () => {
    select(node.id);
    showInspector('decision');
  };
  const Icon = ICONS[why.shape];

  return (
    // biome-ignore lint/a11y: for the mouse the whole line is the button; the keyboard has "Change"
    <div
      className={stylesOfWhy.line}
      data-correctable={!readOnly}
      onClick={(event) => {
        const { target, currentTarget } = event;
        const inside = target instanceof Element && currentTarget.contains(target);
        if (!readOnly && inside && target.closest('button') === null) setCorrecting(true);
      }}
    >
      <Icon size={13} className={stylesOfWhy.icon} aria-hidden />
      <span id={id} className={stylesOfWhy.words}>
        {why.parts.map((part, index) => (
          // The parts of a sentence have no identity but their position.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          <Part key={index} part={part} />
        ))}
      </span>
      {why.similarity !== null && <span className={stylesOfWhy.fact}>similarity {similarity(why.similarity)}</span>}
      {why.tokens !== null && <span className={stylesOfWhy.fact}>{tokenWords(why.tokens)}</span>}
      {why.fallback !== null && (
        <Tooltip text={why.fallback}>
          <button type="button" className={stylesOfWhy.fallback} onClick={explain}>
            <TriangleAlert size={12} aria-hidden /> fallback
          </button>
        </Tooltip>
      )}
      {!readOnly && canConfirm(node) && <ConfirmButton nodeId={node.id} why={id} />}
      {!readOnly && <ChangeButton node={node} open={correcting} onOpenChange={setCorrecting} why={id} />}
    </div>
  );
});
WhyWords.displayName = 'WhyWords';

/** `why`: the id of the words that say why. */
const ConfirmButton = memo(({ nodeId, why }: { nodeId: NodeId; why: string }) => {
  const { confirm } = useActions();
  return (
    <Tooltip text="Confirm">
      <button
        type="button"
        className={stylesOfWhy.confirm}
        aria-label="Confirm"
        aria-describedby={why}
        onClick={() => void confirm(nodeId)}
      >
        <Check size={14} aria-hidden />
      </button>
    </Tooltip>
  );
});

interface ChangeButtonProps {
  readonly node: Node;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly why: string;
}

const ChangeButton = memo(({ node, open, onOpenChange, why }: ChangeButtonProps) => (
  <CorrectionMenu
    node={node}
    open={open}
    onOpenChange={onOpenChange}
    trigger={
      <button type="button" className={stylesOfWhy.change} aria-describedby={why}>
        Change
      </button>
    }
  />
));

const tokenWords = ({ sent, full }: { sent: number; full: number }): string =>
  full > sent ? `${count(sent)} of ${count(full)} tokens` : `${count(sent)} tokens`;

const Part = ({ part }: { part: WhyPart }) => {
  const { select } = useActions();
  if (part.kind === 'words') return part.words;
  const [text, nodeId] =
    part.kind === 'turn' ? [`turn ${part.node.number}`, part.node.id] : [part.tree.title, part.tree.rootId];
  return (
    <button type="button" dir="auto" className={stylesOfWhy.link} onClick={() => select(nodeId)}>
      {text}
    </button>
  );
};

/** The other places considered when the decider was unsure about a turn, each one click away. */
const UnsureLine = ({ node }: { node: Node }) => {
  useApp((state) => shownForest(state).trees);
  const forest = shownForest(useAppState()());
  const unsure = unsureOf(forest, node);
  const { correct } = useActions();
  if (unsure === null) return null;
  return (
    <div className={stylesOfWhy.unsure}>
      <CircleHelp size={13} className={stylesOfWhy.icon} aria-hidden />
      <span className={stylesOfWhy.fact}>{percent(unsure.confidence)} sure. Or is it</span>
      {unsure.others.map((other) => {
        const words = placeWords(forest, other);
        return (
          <button
            key={words}
            type="button"
            dir="auto"
            className={stylesOfWhy.place}
            aria-label={`Move turn ${node.number} to ${words}`}
            title={percent(other.confidence)}
            onClick={() => void correct(node.id, other.target)}
          >
            {words}
          </button>
        );
      })}
    </div>
  );
};

/** The label of a button that moves the turn there. */
const placeWords = ({ nodes, trees }: Forest, { action, target }: OtherPlace): string => {
  if (target.kind !== 'under') return 'a new topic';
  const under = nodes[target.nodeId];
  if (action.endsWith('-topic')) return `“${trees[under?.treeId ?? '']?.title ?? ''}”`;
  return action === 'create-branch' ? `a branch from turn ${under?.number}` : `after turn ${under?.number}`;
};

/** Turns elsewhere that a message refers to but that are not sent yet, each one click away from being sent along. */
const ReferenceLine = ({ node }: { node: Node }) => {
  const near = node.decision.trace?.references ?? [];
  return near.length === 0 ? null : <SuggestedReferences node={node} near={near} />;
};

const SuggestedReferences = ({ node, near }: { node: Node; near: readonly NodeCandidate[] }) => {
  useApp((state) => shownForest(state).nodes);
  const { nodes, trees } = shownForest(useAppState()());
  const { addReference } = useActions();
  const suggested = near.flatMap(({ nodeId }) => {
    const turn = nodes[nodeId];
    const has = node.references.some(({ to }) => to === nodeId);
    return turn === undefined || turn.hidden || has ? [] : [turn];
  });
  if (suggested.length === 0) return null;
  return (
    <div className={stylesOfWhy.unsure}>
      <Link2 size={13} className={stylesOfWhy.icon} aria-hidden />
      <span className={stylesOfWhy.fact}>This may refer to something said elsewhere. Include</span>
      {suggested.map(({ id, number, treeId }) => (
        <button
          key={id}
          type="button"
          className={stylesOfWhy.place}
          aria-label={`Turn ${node.number} refers to turn ${number}`}
          onClick={() => void addReference(node.id, id, 'path')}
        >
          <bdi>{trees[treeId]?.title}</bdi>, turn {number}
        </button>
      ))}
    </div>
  );
};

/** What the user wrote, or the field to edit it. */
const Message = ({ node, selected, readOnly }: { node: Node; selected: boolean; readOnly: boolean }) => {
  const { select, showInspector } = useActions();
  const state = useAppState();
  const edited = useApp(({ session: { editing } }) => (editing?.nodeId === node.id ? editing.text : null));
  const inspect = () => {
    // On a phone, the chat is seen only while the inspector is not.
    const isHidden = state().session.folded.includes('inspector') || matchMedia(PHONE).matches;
    if (selected && !isHidden) return select(null);
    select(node.id);
    showInspector();
  };
  return (
    <div className={messageCss.message}>
      <button
        type="button"
        className={messageCss.number}
        aria-label={`Inspect turn ${node.number}`}
        aria-pressed={selected}
        onClick={inspect}
      >
        {node.number}
      </button>
      {edited === null || readOnly ? (
        <>
          <MessageText text={node.message} />
          <Tools node={node} readOnly={readOnly} />
        </>
      ) : (
        <MessageEditor node={node} text={edited} />
      )}
    </div>
  );
};

const Tools = ({ node, readOnly }: { node: Node; readOnly: boolean }) => {
  const { editMessage } = useActions();
  return (
    <span className={messageCss.tools}>
      <SiblingSwitch node={node} readOnly={readOnly} />
      <CopyIconButton label="Copy message" text={node.message} />
      {!readOnly && (
        <IconButton size="small" label="Edit" icon={Pencil} data-edit onClick={() => editMessage(node.id)} />
      )}
      <TurnMenu id={node.id} number={node.number} />
    </span>
  );
};

/** All other actions on a turn. */
const TurnMenu = memo(({ id, number }: Pick<Node, 'id' | 'number'>) => (
  <Menu
    align="end"
    label={`Turn ${number}`}
    trigger={<IconButton size="small" label={`More for turn ${number}`} icon={Ellipsis} />}
  >
    <TurnMenuItems nodeIds={[id]} />
  </Menu>
));

/** Edits a sent message in place; sending puts the new version next to the original. */
const MessageEditor = ({ node, text }: { node: Node; text: string }) => {
  const { session, sendEdited, announce } = useActions();
  const state = useAppState();
  const busy = useApp(isReplying);
  const forest = useApp(shownForest);
  const words = useMemo(() => editWords(forest, node), [forest, node]);
  const field = useRef<HTMLTextAreaElement>(null);
  const note = useId();
  const takesFocus = useApp(({ session: { editing } }) => editing?.takesFocus === true);
  const changed = isChanged(text, node);

  // Only when just asked for: scrolling back to it must not take the focus.
  useEffect(() => {
    const { editing } = state().session;
    if (!takesFocus || editing === null) return;
    const element = field.current;
    element?.focus();
    element?.setSelectionRange(element.value.length, element.value.length);
    session({ editing: { nodeId: editing.nodeId, text: editing.text } });
  }, [takesFocus, state, session]);

  const send = async () => {
    if (!changed) return;
    if (busy) return announce(STILL_WRITING);
    const sending = sendEdited();
    // Sent: the next message follows it, and would otherwise be taken for commands. On a touch screen, the keyboard would
    // cover the chat.
    if (!matchMedia(TOUCH).matches) document.querySelector<HTMLElement>('#message')?.focus({ preventScroll: true });
    await sending;
  };
  const cancel = () => {
    session({ editing: null });
    const edit = `[data-turn="${CSS.escape(node.id)}"] [data-edit]`;
    requestAnimationFrame(() => document.querySelector<HTMLElement>(edit)?.focus());
  };
  const pressed = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || isComposing(event.nativeEvent)) return;
    event.preventDefault();
    // Only the button discards changes: Escape is pressed too easily.
    if (!changed) cancel();
    else announce('Send the change, or choose Cancel to discard it.');
  };

  return (
    <form
      className={messageCss.editor}
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <MessageField
        ref={field}
        aria-label="Edited message"
        aria-describedby={note}
        className={messageCss.field}
        value={text}
        onChange={(event) => {
          // Only one message is edited at a time, and one that was sent meanwhile is not brought back.
          if (state().session.editing?.nodeId === node.id)
            session({ editing: { nodeId: node.id, text: event.target.value } });
        }}
        onSend={() => void send()}
        onKeyDown={pressed}
      />
      <Muted id={note} className={messageCss.note}>
        {words}
      </Muted>
      <div className={messageCss.row}>
        <Button look="quiet" size="small" onClick={cancel}>
          Cancel
        </Button>
        <Button look="primary" size="small" type="submit" disabled={!changed || busy}>
          Send edited
        </Button>
      </div>
    </form>
  );
};

/** The message as the user wrote it; code in it is monospaced, and long text is folded. */
const MessageText = ({ text }: { text: string }) => {
  const [whole, setWhole] = useState(false);
  const long = useMemo(() => firstLines(text), [text]);
  const parts = useMemo(() => partsOf(long === null || whole ? text : long.text), [text, long, whole]);
  return (
    <div className={messageCss.text}>
      <p dir="auto">
        {parts.map((part, index) =>
          // Parts of a text have no identity but their position.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          part.isCode ? <code key={index}>{part.text}</code> : <Fragment key={index}>{part.text}</Fragment>,
        )}
      </p>
      {long !== null && (
        <Button look="quiet" size="small" aria-expanded={whole} onClick={() => setWhole(!whole)}>
          {whole ? 'Show less' : long.lines > LINES ? `Show all ${long.lines} lines` : 'Show all'}
        </Button>
      )}
    </div>
  );
};

/** Lines shown of a longer message. */
const LINES = 20;
/** And UTF-16 units: as many lines of a wide chat. */
const CHARACTERS = 2400;

/** The beginning of a long text, and its total number of lines; null if it is shown in full. */
export const firstLines = (text: string): { text: string; lines: number } | null => {
  const lines = text.split('\n');
  const first = beginning(lines.slice(0, LINES).join('\n'), CHARACTERS);
  return first === text ? null : { text: first, lines: lines.length };
};

interface MessagePart {
  readonly text: string;
  readonly isCode: boolean;
}

const CODE =
  /(^|\n)((`{3,}(?=[^`\n]*\n)|~{3,})[^\n]*\n[\s\S]*?(?:\n\3[^\S\n]*(?=\n|$)|$))|(`+)(?!`)[^\n]*?[^`\n]\4(?!`)/g;

/** Splits a message into code, fences included, and the text between. */
export const partsOf = (message: string): MessagePart[] => {
  const parts: MessagePart[] = [];
  const put = (text: string, isCode: boolean) => text !== '' && parts.push({ text, isCode });
  let end = 0;
  for (const match of message.matchAll(CODE)) {
    const start = match.index + (match[1]?.length ?? 0);
    put(message.slice(end, start), false);
    end = match.index + match[0].length;
    put(message.slice(start, end), true);
  }
  put(message.slice(end), false);
  return parts.length === 1 && looksLikeCode(message) ? [{ text: message, isCode: true }] : parts;
};

/** Fewer lines are too ambiguous. */
const CODE_LINES = 3;
/** Minimum share of lines that could not be prose. */
const CODE_SHARE = 0.6;
const CODE_LINE =
  /^(?:\s{2,}\S|\t|[{}()[\]]+[;,]?$|#include|import |from \S+ import|(?:def|class|fn|func|function|const|let|var|public|private|return|package|using)\b.*[:;{}()=])|[;{}]$|\w\(.*\)[;:]?$|^\s*<\/?\w+[^>]*>/;

const looksLikeCode = (text: string): boolean => {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length < CODE_LINES) return false;
  return lines.filter((line) => CODE_LINE.test(line.trimEnd())).length >= lines.length * CODE_SHARE;
};
