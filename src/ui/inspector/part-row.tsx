import type { CSSProperties, ReactNode } from 'react';
import type { Forest } from '../../domain/forest.ts';
import { useActions } from '../app-context.ts';
import { count, ratio } from '../parts/format.ts';
import { topicColour } from '../topic-colour.ts';
import contextCss from './context.module.css';
import { byteCount, exactBytes, type Part, type PartGroup } from './context-parts.ts';
import inlineCss from './inline.module.css';

interface Props {
  readonly part: Part;
  /** The forest as it is on the screen: what can be gone to. */
  readonly now: Forest;
  /** A sign before the label, e.g. that it is new. */
  readonly sign?: ReactNode;
  /** In place of the words as they are. */
  readonly children?: ReactNode;
}

/** A part of a context, which unfolds to its words as they are sent. */
export const PartRow = ({ part, now, sign, children }: Props) => {
  const { select } = useActions();
  const { kind, topic, label, tokens, said, nodeId, score } = part;
  const there = nodeId !== null && now.nodes[nodeId] !== undefined;
  return (
    <details className={contextCss.fold}>
      <summary className={contextCss.part}>
        <PartMark kind={kind} topic={topic} />
        <span className={inlineCss.ellipsis}>
          {sign}
          {label}
          {score !== undefined && <span className={inlineCss.quiet}> · rated {ratio(score)}</span>}
          {kind !== 'message' && <span className={`${inlineCss.quiet} ${contextCss.begins}`}> {begins(part)}</span>}
        </span>
        <span className={inlineCss.figure}>{count(tokens)}</span>
      </summary>
      <div className={contextCss.unfolded}>
        {children ?? said.map(({ role, content }) => <Said key={role} whose={role} content={content} />)}
        {said.length === 0 && (
          <p className={inlineCss.gone}>
            {kind === 'left-out' ? 'The request does not mention it.' : 'Its text was deleted.'}
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

const begins = ({ said }: Part): string => said[0]?.content.slice(0, 120) ?? '';

export const Said = ({ whose, content }: { whose: string; content: ReactNode }) => (
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

/** Parts that follow each other and are of one topic, drawn as one. */
const runsOf = (parts: readonly Part[]): Pick<Part, 'index' | 'topic' | 'tokens'>[] => {
  const runs: { index: number; topic: number | null; tokens: number }[] = [];
  for (const { index, topic, tokens } of parts) {
    const last = runs.at(-1);
    if (last !== undefined && last.topic === topic) last.tokens += tokens;
    else runs.push({ index, topic, tokens });
  }
  return runs;
};

/** The mark that ties a line of a list to its stretch of the bar. */
export const PartMark = ({ kind, topic }: Pick<Part, 'kind' | 'topic'>) => (
  <span
    className={contextCss.mark}
    data-kind={kind}
    style={{ '--c': colourOf(topic) } as CSSProperties}
    aria-hidden="true"
  />
);
