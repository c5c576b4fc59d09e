import type { Node, Reply } from '../../domain/forest.ts';
import { useActions, useApp } from '../app-context.ts';
import { Button } from '../parts/button.tsx';
import { replyTrouble, type WayOn } from './reply-trouble.ts';
import styles from './turn.module.css';

const LABELS: Readonly<Record<WayOn, string>> = {
  continue: 'Continue',
  'try-again': 'Try again',
  'smaller-model': 'Choose a smaller model',
  embedded: 'Reply with the embedded model',
};

/** Of a reply that is not whole, what happened and the ways on. */
export const BrokenOff = ({
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
  const { resume, regenerate, session } = useActions();
  const busy = useApp((state) => state.turn !== null);
  const trouble = replyTrouble(reply);
  if (trouble === null) return null;

  // The last turn has Regenerate for that.
  const ways = trouble.failed || !last ? trouble.ways : trouble.ways.filter((way) => way !== 'try-again');
  const go = (way: WayOn): void => {
    switch (way) {
      case 'continue':
        return void resume(node.id);
      case 'try-again':
        // A reply of which nothing came is not kept beside the one that comes now.
        return void (reply.state === 'failed' && reply.text === '' ? resume(node.id) : regenerate(node.id));
      case 'smaller-model':
        return session({ dialog: 'models', modelsPage: 'chat' });
      case 'embedded':
        return void regenerate(node.id, 'embedded');
    }
  };
  return (
    <div className={styles.broken} data-failed={trouble.failed}>
      <p>{trouble.words}</p>
      {!readOnly &&
        ways.map((way, at) => (
          <Button
            key={way}
            size="small"
            look={trouble.failed && at === 0 ? 'primary' : 'outline'}
            disabled={busy && way !== 'smaller-model'}
            onClick={() => go(way)}
          >
            {LABELS[way]}
          </Button>
        ))}
    </div>
  );
};
