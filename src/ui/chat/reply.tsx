import { ChevronRight, RefreshCw } from 'lucide-react';
import { Suspense, useId, useMemo, useState } from 'react';
import { ErrorBoundary } from 'react-error-boundary';
import type { RoleState } from '../../app/model-control.ts';
import type { TurnProgress } from '../../app/state.ts';
import { GIVEN, type Node, RECALL, type Reply } from '../../domain/forest.ts';
import { replyOf } from '../../domain/queries.ts';
import { answerOf, spokenOf } from '../../domain/reply.ts';
import { kindNamed, type Remedy, remediesOf } from '../../engine/model-failure.ts';
import { countedWords } from '../../engine/text/words.ts';
import { useActions, useApp, useAppState } from '../app-context.ts';
import { Button, CopyIconButton, IconButton } from '../parts/button.tsx';
import { count, counted, duration } from '../parts/format.ts';
import { lazyPart } from '../parts/lazy-parts.tsx';
import { REMEDY_WORDS, remedyPage } from '../parts/model-words.ts';
import { Ellipsis } from '../parts/text.tsx';
import { Tooltip } from '../parts/tooltip.tsx';
import { authorOf, isByLanguageModel, paceOf, type ReplySpeed, speedWords } from '../parts/turn-words.ts';
import { useVoice } from '../voice/voice-settings.ts';
import { Markdown } from './markdown.tsx';
import { ReplySwitch } from './switcher.tsx';
import styles from './turn.module.css';

const ReadAloudButton = lazyPart(async () => (await import('../voice/read-aloud-button.tsx')).ReadAloudButton);

/** The active reply, as far as it has come, and what can be done about it. */
export const ReplyView = ({ node, last, readOnly }: { node: Node; last: boolean; readOnly: boolean }) => {
  // Null for every turn but the running one, so that a streamed token renders only one turn.
  const progress = useApp((state) => (state.turn?.nodeId === node.id && !readOnly ? state.turn : null));
  const reply = replyOf(node);
  const writing = progress !== null && progress.phase !== 'summarising';
  // Until a requested reply starts, the previous one stays as it is.
  const streaming = writing && progress.replyId === reply?.id;
  const text = reply === null ? '' : reply.text + (streaming ? progress.unsaved : '');
  const trouble = reply === null || writing ? null : replyTrouble(reply);

  return (
    <>
      {text !== '' && <ReplyText text={text} streaming={streaming} />}
      {writing && (text === '' || !streaming) && <Waiting phase={progress.phase} />}
      {reply !== null && !writing && (
        <>
          {trouble !== null && (
            <UnfinishedReply node={node} reply={reply} trouble={trouble} last={last} readOnly={readOnly} />
          )}
          <UsageLine reply={reply} />
          <ReplyActions node={node} reply={reply} last={last} readOnly={readOnly} />
        </>
      )}
      {reply === null && !writing && !readOnly && last && <NoReply node={node} />}
    </>
  );
};

const Waiting = ({ phase }: { phase: TurnProgress['phase'] }) => {
  const words = useApp(({ models }) => waitingWords(phase, models.chat));
  return (
    <p className={styles.waiting}>
      <span className={styles.dots} aria-hidden />
      {words}
    </p>
  );
};

/** What is going on before a reply begins. While another chat model loads, the one before it writes. */
export const waitingWords = (phase: TurnProgress['phase'], { name, state, missing }: RoleState): string => {
  if (phase === 'deciding') return 'placing…';
  return state === 'loading' && missing ? `waiting for ${name} to load…` : 'writing a reply…';
};

const NoReply = ({ node }: { node: Node }) => {
  const actions = useActions();
  return (
    <div className={styles.broken}>
      <p>No reply yet.</p>
      <Button size="small" onClick={() => void actions.regenerate(node.id)}>
        Regenerate
      </Button>
    </div>
  );
};

const RECALL_IS = 'Not a language model: it quotes from this conversation.';

