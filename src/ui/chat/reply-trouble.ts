import type { Reply } from '../../domain/forest.ts';
import { spokenOf } from '../../domain/reasoning.ts';
import { GIVEN, isByLanguageModel } from '../parts/reply-pace.ts';

/** What can be done about a reply that is not whole, the likeliest help first. */
export type WayOn = 'continue' | 'try-again' | 'smaller-model' | 'embedded';

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
        ways: [...(reply.text === '' ? [] : (['continue'] as const)), 'try-again', ...others],
      };
    case 'done': {
      if (!nothing || reply.model === GIVEN) return null;
      const words =
        reasoning === null
          ? `${reply.model} ended without a word.`
          : `${reply.model} ended while it was still thinking: no answer came.`;
      return { words, failed: true, ways: ['try-again', ...others] };
    }
  }
};
