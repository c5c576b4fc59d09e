import type { Policy } from '../../policy.ts';

/**
 * What the message needs, clean and in order: the path cut back, newest first, and what is needed from elsewhere, marked, behind it;
 * never more than the full history. While the conversation goes on, what was sent stands as it was and the new is added
 * behind it; at a checkpoint (another branch or topic, an edit, the budget passed) all is composed anew.
 */
export const focused: Policy = {
  name: 'focused',
  about:
    'The path cut back to what the message needs, newest first, and what it needs from elsewhere, marked; never more than the full history. The default.',
  retrieval: 'similarity',
  sendsPath: true,
  // Read with the first message: the page is there before.
  build: async (input) => (await import('./build.ts')).build(input),
};
