import type { Node, Reply, ReplyState } from '../../domain/forest.ts';
import { spokenOf } from '../../domain/reasoning.ts';
import { useActions, useApp } from '../app-context.ts';
import { Button } from '../parts/button.tsx';
import { CopyButton } from './copy-button.tsx';
import styles from './section.module.css';
import { Section } from './section.tsx';

const STATES: Record<ReplyState, string> = {
  streaming: 'being written',
  done: 'done',
  stopped: 'stopped by you',
  interrupted: 'interrupted',
  failed: 'failed',
};

/** One reply of a turn. Where there are several, one counts, and another can be made to. */
export const ReplySection = ({ node, reply }: { node: Node; reply: Reply }) => {
  const { chooseReply } = useActions();
  const readOnly = useApp((state) => state.past !== null);
  const unsaved = useApp(({ turn, past }) => (past === null && turn?.replyId === reply.id ? turn.unsaved : ''));
  const several = node.replies.length > 1;
  const counts = node.replyId === reply.id;
  const { reasoning, answer } = spokenOf(reply.text + unsaved);
  const place = several ? ` ${node.replies.indexOf(reply) + 1} of ${node.replies.length}` : '';
  return (
    <Section title={`Reply${place}`} aside={<CopyButton label="Copy" text={() => answer} />}>
      <p className={styles.note}>
        {reply.model === 'given' ? 'given with the dialogue' : `by ${reply.model}`} · {STATES[reply.state]}
        {several && counts && ' · this one counts'}
      </p>
      {reply.failure !== null && <p className={styles.failure}>{reply.failure}</p>}
      {reasoning !== null && (
        <details className={styles.thoughts}>
          <summary>Reasoning, which is not sent on</summary>
          <p className={styles.text}>{reasoning}</p>
        </details>
      )}
      {answer !== '' && <p className={styles.text}>{answer}</p>}
      {!counts && !readOnly && (
        <Button size="small" onClick={() => void chooseReply(node.id, reply.id)}>
          Use this reply
        </Button>
      )}
    </Section>
  );
};
