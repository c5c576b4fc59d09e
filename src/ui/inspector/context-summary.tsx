import { useMemo } from 'react';
import { baselineOf } from '../../domain/context.ts';
import type { Node, Reply } from '../../domain/forest.ts';
import type { ShownContext } from '../../engine/context/context-text.ts';
import { useActions, useApp } from '../app-context.ts';
import { count, saving } from '../parts/format.ts';
import contextCss from './context.module.css';
import { contextParts, groupParts } from './context-parts.ts';
import inlineCss from './inline.module.css';
import { PartMark, TokenBar } from './part-row.tsx';
import sectionCss from './section.module.css';
import { Section } from './section.tsx';

interface Props {
  readonly node: Node;
  readonly reply: Reply;
}

/** What was sent, in one bar and a line a kind, beside what a plain chat would have sent. */
export const ContextSummary = ({ node, reply }: Props) => {
  const shown = useShownContext(reply);
  return shown === null ? null : <Summary node={node} shown={shown} />;
};

const Summary = ({ node, shown: { forest, context } }: { node: Node; shown: ShownContext }) => {
  const groups = useMemo(() => groupParts(forest, contextParts(forest, context)), [forest, context]);
  const topic = forest.trees[node.treeId]?.order ?? 0;
  const { tokens } = context;
  const plain = baselineOf(context);
  const aside = `${count(tokens)} of ${count(plain)} tokens, ${saving(tokens, plain)}`;
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

/** What a reply was sent, byte for byte, with the forest as it was then; null where nothing was, or it is not known. */
export const useShownContext = (reply: Reply | null): ShownContext | null => {
  const { shownContext } = useActions();
  // A log only grows, but for a purge, which writes it anew: the first entry stands for all of it.
  const log = useApp((state) => state.entries[0]);
  const replyId = reply === null || reply.context === null ? null : reply.id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another log, another context
  return useMemo(() => (replyId === null ? null : shownContext(replyId)), [replyId, log, shownContext]);
};
