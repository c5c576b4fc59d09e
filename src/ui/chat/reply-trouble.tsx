import type { Node, Reply } from '../../domain/forest.ts';
import { spokenOf } from '../../domain/reply.ts';
import { kindNamed, type ModelFailureKind, remediesOf } from '../../engine/model-failure.ts';
import { useActions, useApp, useAppState } from '../app-context.ts';
import { Button } from '../parts/button.tsx';
import { counted } from '../parts/format.ts';
import { REMEDY_WORDS, remedyPage } from '../parts/model-words.ts';
import { GIVEN, isByLanguageModel } from '../parts/turn-words.ts';
import styles from './turn.module.css';

/** What can be done about a reply that is not whole, the likeliest help first. */
type ReplyRemedy =
  | 'continue'
  | 'try-again'
  | 'smaller-model'
  | 'another-model'
  | 'embedded'
  | 'free-space'
  | 'settings';

interface ReplyTrouble {
  readonly words: string;
  readonly failed: boolean;
  readonly remedies: readonly ReplyRemedy[];
}

const LABELS: Readonly<Record<ReplyRemedy, string>> = {
  continue: 'Continue',
  'try-again': 'Try again',
  'smaller-model': 'Choose a smaller model',
  'another-model': 'Choose another model',
  embedded: 'Reply with the embedded model',
  'free-space': REMEDY_WORDS['free-space'],
  settings: REMEDY_WORDS.settings,
};

/** These lead to Models, which is open to a reply that is being written. */
const OPENS_MODELS: ReadonlySet<ReplyRemedy> = new Set(['smaller-model', 'another-model', 'free-space', 'settings']);

/** Of a reply that is not whole, what happened and what can be done. */
export const UnfinishedReply = ({
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
  const remedies =
    trouble.failed || !last ? trouble.remedies : trouble.remedies.filter((remedy) => remedy !== 'try-again');
  const go = (remedy: ReplyRemedy): void => {
    switch (remedy) {
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
        return session({ dialog: 'models', modelsPage: remedyPage(remedy, 'chat', state().models.chat) });
      case 'embedded':
        return void regenerate(node.id, 'embedded');
    }
  };
  return (
    <div className={styles.broken} data-failed={trouble.failed}>
      <p>{trouble.words}</p>
      {!readOnly &&
        remedies.map((remedy, at) => (
          <Button
            key={remedy}
            size="small"
            look={trouble.failed && at === 0 ? 'primary' : 'outline'}
            disabled={busy && !OPENS_MODELS.has(remedy)}
            onClick={() => go(remedy)}
          >
            {LABELS[remedy]}
          </Button>
        ))}
    </div>
  );
};

/** What is wrong with a reply that has ended; null if nothing is. */
export const replyTrouble = (reply: Reply): ReplyTrouble | null => {
  const { reasoning, answer } = spokenOf(reply.text);
  const nothing = answer.trim() === '';
  const others: ReplyRemedy[] = isByLanguageModel(reply) ? ['smaller-model', 'embedded'] : [];
  switch (reply.state) {
    case 'streaming':
      return null;
    case 'interrupted':
      return {
        words: 'Interrupted: the page was closed before the reply was complete.',
        failed: false,
        remedies: ['continue', 'try-again'],
      };
    case 'stopped':
      return { words: 'Stopped before the reply was complete.', failed: false, remedies: ['continue', 'try-again'] };
    case 'failed':
      return {
        words: reply.failure ?? 'The reply failed.',
        failed: true,
        remedies: remediesAfter(reply, others),
      };
    case 'done': {
      if (reply.usage?.cut === true) return cutOff(reply, reasoning !== null && nothing);
      if (!nothing || reply.model === GIVEN) return null;
      const words =
        reasoning === null
          ? `${reply.model} returned an empty reply.`
          : `${reply.model} stopped while it was still thinking: there is no answer.`;
      return { words, failed: true, remedies: ['try-again', ...others] };
    }
  }
};

const cutOff = ({ usage }: Reply, thinking: boolean): ReplyTrouble => {
  const generated = usage?.generated ?? null;
  const limit = generated === null ? 'the limit of tokens' : `the limit of ${counted(generated, 'token')}`;
  return {
    words: thinking ? `Stopped at ${limit} while still thinking: there is no answer yet.` : `Stopped at ${limit}.`,
    failed: false,
    remedies: ['continue'],
  };
};

/** By the kind of the failure, where the log has one: going on with what came is the same as another try. */
const remediesAfter = (reply: Reply, others: readonly ReplyRemedy[]): readonly ReplyRemedy[] => {
  const again: ReplyRemedy[] = reply.text === '' ? ['try-again'] : ['continue', 'try-again'];
  const kind = kindNamed(reply.failureKind);
  if (kind === null || others.length === 0) return [...again, ...others];
  const remedies = remediesOf(kind).flatMap((remedy): ReplyRemedy[] => {
    if (remedy === 'retry') return again;
    return [remedy === 'smaller-model' && !TOO_BIG.has(kind) ? 'another-model' : remedy];
  });
  return remedies.some((remedy) => remedy === 'try-again') ? remedies : [...remedies, 'try-again'];
};

/** Where it is its size that a model is too much for this machine by. */
const TOO_BIG: ReadonlySet<ModelFailureKind> = new Set([
  'no-webgpu',
  'out-of-memory',
  'device-lost',
  'worker-died',
  'storage-full',
]);
