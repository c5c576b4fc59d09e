import type { TurnProgress } from '../../app/state.ts';
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
  // Until a reply that is asked for begins, the one before it stands as it is.
  const streaming = writing && progress.replyId === reply?.id;
  const text = reply === null ? '' : reply.text + (streaming ? progress.unsaved : '');

  return (
    <>
      {text !== '' && <ReplyText text={text} streaming={streaming} />}
      {writing && (text === '' || !streaming) && <Waiting phase={progress.phase} />}
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

const Waiting = ({ phase }: { phase: TurnProgress['phase'] }) => {
  const loading = useApp(({ models: { chat } }) => (chat.state === 'loading' ? chat.name : null));
  return (
    <p className={styles.waiting}>
      <span className={styles.dots} aria-hidden />
      {phase === 'deciding'
        ? 'finding its place…'
        : loading === null
          ? 'writing a reply…'
          : `waiting for ${loading}, which is being loaded…`}
    </p>
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
