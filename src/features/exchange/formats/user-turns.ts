import * as z from 'zod/mini';
import { dialogueForm, has } from './form.ts';

/**
 * `{conversation_id, user_turns: [{turn_id, content}], checkpoint_question}`: messages without replies. The
 * question is asked about the dialogue by those who measure it; it is no turn of it.
 */
export const userTurns = dialogueForm(
  (item) => has(item, 'user_turns'),
  z.object({ user_turns: z.array(z.object({ content: z.string() })) }),
  ({ user_turns }) => ({ title: null, lines: user_turns.map(({ content }) => ({ by: 'user', text: content })) }),
);
