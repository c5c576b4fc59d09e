import { type CSSProperties, type ReactNode, useEffect, useMemo, useState } from 'react';
import { baselineOf, type Context } from '../../domain/context.ts';
import type { Forest, Node, NodeId, Reply } from '../../domain/forest.ts';
import { beginning } from '../../domain/queries.ts';
import type { ShownContext } from '../../engine/context/context-text.ts';
import { useActions, useApp } from '../app-context.ts';
import { count, ratio, savingLabel } from '../parts/format.ts';
import { Ellipsis } from '../parts/text.tsx';
import { topicColour } from '../topic-colour.ts';
import contextCss from './context.module.css';
import { byteCount, type ContextPart, contextParts, exactBytes, groupParts, type PartGroup } from './context-parts.ts';
import inlineCss from './inline.module.css';
import sectionCss from './section.module.css';
import { Section } from './section.tsx';

interface PartRowProps {
  readonly part: ContextPart;
  /** The forest on screen, which links can go to. */
  readonly now: Forest;
  /** A sign before the label, e.g. that the part is new. */
  readonly sign?: ReactNode;
  /** Shown instead of the plain words. */
  readonly children?: ReactNode;
}

/** A part of a context, which expands to the exact words sent. */
export const PartRow = ({ part, now, sign, children }: PartRowProps) => {
  const { select } = useActions();
  const { kind, topic, label, tokens, said, nodeId, score } = part;
  const there = nodeId !== null && now.nodes[nodeId] !== undefined;
  return (
    <details className={contextCss.fold}>
      <summary className={contextCss.part}>
        <PartMark kind={kind} topic={topic} />
        <span className={contextCss.what}>
          <Ellipsis fit>
            {sign}
            {label}
            {score !== undefined && <span className={inlineCss.quiet}> · rated {ratio(score)}</span>}
          </Ellipsis>
          {kind !== 'message' && (
            <Ellipsis className={`${inlineCss.quiet} ${contextCss.begins}`}> {begins(part)}</Ellipsis>
          )}
        </span>
        <span className={inlineCss.figure}>{count(tokens)}</span>
      </summary>
      <div className={contextCss.unfolded}>
        {children ?? said.map(({ role, content }) => <LabelledText key={role} whose={role} content={content} />)}
        {said.length === 0 && (
          <p className={inlineCss.gone}>
            {kind === 'left-out' ? 'Not included in the request.' : 'Its text was deleted.'}
          </p>
        )}
        <p className={contextCss.foot}>
          {exactBytes(byteCount(said))}
          {there && (
            <button type="button" className={inlineCss.link} onClick={() => select(nodeId)}>
              Go to turn {now.nodes[nodeId]?.number}
            </button>
          )}
        </p>
      </div>
    </details>
  );
};

const begins = ({ said }: ContextPart): string => beginning(said[0]?.content ?? '', 120);

export const LabelledText = ({ whose, content }: { whose: string; content: ReactNode }) => (
  <>
    <span className={contextCss.role}>{whose}</span>
    <pre className={contextCss.pre}>{content}</pre>
  </>
);

/** A context as one bar, by kind; other topics in their own colours. `topic` colours the path. */
export const TokenBar = ({ groups, topic }: { groups: readonly PartGroup[]; topic: number }) => (
  <div className={contextCss.tokens} style={{ '--c': topicColour(topic) } as CSSProperties} aria-hidden="true">
    {groups.map((group) =>
      group.kind === 'topic' || group.kind === 'turn' ? (
        runsOf(group.parts).map(({ index, topic: of, tokens }) => (
          <span key={index} data-kind={group.kind} style={{ flexGrow: tokens, background: colourOf(of) }} />
        ))
      ) : (
        <span key={group.kind} data-kind={group.kind} style={{ flexGrow: group.tokens }} />
      ),
    )}
  </div>
);

const colourOf = (topic: number | null): string => (topic === null ? 'var(--ink-3)' : topicColour(topic));

/** Merges consecutive parts of the same topic, to be drawn as one. */
const runsOf = (parts: readonly ContextPart[]): Pick<ContextPart, 'index' | 'topic' | 'tokens'>[] => {
  const runs: { index: number; topic: number | null; tokens: number }[] = [];
  for (const { index, topic, tokens } of parts) {
    const last = runs.at(-1);
    if (last !== undefined && last.topic === topic) last.tokens += tokens;
    else runs.push({ index, topic, tokens });
  }
  return runs;
};

/** The mark that links a list item to its section of the bar. */
export const PartMark = ({ kind, topic }: Pick<ContextPart, 'kind' | 'topic'>) => (
  <span
    className={contextCss.mark}
    data-kind={kind}
    style={{ '--c': colourOf(topic) } as CSSProperties}
    aria-hidden="true"
  />
);

interface ContextSummaryProps {
  readonly now: Forest;
  readonly node: Node;
  readonly context: Context;
  readonly shown: ReturnType<typeof useShownContext>;
}

/**
 * What was sent, as one bar and a line per kind, next to what a plain chat would have sent. `now` names the parts until
 * the forest of that time is known.
 */
export const ContextSummary = ({ now, node, context, shown }: ContextSummaryProps) =>
  shown !== null && <Summary node={node} shown={shown === 'far' ? { forest: now, context } : shown} />;

const Summary = ({ node, shown: { forest, context } }: { node: Node; shown: ShownContext }) => {
  const groups = useMemo(() => groupParts(forest, contextParts(forest, context)), [forest, context]);
  const topic = forest.trees[node.treeId]?.order ?? 0;
  const { tokens } = context;
  const plain = baselineOf(context);
  const aside = `${count(tokens)} of ${count(plain)} tokens, ${savingLabel(tokens, plain)}`;
  return (
    <Section title="Context" aside={aside}>
      <TokenBar groups={groups} topic={topic} />
      <ul className={sectionCss.list}>
        {groups.map((group) => (
          <li key={group.parts[0]?.index} className={contextCss.part}>
            <PartMark kind={group.kind} topic={group.kind === 'topic' ? (group.parts[0]?.topic ?? null) : topic} />
            <Ellipsis fit title={group.label}>
              {group.label}
            </Ellipsis>
            <span className={inlineCss.figure}>{count(group.tokens)}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
};

/**
 * What a reply was sent, byte for byte, with the forest as it was then; null if nothing was sent or it is unknown.
 * `far` until that point of a very long log has been rebuilt.
 */
export const useShownContext = (nodeId: NodeId | null, reply: Reply | null): ShownContext | null | 'far' => {
  const { shownContext, shownContextFarBack } = useActions();
  // A log only grows, except for a purge, which rewrites it: the first entry identifies the whole log.
  const log = useApp((state) => state.entries[0]);
  const replyId = reply === null || reply.context === null ? null : reply.id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another log, another context
  const asked = useMemo(() => ({ replyId, nodeId }), [replyId, nodeId, log]);
  const found = useMemo(
    () => (asked.replyId === null || asked.nodeId === null ? null : shownContext(asked.replyId, asked.nodeId)),
    [asked, shownContext],
  );
  const [later, setLater] = useState<{ readonly asked: object; readonly shown: ShownContext | null } | null>(null);
  useEffect(() => {
    if (found !== 'far' || asked.replyId === null || asked.nodeId === null) return;
    const stop = new AbortController();
    void shownContextFarBack(asked.replyId, asked.nodeId, stop.signal).then((shown) => {
      if (!stop.signal.aborted) setLater({ asked, shown });
    });
    return () => stop.abort();
  }, [found, asked, shownContextFarBack]);
  return found === 'far' && later?.asked === asked ? later.shown : found;
};
