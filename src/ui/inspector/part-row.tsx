import type { ReactNode } from 'react';
import type { Forest } from '../../domain/forest.ts';
import { useActions } from '../app-context.ts';
import { count, ratio } from '../parts/format.ts';
import { byteCount, exactBytes } from './byte-count.ts';
import contextCss from './context.module.css';
import type { Part } from './context-parts.ts';
import inlineCss from './inline.module.css';
import { PartMark } from './token-bar.tsx';

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
            {kind === 'left-out' ? 'The request does not say so.' : 'Its words are gone.'}
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
