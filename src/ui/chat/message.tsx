import { Ellipsis, Pencil } from 'lucide-react';
import { Fragment, type KeyboardEvent, lazy, Suspense, useEffect, useId, useMemo, useRef, useState } from 'react';
import { shownForest } from '../../app/state.ts';
import type { Node } from '../../domain/forest.ts';
import { useActions, useApp, useAppState } from '../app-context.ts';
import { Button, CopyIconButton, IconButton } from '../parts/button.tsx';
import { PHONE } from '../parts/hooks.ts';
import { Menu } from '../parts/menu.tsx';
import { MessageField } from './composer.tsx';
import styles from './message.module.css';
import { editWords } from './placement-words.ts';
import { SiblingSwitch } from './switcher.tsx';

// Nobody opens a menu before the first paint; who points at its button is about to.
const loadTurnActions = () => import('../shell/commands/turn-actions.tsx');
const TurnMenuItems = lazy(() => loadTurnActions().then((module) => ({ default: module.TurnMenuItems })));
const loadAhead = () => void loadTurnActions();

/** What the user wrote, or, while they write it anew, the field for that. */
export const Message = ({ node, selected, readOnly }: { node: Node; selected: boolean; readOnly: boolean }) => {
  const { select } = useActions();
  const edited = useApp(({ session: { editing } }) => (editing?.nodeId === node.id ? editing.text : null));
  return (
    <div className={styles.message}>
      <button
        type="button"
        className={styles.number}
        aria-label={`Inspect turn ${node.number}`}
        aria-pressed={selected}
        onClick={() => select(selected ? null : node.id)}
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
  const { session } = useActions();
  return (
    <span className={styles.tools}>
      <SiblingSwitch node={node} readOnly={readOnly} />
      <CopyIconButton label="Copy message" text={node.message} />
      {!readOnly && (
        <IconButton
          size="small"
          label="Edit"
          icon={Pencil}
          data-edit
          onClick={() => session({ editing: { nodeId: node.id, text: node.message } })}
        />
      )}
      <TurnMenu node={node} />
    </span>
  );
};

/** Everything else that can be done with a turn. */
const TurnMenu = ({ node }: { node: Node }) => (
  <Menu
    align="end"
    label={`Turn ${node.number}`}
    trigger={
      <IconButton
        size="small"
        label={`More for turn ${node.number}`}
        icon={Ellipsis}
        onPointerEnter={loadAhead}
        onFocus={loadAhead}
      />
    }
  >
    <Suspense fallback={null}>
      <TurnMenuItems nodeIds={[node.id]} />
    </Suspense>
  </Menu>
);

/** A sent message, written anew in its place; sent, it goes beside the one it comes from. */
const MessageEditor = ({ node, text }: { node: Node; text: string }) => {
  const { session, sendEdited, announce } = useActions();
  const state = useAppState();
  const busy = useApp(({ turn }) => turn !== null && turn.phase !== 'summarising');
  const forest = useApp(shownForest);
  const words = useMemo(() => editWords(forest, node), [forest, node]);
  const field = useRef<HTMLTextAreaElement>(null);
  const note = useId();
  const changed = text.trim() !== '' && text.trim() !== node.message.trim();

  useEffect(() => {
    const element = field.current;
    element?.focus();
    element?.setSelectionRange(element.value.length, element.value.length);
  }, []);

  const send = async () => {
    if (!changed) return;
    if (busy) return announce('The reply is still being written. Stop it to send this now.');
    const sending = sendEdited();
    // Written and sent: the next message follows it.
    if (!matchMedia(PHONE).matches) document.querySelector<HTMLElement>('#message')?.focus({ preventScroll: true });
    await sending;
  };
  const cancel = () => {
    session({ editing: null });
    const edit = `[data-turn="${CSS.escape(node.id)}"] [data-edit]`;
    requestAnimationFrame(() => document.querySelector<HTMLElement>(edit)?.focus());
  };
  const pressed = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    // What was changed goes only by the button: Escape is pressed too easily.
    if (!changed) cancel();
    else announce('Cancel discards the change; Enter sends it.');
  };

  return (
    <form
      className={styles.editor}
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <MessageField
        ref={field}
        aria-label="Edited message"
        aria-describedby={note}
        className={styles.field}
        value={text}
        onChange={(event) => {
          // Nobody edits two at a time, and what was sent meanwhile is not brought back.
          if (state().session.editing?.nodeId === node.id)
            session({ editing: { nodeId: node.id, text: event.target.value } });
        }}
        onSend={() => void send()}
        onKeyDown={pressed}
      />
      <p id={note} className={styles.note}>
        {words}
      </p>
      <div className={styles.row}>
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

/** What the person wrote, as they wrote it; code in it is monospaced, and what is long is folded. */
const MessageText = ({ text }: { text: string }) => {
  const [whole, setWhole] = useState(false);
  const long = useMemo(() => firstLines(text), [text]);
  const parts = useMemo(() => partsOf(long === null || whole ? text : long.text), [text, long, whole]);
  return (
    <div className={styles.text}>
      <p>
        {parts.map((part, index) =>
          // Parts of one text have no identity but their place.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          part.isCode ? <code key={index}>{part.text}</code> : <Fragment key={index}>{part.text}</Fragment>,
        )}
      </p>
      {long !== null && (
        <Button look="quiet" size="small" aria-expanded={whole} onClick={() => setWhole(!whole)}>
          {whole ? 'Show less' : `Show all ${long.lines} lines`}
        </Button>
      )}
    </div>
  );
};

/** Lines shown of a message that has more. */
const LINES = 20;

/** The beginning of a long text, and how many lines all of it has; null where it is shown whole. */
export const firstLines = (text: string): { text: string; lines: number } | null => {
  const lines = text.split('\n');
  return lines.length <= LINES ? null : { text: lines.slice(0, LINES).join('\n'), lines: lines.length };
};

interface Part {
  readonly text: string;
  readonly isCode: boolean;
}

const CODE = /(^|\n)((`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:\n\3[^\S\n]*(?=\n|$)|$))|(`+)(?!`)[^\n]*?[^`\n]\4(?!`)/g;

/** Code, fences and all, and what is between. */
export const partsOf = (message: string): Part[] => {
  const parts: Part[] = [];
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

/** Fewer lines may be anything. */
const CODE_LINES = 3;
/** Of the lines of a program, those that could not be prose. */
const CODE_SHARE = 0.6;
const CODE_LINE =
  /^(?:\s{2,}\S|\t|[{}()[\]]+[;,]?$|#include|import |from \S+ import|(?:def|class|fn|func|function|const|let|var|public|private|return|package|using)\b.*[:;{}()=])|[;{}]$|\w\(.*\)[;:]?$|^\s*<\/?\w+[^>]*>/;

const looksLikeCode = (text: string): boolean => {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length < CODE_LINES) return false;
  return lines.filter((line) => CODE_LINE.test(line.trimEnd())).length >= lines.length * CODE_SHARE;
};
