import { Columns3 } from 'lucide-react';
import { memo, type ReactNode, useMemo } from 'react';
import { baselineOf, type ChatMessage } from '../../domain/context.ts';
import { type Forest, GIVEN, type Node, type NodeId, type Reply } from '../../domain/forest.ts';
import { bytesInWords } from '../../domain/numbers.ts';
import { isUnsent, replyOf } from '../../domain/queries.ts';
import { contextMessages, type ShownContext } from '../../engine/context/context-text.ts';
import { useActions } from '../app-context.ts';
import { Button } from '../parts/button.tsx';
import { count, counted, savingLabel } from '../parts/format.ts';
import { wordDiff } from '../parts/text-diff.ts';
import contextCss from './context.module.css';
import {
  answeredBefore,
  byteCount,
  type ContextDiff,
  type ContextPart,
  contextDiff,
  contextParts,
  exactBytes,
  groupParts,
  leftOutWords,
  partText,
} from './context-parts.ts';
import inlineCss from './inline.module.css';
import frameCss from './inspector.module.css';
import { LabelledText, PartRow, TokenBar, useShownContext } from './part-row.tsx';
import sectionCss from './section.module.css';
import { CollapsedList, CopyButton, Section, TurnLink } from './section.tsx';
import { FallbacksSection } from './shared-sections.tsx';

interface Props {
  readonly forest: Forest;
  readonly node: Node;
}

/** What was sent for the turn's reply; with several replies, for the active one. */
export const ContextTab = memo(({ forest, node }: Props) => {
  const { select, session } = useActions();
  const reply = replyOf(node);
  const shown = useShownContext(node.id, reply);
  if (reply === null) return <p className={frameCss.empty}>Nothing has been sent for this turn yet.</p>;
  const unsent = isUnsent(reply) || shown === null;
  const compare = () => {
    select(node.id);
    session({ dialog: 'contexts' });
  };
  return (
    <>
      {unsent && (
        <p className={sectionCss.banner}>
          {unsentWords(reply)}
          {shown !== null && ' Here is what a chat model would have received.'}
        </p>
      )}
      <p className={contextCss.compare}>
        <Button size="small" onClick={compare}>
          <Columns3 size={14} aria-hidden />
          Compare contexts
        </Button>
      </p>
      {shown === 'far' && <p className={frameCss.empty}>Loading what was sent…</p>}
      {shown !== null && shown !== 'far' && (
        <ContextView key={reply.id} title={unsent ? 'Would be sent' : 'Sent'} now={forest} shown={shown} node={node}>
          <ContextChanges now={forest} node={node} shown={shown} />
        </ContextView>
      )}
    </>
  );
});

const unsentWords = ({ model, context }: Reply): string => {
  if (model === GIVEN) return 'The reply was imported; nothing was sent.';
  return context?.simulated === true ? 'This context is from a what-if; it was not sent.' : 'Nothing was sent.';
};

/** Parts shown before "show all". */
const FIRST_PARTS = 40;

interface ContextViewProps {
  readonly title: string;
  readonly shown: ShownContext;
  /** The turn that the context is for; its topic colours the path. */
  readonly node: Pick<Node, 'id' | 'treeId'>;
  /** The forest on screen, which links can go to. */
  readonly now: Forest;
  readonly children?: ReactNode;
}

/** A context: as one bar, part by part, and as the messages sent. */
export const ContextView = ({ title, shown, node, now, children }: ContextViewProps) => {
  const { forest, context } = shown;
  const parts = useMemo(() => contextParts(forest, context), [forest, context]);
  const groups = useMemo(() => groupParts(forest, parts), [forest, parts]);
  const messages = useMemo(() => contextMessages(forest, context), [forest, context]);
  const leftOut = useMemo(() => leftOutWords(forest, context, parts), [forest, context, parts]);
  const topic = forest.trees[node.treeId]?.order ?? 0;
  const { tokens, fullHistoryTokens: whole, unit, policy } = context;
  const plain = baselineOf(context);
  return (
    <>
      <FallbacksSection fallbacks={context.fallbacks ?? []} />
      <Section title={title} aside={`${policy} · ${unit}`}>
        <p className={sectionCss.total}>
          <b>{count(tokens)}</b> tokens{' '}
          <span className={sectionCss.aside}>
            of {count(plain)} in a plain chat, {savingLabel(tokens, plain)} ·{' '}
            <span className={inlineCss.figure}>{exactBytes(byteCount(messages))}</span>
          </span>
        </p>
        {whole > plain && (
          <p className={sectionCss.note}>
            The whole history has {count(whole)} tokens. A plain chat would have sent its newest turns, as many as fit
            the model.
          </p>
        )}
        <TokenBar groups={groups} topic={topic} />
        <CollapsedList of={node.id} items={parts} first={FIRST_PARTS}>
          {(part) => (
            <li key={part.index}>
              <PartRow part={part} now={now} />
            </li>
          )}
        </CollapsedList>
        <p className={sectionCss.note}>{leftOut}</p>
      </Section>
      {children}
      <SentMessages of={node.id} messages={messages} />
    </>
  );
};

