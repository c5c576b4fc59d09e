import type { Reply } from '../../domain/forest.ts';
import { spokenOf } from '../../domain/reasoning.ts';
import { kindNamed, type ModelFailureKind, remediesOf } from '../../engine/model-failure.ts';
import { counted } from '../parts/format.ts';
import { GIVEN, isByLanguageModel } from '../parts/turn-words.ts';

/** What can be done about a reply that is not whole, the likeliest help first. */
export type WayOn =
  | 'continue'
  | 'try-again'
  | 'smaller-model'
  | 'another-model'
  | 'embedded'
  | 'free-space'
  | 'settings';

export interface ReplyTrouble {
  readonly words: string;
  readonly failed: boolean;
  readonly ways: readonly WayOn[];
}

/** What is wrong with a reply that has ended; null if nothing is. */
export const replyTrouble = (reply: Reply): ReplyTrouble | null => {
  const { reasoning, answer } = spokenOf(reply.text);
  const nothing = answer.trim() === '';
  const others: WayOn[] = isByLanguageModel(reply) ? ['smaller-model', 'embedded'] : [];
  switch (reply.state) {
    case 'streaming':
      return null;
    case 'interrupted':
      return {
        words: 'Interrupted: the page was closed before the reply was complete.',
        failed: false,
        ways: ['continue', 'try-again'],
      };
    case 'stopped':
      return { words: 'Stopped before the reply was complete.', failed: false, ways: ['continue', 'try-again'] };
    case 'failed':
      return {
        words: reply.failure ?? 'The reply failed.',
        failed: true,
        ways: waysAfter(reply, others),
      };
    case 'done': {
      if (reply.usage?.cut === true) return cutOff(reply, reasoning !== null && nothing);
      if (!nothing || reply.model === GIVEN) return null;
      const words =
        reasoning === null
          ? `${reply.model} ended without a word.`
          : `${reply.model} ended while it was still thinking: no answer came.`;
      return { words, failed: true, ways: ['try-again', ...others] };
    }
  }
};

const cutOff = ({ usage }: Reply, thinking: boolean): ReplyTrouble => {
  const generated = usage?.generated ?? null;
  const limit = generated === null ? 'the limit of tokens' : `the limit of ${counted(generated, 'token')}`;
  return {
    words: thinking ? `Stopped at ${limit}, still thinking: no answer came yet.` : `Stopped at ${limit}.`,
    failed: false,
    ways: ['continue'],
  };
};

/** By the kind of the failure, where the log has one: going on with what came is the same as another try. */
const waysAfter = (reply: Reply, others: readonly WayOn[]): readonly WayOn[] => {
  const again: WayOn[] = reply.text === '' ? ['try-again'] : ['continue', 'try-again'];
  const kind = kindNamed(reply.failureKind);
  if (kind === null || others.length === 0) return [...again, ...others];
  const ways = remediesOf(kind).flatMap((remedy): WayOn[] => {
    if (remedy === 'retry') return again;
    return [remedy === 'smaller-model' && !FOR_SIZE.has(kind) ? 'another-model' : remedy];
  });
  return ways.some((way) => way === 'try-again') ? ways : [...ways, 'try-again'];
};

/** Where it is its size that a model is too much for this machine by. */
const FOR_SIZE: ReadonlySet<ModelFailureKind> = new Set([
  'no-webgpu',
  'out-of-memory',
  'device-lost',
  'worker-died',
  'storage-full',
]);