const ReplyActions = ({
  node,
  reply,
  last,
  readOnly,
}: {
  node: Node;
  reply: Reply;
  last: boolean;
  readOnly: boolean;
}) => {
  const reads = useVoice().voice !== null;
  const answer = answerOf(reply.text);
  return (
    <div className={styles.actions} data-last={last}>
      <Author reply={reply} last={last} />
      <span className={styles.space} />
      {node.replies.length > 1 && <ReplySwitch node={node} readOnly={readOnly} />}
      {answer !== '' && reads && (
        <Suspense fallback={null}>
          <ReadAloudButton text={answer} />
        </Suspense>
      )}
      {answer !== '' && <CopyIconButton label="Copy reply" text={answer} />}
      {last && !readOnly && <RegenerateButton node={node} />}
    </div>
  );
};

const RegenerateButton = ({ node }: { node: Node }) => {
  const { regenerate } = useActions();
  const busy = useApp((state) => state.turn !== null);
  return (
    <IconButton
      size="small"
      label="Regenerate"
      icon={RefreshCw}
      disabled={busy}
      onClick={() => void regenerate(node.id)}
    />
  );
};

const Author = ({ reply, last }: { reply: Reply; last: boolean }) => {
  if (reply.model !== RECALL)
    return (
      <Ellipsis fit className={styles.author}>
        {authorOf(reply)}
      </Ellipsis>
    );
  return (
    <Tooltip text={RECALL_IS}>
      <Ellipsis fit className={styles.author}>
        recall{last ? ', not a language model' : ''}
      </Ellipsis>
    </Tooltip>
  );
};

/** How fast a language model replied, and how much of the prompt it had to process. */
const UsageLine = ({ reply }: { reply: Reply }) => {
  const pace = paceOf(reply);
  const words = pace === null ? '' : paceWords(pace);
  return words === '' ? null : <p className={styles.usage}>{words}</p>;
};

const paceWords = ({ speed, firstToken, prefilled, reused }: ReplySpeed): string =>
  [
    speed === null ? '' : speedWords(speed),
    firstToken === null ? '' : `first token after ${duration(firstToken)}`,
    prefilled === null ? '' : `${count(prefilled)} prefilled`,
    reused === null ? '' : `${count(reused)} reused`,
  ]
    .filter((part) => part !== '')
    .join(' · ');

/** A reply's answer, after its reasoning. */
export const ReplyText = ({ text, streaming }: { text: string; streaming: boolean }) => {
  const { reasoning, answer, thinking } = spokenOf(text);
  return (
    <>
      {reasoning !== null && <Reasoning text={reasoning} thinking={thinking && streaming} />}
      {answer !== '' && (
        <div className={styles.replyText} data-streaming={streaming}>
          <ErrorBoundary resetKeys={[streaming]} fallback={<p className={styles.plain}>{answer}</p>}>
            <Markdown text={answer} streaming={streaming} />
          </ErrorBoundary>
        </div>
      )}
    </>
  );
};

/** While it thinks, the word count moves in steps: a racing number is only noise. */
const STEP = 10;

/** A thinking model's reasoning: collapsed until the user opens it, then kept open as it grows. */
const Reasoning = ({ text, thinking }: { text: string; thinking: boolean }) => {
  const [open, setOpen] = useState(false);
  const id = useId();
  const label = useMemo(() => reasoningLabel(text, thinking), [text, thinking]);
  return (
    <div className={styles.reasoning}>
      <button
        type="button"
        className={styles.fold}
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => setOpen(!open)}
      >
        <ChevronRight size={13} className={styles.thinkingMark} aria-hidden />
        {label}
      </button>
      {open && (
        <p id={id} dir="auto" className={styles.thoughts}>
          {text}
        </p>
      )}
    </div>
  );
};

/** Says how much a model has thought. */
export const reasoningLabel = (text: string, thinking: boolean): string => {
  const words = countedWords(text);
  if (!thinking) return `Thought for ${counted(words, 'word')}`;
  const rounded = words - (words % STEP);
  return rounded === 0 ? 'Thinking…' : `Thinking… ${counted(rounded, 'word')} so far`;
};

/** What can be done about an incomplete reply, most likely to help first. */
type ReplyRemedy = 'continue' | 'try-again' | Exclude<Remedy, 'retry'>;

interface ReplyTrouble {
  readonly words: string;
  readonly failed: boolean;
  readonly remedies: readonly ReplyRemedy[];
}

const LABELS: Readonly<Record<ReplyRemedy, string>> = {
  ...REMEDY_WORDS,
  continue: 'Continue',
  'try-again': 'Try again',
  embedded: 'Reply with the embedded model',
};