/** Messages shown before "show all". */
const FIRST_MESSAGES = 60;

/** The messages, byte for byte. */
const SentMessages = ({ of, messages }: { of: NodeId; messages: readonly ChatMessage[] }) => (
  <Section title="Messages" aside={`${counted(messages.length, 'message')} · ${exactBytes(byteCount(messages))}`}>
    <CollapsedList of={of} items={messages} first={FIRST_MESSAGES}>
      {(message, index) => <Message key={index} message={message} />}
    </CollapsedList>
    <CopyButton label="Copy messages" text={() => JSON.stringify(messages, null, 2)} />
  </Section>
);

const Message = ({ message }: { message: ChatMessage }) => (
  <li className={contextCss.message} data-role={message.role}>
    <span className={contextCss.role}>
      {message.role} <span className={contextCss.bytes}>{exactBytes(byteCount([message]))}</span>
    </span>
    <pre className={contextCss.pre}>{message.content}</pre>
    {message.pictures !== undefined && (
      <span className={contextCss.role}>
        and, as pictures: {message.pictures.map(({ name, size }) => `${name} (${bytesInWords(size)})`).join(', ')}
      </span>
    )}
  </li>
);

/** Parts shown per kind of change before "show all". */
const FIRST = 12;

interface SinceBeforeProps {
  readonly now: Forest;
  readonly node: Node;
  readonly shown: ShownContext;
}

/** What entered the context, left it or was rewritten since the previously answered turn. */
const ContextChanges = ({ now, node, shown }: SinceBeforeProps) => {
  const before = useMemo(() => answeredBefore(now, node), [now, node]);
  const shownBefore = useShownContext(before?.id ?? null, before === null ? null : replyOf(before));
  const diff = useMemo(
    () =>
      shownBefore === null || shownBefore === 'far'
        ? null
        : contextDiff(contextParts(shownBefore.forest, shownBefore.context), contextParts(shown.forest, shown.context)),
    [shownBefore, shown],
  );
  if (before === null || diff === null) return null;
  return (
    <Section title={`Since turn ${before.number}`} aside={counts(diff)}>
      <p className={sectionCss.note}>{frontWords(diff, shown.context.tokens)}</p>
      <CollapsedList of={node.id} items={changesOf(diff)} first={FIRST}>
        {({ sign, word, part, was }) => (
          <li key={`${sign} ${part.key}`} data-change={word}>
            <PartRow part={part} now={now} sign={<Sign sign={sign} word={word} />}>
              {was && <Rewritten before={was} after={part} />}
            </PartRow>
          </li>
        )}
      </CollapsedList>
      <p className={sectionCss.note}>
        The turn before is <TurnLink forest={now} nodeId={before.id} />.
      </p>
    </Section>
  );
};

interface PartChange {
  readonly sign: '+' | '−' | '~';
  readonly word: 'entered' | 'left' | 'changed';
  readonly part: ContextPart;
  readonly was?: ContextPart;
}

const changesOf = ({ entered, left, changed }: ContextDiff): PartChange[] => [
  ...entered.map((part): PartChange => ({ sign: '+', word: 'entered', part })),
  ...changed.map(({ before, after }): PartChange => ({ sign: '~', word: 'changed', part: after, was: before })),
  ...left.map((part): PartChange => ({ sign: '−', word: 'left', part })),
];

const counts = ({ entered, left, changed, stayed }: ContextDiff): string =>
  [
    [entered.length, 'entered'],
    [changed.length, 'changed'],
    [left.length, 'left'],
    [stayed.length, 'stayed'],
  ]
    .filter(([many]) => many !== 0)
    .map(([many, word]) => `${many} ${word}`)
    .join(' · ');

const frontWords = ({ front }: ContextDiff, tokens: number): string => {
  if (front === 0) return 'Nothing at its beginning is the same, so a chat model has to read all of it again.';
  if (front === tokens) return 'It is the same to the last word.';
  return `The first ${count(front)} of ${count(tokens)} tokens are unchanged, so a chat model can reuse its cache for them.`;
};

const Sign = ({ sign, word }: Pick<PartChange, 'sign' | 'word'>) => (
  <>
    <span className={contextCss.sign} data-change={word} aria-hidden="true">
      {sign}
    </span>
    <span className="visually-hidden">{word}: </span>
  </>
);

/** The same thing with different words; removed ones are struck through. */
const Rewritten = ({ before, after }: { before: ContextPart; after: ContextPart }) => (
  <LabelledText
    whose="word by word"
    content={wordDiff(partText(before), partText(after)).map(({ kind, text }, index) => {
      if (kind === 'same') return text;
      const Mark = kind === 'added' ? 'ins' : 'del';
      // biome-ignore lint/suspicious/noArrayIndexKey: stretches have no names, and never change their order
      return <Mark key={index}>{text}</Mark>;
    })}
  />
);
