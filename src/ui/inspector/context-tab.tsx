import { useMemo } from 'react';
import type { Context } from '../../domain/context.ts';
import type { Forest, Node } from '../../domain/forest.ts';
import { replyOf } from '../../domain/queries.ts';
import { count } from '../parts/numbers.ts';
import contextCss from './context.module.css';
import { contextParts, groupParts, type Part } from './context-parts.ts';
import { saving } from './figures.ts';
import inlineCss from './inline.module.css';
import frameCss from './inspector.module.css';
import { Limited } from './limited.tsx';
import { PartLabel } from './part-label.tsx';
import sectionCss from './section.module.css';
import { Section } from './section.tsx';
import { SentMessages } from './sent-messages.tsx';
import { PartMark, TokenBar } from './token-bar.tsx';

/** Parts shown before the person asks for all. */
const FIRST = 40;

interface Props {
  readonly forest: Forest;
  readonly node: Node;
}

/** What was sent for the turn's reply: the one that counts, where there are several. */
export const ContextTab = ({ forest, node }: Props) => {
  const reply = replyOf(node);
  if (reply === null) return <p className={frameCss.empty}>Nothing has been sent for this turn yet.</p>;
  const { context, model } = reply;
  const given = model === 'given' || context === null;
  return (
    <>
      {given && (
        <p className={sectionCss.banner}>
          The reply was given with the dialogue; nothing was sent.
          {context !== null && ' This is what a chat model would have been sent.'}
        </p>
      )}
      {context !== null && <Sent key={reply.id} forest={forest} node={node} context={context} given={given} />}
    </>
  );
};

const Sent = ({ forest, node, context, given }: Props & { context: Context; given: boolean }) => {
  const parts = useMemo(() => contextParts(forest, context), [forest, context]);
  const groups = useMemo(() => groupParts(forest, parts), [forest, parts]);
  const topic = forest.trees[node.treeId]?.order ?? 0;
  const leftOut = parts.filter((part) => part.kind === 'left-out');
  const { tokens, fullHistoryTokens, unit, policy } = context;
  return (
    <>
      <Section title={given ? 'Would be sent' : 'Sent'} aside={`${policy} · ${unit}`}>
        <p className={sectionCss.total}>
          <b>{count(tokens)}</b> tokens{' '}
          <span className={sectionCss.aside}>
            of {count(fullHistoryTokens)} for the full history, {saving(tokens, fullHistoryTokens)}
          </span>
        </p>
        <TokenBar groups={groups} topic={topic} />
        <Limited items={parts} first={FIRST}>
          {(part) => <PartRow key={part.index} forest={forest} part={part} />}
        </Limited>
        {leftOut.length === 0 && <p className={sectionCss.note}>Nothing was left out.</p>}
      </Section>
      <SentMessages forest={forest} context={context} />
    </>
  );
};

const PartRow = ({ forest, part }: { forest: Forest; part: Part }) => (
  <li className={contextCss.part}>
    <PartMark kind={part.kind} topic={part.topic} />
    <PartLabel forest={forest} part={part} />
    <span className={inlineCss.figure}>{count(part.tokens)}</span>
  </li>
);
