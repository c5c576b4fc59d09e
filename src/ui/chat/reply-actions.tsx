import { Check, ChevronLeft, ChevronRight, Copy, RefreshCw } from 'lucide-react';
import { useState } from 'react';
import type { Node, Reply } from '../../domain/forest.ts';
import { useActions, useApp } from '../app-context.ts';
import { IconButton } from '../parts/icon-button.tsx';
import { Tooltip } from '../parts/tooltip.tsx';
import styles from './turn.module.css';

/** How long "copied" shows, in milliseconds. */
const COPIED = 1500;
const RECALL = 'recall';
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
  return (
    <div className={styles.actions} data-last={last}>
      <Author reply={reply} last={last} />
      <span className={styles.space} />
      {node.replies.length > 1 && <Replies node={node} readOnly={readOnly} />}
      {reply.text !== '' && <CopyButton text={reply.text} />}
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
  if (reply.model === 'given') return <span className={styles.author}>given with the dialogue</span>;
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
    <span role="group" aria-label="Replies" className={styles.replies}>
      <IconButton
        size="small"
        label="Reply before"
        icon={ChevronLeft}
        disabled={readOnly || at <= 0}
        onClick={() => choose(at - 1)}
      />
      <span>
        {at + 1}/{node.replies.length}
      </span>
      <IconButton
        size="small"
        label="Reply after"
        icon={ChevronRight}
        disabled={readOnly || at >= node.replies.length - 1}
        onClick={() => choose(at + 1)}
      />
    </span>
  );
};

const CopyButton = ({ text }: { text: string }) => {
  const { announce } = useActions();
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
      setTimeout(() => setCopied(false), COPIED);
    } catch {
      announce('The browser did not allow copying. Select the text and copy it by hand.');
    }
  };
  return (
    <IconButton
      size="small"
      label={copied ? 'Copied' : 'Copy reply'}
      icon={copied ? Check : Copy}
      onClick={() => void copy()}
    />
  );
};
