import { RefreshCw } from 'lucide-react';
import { type Node, RECALL, type Reply } from '../../domain/forest.ts';
import { answerOf } from '../../domain/reasoning.ts';
import { useActions, useApp } from '../app-context.ts';
import { CopyIconButton, IconButton } from '../parts/button.tsx';
import { Tooltip } from '../parts/tooltip.tsx';
import { GIVEN } from '../parts/turn-words.ts';
import { Switcher } from './switcher.tsx';
import styles from './turn.module.css';

const RECALL_IS = 'No language model: it quotes what this conversation already says.';

export const ReplyActions = ({
  node,
  reply,
  last,
  readOnly,
}: {
  node: Node;
  reply: Reply;
  last: boolean;
  readOnly: boolean;
}) => {
  const { regenerate } = useActions();
  const busy = useApp((state) => state.turn !== null);
  const answer = answerOf(reply.text);
  return (
    <div className={styles.actions} data-last={last}>
      <Author reply={reply} last={last} />
      <span className={styles.space} />
      {node.replies.length > 1 && <Replies node={node} readOnly={readOnly} />}
      {answer !== '' && <CopyIconButton label="Copy reply" text={answer} />}
      {last && !readOnly && (
        <IconButton
          size="small"
          label="Regenerate"
          icon={RefreshCw}
          disabled={busy}
          onClick={() => void regenerate(node.id)}
        />
      )}
    </div>
  );
};

const Author = ({ reply, last }: { reply: Reply; last: boolean }) => {
  if (reply.model === GIVEN) return <span className={styles.author}>given with the dialogue</span>;
  if (reply.model !== RECALL) return <span className={styles.author}>{reply.model}</span>;
  return (
    <Tooltip text={RECALL_IS}>
      <span className={styles.author}>recall{last ? ': quotes this conversation, is no language model' : ''}</span>
    </Tooltip>
  );
};

const Replies = ({ node, readOnly }: { node: Node; readOnly: boolean }) => {
  const { chooseReply } = useActions();
  const at = node.replies.findIndex((reply) => reply.id === node.replyId);
  const choose = (index: number) => {
    const reply = node.replies[index];
    if (reply !== undefined) void chooseReply(node.id, reply.id);
  };
  return (
    <Switcher label="Replies" what="Reply" at={at} of={node.replies.length} disabled={readOnly} onChoose={choose} />
  );
};
