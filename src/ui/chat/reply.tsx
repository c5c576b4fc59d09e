import type { Node } from '../../domain/forest.ts';
import { replyOf } from '../../domain/queries.ts';
import { useActions, useApp } from '../app-context.ts';
import { Button } from '../parts/button.tsx';
import { BrokenOff } from './broken-off.tsx';
import { ReplyActions } from './reply-actions.tsx';
import { ReplyText } from './reply-text.tsx';
import styles from './turn.module.css';
import { UsageLine } from './usage-line.tsx';

/** The reply that counts, as far as it has come, and what can be done about it. */
export const ReplyView = ({ node, last, readOnly }: { node: Node; last: boolean; readOnly: boolean }) => {
  // Null for every turn but the one at work: a token that streams in renders one turn.
  const progress = useApp((state) => (state.turn?.nodeId === node.id && !readOnly ? state.turn : null));
  const reply = replyOf(node);
  const writing = progress !== null && progress.phase !== 'summarising';
  const text = reply === null ? '' : reply.text + (progress?.replyId === reply.id ? progress.unsaved : '');

  return (
    <>
      {text !== '' && <ReplyText text={text} streaming={writing} />}
      {text === '' && writing && (
        <p className={styles.waiting}>
          <span className={styles.dots} aria-hidden />
          {progress.phase === 'deciding' ? 'finding its place…' : 'writing a reply…'}
        </p>
      )}
      {reply !== null && !writing && (
        <>
          <BrokenOff node={node} reply={reply} last={last} readOnly={readOnly} />
          <UsageLine reply={reply} />
          <ReplyActions node={node} reply={reply} last={last} readOnly={readOnly} />
        </>
      )}
      {reply === null && !writing && !readOnly && last && <NoReply node={node} />}
    </>
  );
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
