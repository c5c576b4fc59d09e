import { type ReactNode, useMemo } from 'react';
import type { Forest, Node } from '../../domain/forest.ts';
import { contextMessages } from '../../engine/context/context-text.ts';
import type { ShownContext } from '../../engine/context/shown-context.ts';
import { count, saving } from '../parts/format.ts';
import { byteCount, exactBytes } from './byte-count.ts';
import { contextParts, groupParts } from './context-parts.ts';
import { FallbacksSection } from './fallbacks-section.tsx';
import inlineCss from './inline.module.css';
import { Limited } from './limited.tsx';
import { PartRow } from './part-row.tsx';
import sectionCss from './section.module.css';
import { Section } from './section.tsx';
import { SentMessages } from './sent-messages.tsx';
import { TokenBar } from './token-bar.tsx';

/** Parts shown before the person asks for all. */
const FIRST = 40;

interface Props {
  readonly title: string;
  readonly shown: ShownContext;
  /** The turn that the context is for; its topic colours the path. */
  readonly node: Pick<Node, 'treeId'>;
  /** The forest as it is on the screen: what can be gone to. */
  readonly now: Forest;
  readonly children?: ReactNode;
}

/** A context: as one bar, part by part, and as the messages that it is sent as. */
export const ContextView = ({ title, shown, node, now, children }: Props) => {
  const { forest, context } = shown;
  const parts = useMemo(() => contextParts(forest, context), [forest, context]);
  const groups = useMemo(() => groupParts(forest, parts), [forest, parts]);
  const messages = useMemo(() => contextMessages(forest, context), [forest, context]);
  const topic = forest.trees[node.treeId]?.order ?? 0;
  const { tokens, fullHistoryTokens, unit, policy } = context;
  return (
    <>
      <FallbacksSection fallbacks={context.fallbacks ?? []} />
      <Section title={title} aside={`${policy} · ${unit}`}>
        <p className={sectionCss.total}>
          <b>{count(tokens)}</b> tokens{' '}
          <span className={sectionCss.aside}>
            of {count(fullHistoryTokens)} for the full history, {saving(tokens, fullHistoryTokens)} ·{' '}
            <span className={inlineCss.figure}>{exactBytes(byteCount(messages))}</span>
          </span>
        </p>
        <TokenBar groups={groups} topic={topic} />
        <Limited items={parts} first={FIRST}>
          {(part) => (
            <li key={part.index}>
              <PartRow part={part} now={now} />
            </li>
          )}
        </Limited>
        {parts.every(({ kind }) => kind !== 'left-out') && <p className={sectionCss.note}>Nothing was left out.</p>}
      </Section>
      {children}
      <SentMessages messages={messages} />
    </>
  );
};
