import { useMemo } from 'react';
import type { Context } from '../../domain/context.ts';
import type { Forest, Node } from '../../domain/forest.ts';
import { count } from '../parts/numbers.ts';
import contextCss from './context.module.css';
import { contextParts, groupParts } from './context-parts.ts';
import { saving } from './figures.ts';
import inlineCss from './inline.module.css';
import sectionCss from './section.module.css';
import { Section } from './section.tsx';
import { PartMark, TokenBar } from './token-bar.tsx';

interface Props {
  readonly forest: Forest;
  readonly node: Node;
  readonly context: Context;
}

/** What was sent, in one bar and a line a kind, beside what the whole history would have cost. */
export const ContextSummary = ({ forest, node, context }: Props) => {
  const groups = useMemo(() => groupParts(forest, contextParts(forest, context)), [forest, context]);
  const topic = forest.trees[node.treeId]?.order ?? 0;
  const { tokens, fullHistoryTokens } = context;
  const aside = `${count(tokens)} of ${count(fullHistoryTokens)} tokens, ${saving(tokens, fullHistoryTokens)}`;
  return (
    <Section title="Context" aside={aside}>
      <TokenBar groups={groups} topic={topic} />
      <ul className={sectionCss.list}>
        {groups.map((group) => (
          <li key={group.parts[0]?.index} className={contextCss.part}>
            <PartMark kind={group.kind} topic={group.kind === 'topic' ? (group.parts[0]?.topic ?? null) : topic} />
            <span className={inlineCss.ellipsis} title={group.label}>
              {group.label}
            </span>
            <span className={inlineCss.figure}>{count(group.tokens)}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
};