/** These open the Models dialog, which is available while a reply is being written. */
const OPENS_MODELS: ReadonlySet<ReplyRemedy> = new Set(['smaller-model', 'another-model', 'free-space', 'settings']);

interface UnfinishedReplyProps {
  readonly node: Node;
  readonly reply: Reply;
  readonly trouble: ReplyTrouble;
  readonly last: boolean;
  readonly readOnly: boolean;
}

/** What happened to an incomplete reply, and what can be done. */
const UnfinishedReply = ({ node, reply, trouble, last, readOnly }: UnfinishedReplyProps) => {
  const { resume, regenerate, session } = useActions();
  const state = useAppState();
  const busy = useApp((state) => state.turn !== null);
  // The last turn has Regenerate for that.
  const remedies =
    trouble.failed || !last ? trouble.remedies : trouble.remedies.filter((remedy) => remedy !== 'try-again');
  const go = (remedy: ReplyRemedy): void => {
    switch (remedy) {
      case 'continue':
        return void resume(node.id);
      case 'try-again':
        // An empty failed reply is not kept next to the new one.
        return void (reply.state === 'failed' && reply.text === '' ? resume(node.id) : regenerate(node.id));
      case 'smaller-model':
      case 'another-model':
      case 'free-space':
      case 'settings':
        return session({ dialog: 'models', with: remedyPage(remedy, 'chat', state().models) });
      case 'embedded':
        return void regenerate(node.id, 'embedded');
    }
  };
  return (
    <div className={styles.broken} data-failed={trouble.failed}>
      <p>{trouble.words}</p>
      {!readOnly &&
        remedies.map((remedy, at) => (
          <Button
            key={remedy}
            size="small"
            look={trouble.failed && at === 0 ? 'primary' : 'outline'}
            disabled={busy && !OPENS_MODELS.has(remedy)}
            onClick={() => go(remedy)}
          >
            {LABELS[remedy]}
          </Button>
        ))}
    </div>
  );
};

/** What is wrong with a finished reply; null if nothing is. */
export const replyTrouble = (reply: Reply): ReplyTrouble | null => {
  const { reasoning, answer } = spokenOf(reply.text);
  const nothing = answer.trim() === '';
  const others: ReplyRemedy[] = isByLanguageModel(reply) ? ['smaller-model', 'embedded'] : [];
  switch (reply.state) {
    case 'streaming':
      return null;
    case 'interrupted':
      return {
        words: 'Interrupted before the reply was complete.',
        failed: false,
        remedies: ['continue', 'try-again'],
      };
    case 'stopped':
      return { words: 'Stopped before the reply was complete.', failed: false, remedies: ['continue', 'try-again'] };
    case 'failed':
      return {
        words: reply.failure ?? 'The reply failed.',
        failed: true,
        remedies: remediesAfter(reply, others),
      };
    case 'done': {
      if (reply.usage?.cut === true) return cutOff(reply, reasoning !== null && nothing);
      if (!nothing || reply.model === GIVEN) return null;
      const words =
        reasoning === null
          ? `${reply.model} returned an empty reply.`
          : `${reply.model} stopped while still thinking and gave no answer.`;
      return { words, failed: true, remedies: ['try-again', ...others] };
    }
  }
};

const cutOff = ({ usage }: Reply, thinking: boolean): ReplyTrouble => {
  const generated = usage?.generated ?? null;
  const limit = generated === null ? 'the limit of tokens' : `the limit of ${counted(generated, 'token')}`;
  return {
    words: thinking ? `Stopped at ${limit} while still thinking. No answer yet.` : `Stopped at ${limit}.`,
    failed: false,
    remedies: ['continue'],
  };
};

/** By kind of failure, if the log has one: continuing with what arrived counts as another try. */
const remediesAfter = (reply: Reply, others: readonly ReplyRemedy[]): readonly ReplyRemedy[] => {
  const retries: ReplyRemedy[] = reply.text === '' ? ['try-again'] : ['continue', 'try-again'];
  const kind = kindNamed(reply.failureKind);
  if (kind === null || others.length === 0) return [...retries, ...others];
  const remedies = remediesOf(kind).flatMap((remedy): ReplyRemedy[] => (remedy === 'retry' ? retries : [remedy]));
  return remedies.some((remedy) => remedy === 'try-again') ? remedies : [...remedies, 'try-again'];
};
