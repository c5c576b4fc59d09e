import { once } from '../../../tasks.ts';
import type { Policy } from '../../policy.ts';

/** Loaded with the first message, after the page itself. */
const builder = once(() => import('./build.ts'));

/**
 * Sends what the message needs, clean and in order: the path cut back, newest first, followed by what is needed from
 * elsewhere, marked; never more than the full history. While the conversation continues, what was sent stays unchanged
 * and new content is appended; at a checkpoint (another branch or topic, an edit, the budget exceeded) everything is
 * composed anew.
 */
export const focused: Policy = {
  name: 'focused',
  about:
    'The path cut back to what the message needs, newest first, and what it needs from elsewhere, marked; never more than the full history. The default.',
  retrieval: 'similarity',
  sendsPath: true,
  build: async (input) => (await builder()).build(input),
};
