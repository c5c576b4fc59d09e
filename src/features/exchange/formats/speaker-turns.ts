import * as z from 'zod/mini';
import { has } from '../read/source.ts';
import { dialogueForm, type SpokenLine } from './form.ts';

/** Schema-Guided Dialogue: `{dialogue_id, turns: [{speaker, utterance}]}`. */
export const speakerTurns = dialogueForm(
  (item) => has(item, 'dialogue_id', 'turns'),
  z.object({
    turns: z.array(z.object({ speaker: z.enum(['USER', 'SYSTEM']), utterance: z.string() })),
  }),
  ({ turns }) => ({
    title: null,
    lines: turns.map(({ speaker, utterance }) => ({ by: speaker === 'USER' ? 'user' : 'assistant', text: utterance })),
  }),
);

const SHARE_GPT: Readonly<Record<string, SpokenLine['by']>> = {
  human: 'user',
  user: 'user',
  gpt: 'assistant',
  assistant: 'assistant',
};

/** ShareGPT: `{conversations: [{from, value}]}`. */
export const shareGpt = dialogueForm(
  (item) => has(item, 'conversations'),
  z.object({
    conversations: z.array(
      z.object({ from: z.enum(['human', 'gpt', 'system', 'user', 'assistant', 'tool']), value: z.string() }),
    ),
  }),
  ({ conversations }) => ({
    title: null,
    lines: conversations.flatMap(({ from, value }) => {
      const by = SHARE_GPT[from];
      return by === undefined ? [] : [{ by, text: value }];
    }),
  }),
);

/** StructFlowBench: `{whole_conv: [{"user prompt", "assistant answer"}]}`. */
export const promptAnswers = dialogueForm(
  (item) => has(item, 'whole_conv'),
  z.object({
    whole_conv: z.array(z.object({ 'user prompt': z.string(), 'assistant answer': z.optional(z.string()) })),
  }),
  ({ whole_conv }) => ({
    title: null,
    lines: whole_conv.flatMap((round) => [
      { by: 'user', text: round['user prompt'] },
      { by: 'assistant', text: round['assistant answer'] ?? '' },
    ]),
  }),
);

/**
 * `{conversation_id, user_turns: [{turn_id, content}], checkpoint_question}`: messages without replies. The
 * question is asked about the dialogue by those who measure it; it is no turn of it.
 */
export const userTurns = dialogueForm(
  (item) => has(item, 'user_turns'),
  z.object({ user_turns: z.array(z.object({ content: z.string() })) }),
  ({ user_turns }) => ({ title: null, lines: user_turns.map(({ content }) => ({ by: 'user', text: content })) }),
);
