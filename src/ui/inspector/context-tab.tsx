import { Columns3 } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';
import { baselineOf, type ChatMessage } from '../../domain/context.ts';
import type { Forest, Node } from '../../domain/forest.ts';
import { replyOf } from '../../domain/queries.ts';
import { contextMessages, type ShownContext } from '../../engine/context/context-text.ts';
import { useActions } from '../app-context.ts';
import { Button } from '../parts/button.tsx';
import { bytes, count, counted, saving } from '../parts/format.ts';
import contextCss from './context.module.css';
import { byteCount, contextParts, exactBytes, groupParts, leftOutTurns, type Part, turnsIn } from './context-parts.ts';
import { useShownContext } from './context-summary.tsx';
import inlineCss from './inline.module.css';
import frameCss from './inspector.module.css';
import { PartRow, TokenBar } from './part-row.tsx';
import sectionCss from './section.module.css';
import { CopyButton, Limited, Section } from './section.tsx';
import { FallbacksSection } from './shared-sections.tsx';
import { SinceBefore } from './since-before.tsx';

interface Props {
  readonly forest: Forest;
  readonly node: Node;
}

/** What was sent for the turn's reply: the one that counts, where there are several. */
export const ContextTab = ({ forest, node }: Props) => {
  const { select, session } = useActions();
  const reply = replyOf(node);
  const shown = useShownContext(reply);
  if (reply === null) return <p className={frameCss.empty}>Nothing has been sent for this turn yet.</p>;
  const given = reply.model === 'given' || shown === null;
  const compare = () => {
    select(node.id);
    session({ dialog: 'contexts' });
  };
  return (
    <>
      {given && (
        <p className={sectionCss.banner}>
          {reply.model === 'given' ? 'The reply came with the dialogue; nothing was sent.' : 'Nothing was sent.'}
          {shown !== null && ' This is what a chat model would have been sent.'}
        </p>
      )}
      <p className={contextCss.compare}>
        <Button size="small" onClick={compare}>
          <Columns3 size={14} aria-hidden />
          Compare contexts
        </Button>
      </p>
      {shown !== null && (
        <ContextView key={reply.id} title={given ? 'Would be sent' : 'Sent'} now={forest} shown={shown} node={node}>
          <SinceBefore now={forest} node={node} shown={shown} />
        </ContextView>
      )}
    </>
  );
};

/** Parts shown before the person asks for all. */
const FIRST_PARTS = 40;

interface ContextViewProps {
  readonly title: string;
  readonly shown: ShownContext;
  /** The turn that the context is for; its topic colours the path. */
  readonly node: Pick<Node, 'treeId'>;
  /** The forest as it is on the screen: what can be gone to. */
  readonly now: Forest;
  readonly children?: ReactNode;
}

/** A context: as one bar, part by part, and as the messages that it is sent as. */
export const ContextView = ({ title, shown, node, now, children }: ContextViewProps) => {
  const { forest, context } = shown;
  const parts = useMemo(() => contextParts(forest, context), [forest, context]);
  const groups = useMemo(() => groupParts(forest, parts), [forest, parts]);
  const messages = useMemo(() => contextMessages(forest, context), [forest, context]);
  const leftOut = useMemo(() => leftOutTurns(forest, context), [forest, context]);
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
            of {count(plain)} in a plain chat, {saving(tokens, plain)} ·{' '}
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
        <Limited items={parts} first={FIRST_PARTS}>
          {(part) => (
            <li key={part.index}>
              <PartRow part={part} now={now} />
            </li>
          )}
        </Limited>
        <p className={sectionCss.note}>{leftOutWords(leftOut, parts)}</p>
      </Section>
      {children}
      <SentMessages messages={messages} />
    </>
  );
};

/** Of which turns nothing is sent. */
const leftOutWords = (numbers: readonly number[], parts: readonly Part[]): string => {
  if (numbers.length > 0) return `Nothing is sent of ${counted(numbers.length, 'turn')}: ${turnsIn(numbers)}.`;
  const isCut = parts.some(({ kind }) => !WHOLE.has(kind));
  return isCut ? 'Part of every turn is sent.' : 'Nothing was left out.';
};

const WHOLE = new Set<Part['kind']>(['turn', 'pinned', 'reference', 'unsure', 'instructions', 'message']);

/** Messages shown before the person asks for all. */
const FIRST_MESSAGES = 60;

/** The messages, byte for byte. */
const SentMessages = ({ messages }: { messages: readonly ChatMessage[] }) => (
  <Section title="Messages" aside={`${counted(messages.length, 'message')} · ${exactBytes(byteCount(messages))}`}>
    <Limited items={messages} first={FIRST_MESSAGES}>
      {(message, index) => <Message key={index} message={message} />}
    </Limited>
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
        and, as pictures: {message.pictures.map(({ name, size }) => `${name} (${bytes(size)})`).join(', ')}
      </span>
    )}
  </li>
);
