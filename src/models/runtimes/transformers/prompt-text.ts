import type { PreTrainedTokenizer } from '@huggingface/transformers';
import type { SentGeneration } from '../worker/protocol.ts';

export interface PromptText {
  readonly text: string;
  /** The tokenizer still has to add its marks of beginning. */
  readonly bare: boolean;
  /** Where the answer ends if the model does not know by itself. */
  readonly stops: readonly string[];
}

/** The conversation as the model was taught to read it, up to where its answer begins or goes on. */
export const promptText = (tokenizer: PreTrainedTokenizer, { messages, begun, schema }: SentGeneration): PromptText => {
  const conversation = messages.map(({ role, content }) => ({ role, content }));
  if (!tokenizer.chat_template) return { text: transcript(conversation) + begun, bare: true, stops: STOPS };
  const options = {
    tokenize: false as const,
    add_generation_prompt: true,
    // No thoughts before a form is filled in, nor in the middle of an answer.
    ...(schema !== null || (begun !== '' && !begun.startsWith('<think>')) ? { enable_thinking: false } : {}),
  };
  return { text: tokenizer.apply_chat_template(conversation, options) + begun, bare: false, stops: [] };
};

const NAMES: Readonly<Record<string, string>> = { user: 'User: ', assistant: 'Assistant: ', system: '' };
const STOPS: readonly string[] = ['\nUser:', '\nAssistant:'];

/** A model without a chat template was taught none; a transcript it can go on with. */
const transcript = (messages: readonly { role: string; content: string }[]): string =>
  `${messages.map(({ role, content }) => `${NAMES[role] ?? ''}${content}\n${role === 'system' ? '\n' : ''}`).join('')}Assistant:`;
