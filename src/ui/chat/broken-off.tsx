import type { Node, Reply } from '../../domain/forest.ts';
import { useActions, useApp, useAppState } from '../app-context.ts';
import { Button } from '../parts/button.tsx';
import { REMEDY_WORDS, remedyPage } from '../parts/model-words.ts';
import { replyTrouble, type WayOn } from './reply-trouble.ts';
import styles from './turn.module.css';

const LABELS: Readonly<Record<WayOn, string>> = {
  continue: 'Continue',
  'try-again': 'Try again',
  'smaller-model': 'Choose a smaller model',
  'another-model': 'Choose another model',
  embedded: 'Reply with the embedded model',
  'free-space': REMEDY_WORDS['free-space'],
  settings: REMEDY_WORDS.settings,
};

/** These lead to Models, which is open to a reply that is being written. */
const LEADING: ReadonlySet<WayOn> = new Set(['smaller-model', 'another-model', 'free-space', 'settings']);

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
  const state = useAppState();
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
      case 'another-model':
        return session({ dialog: 'models', modelsPage: 'chat' });
      case 'free-space':
      case 'settings':
        return session({ dialog: 'models', modelsPage: remedyPage(way, 'chat', state().models.chat) });
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
            disabled={busy && !LEADING.has(way)}
            onClick={() => go(way)}
          >
            {LABELS[way]}
          </Button>
        ))}
    </div>
  );
};
