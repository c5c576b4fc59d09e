import type { ChatMessage } from '../../../domain/context.ts';
import type { Decider, OnAsked } from '../../../engine/ports.ts';
import type { TextGenerator } from '../runtimes/text-generator.ts';
import { branchChosen, branchPrompt } from './branch-prompt.ts';
import { CHOICE_SCHEMA, CHOICE_TOKENS, choiceIn } from './choice.ts';
import { pathPrompt, YES_OR_NO_SCHEMA, yesIn } from './path-prompt.ts';
import { PROMPTS_VERSION } from './prompts.ts';
import { topicChosen, topicPrompt } from './topic-prompt.ts';
import { wholeAnswer } from './whole-answer.ts';

const CHOICE = { schema: CHOICE_SCHEMA, read: choiceIn };
const YES_OR_NO = { schema: YES_OR_NO_SCHEMA, read: yesIn };

/**
 * Role `decide` by a language model that is asked (Context-Agent §3.3, steps 1 and 3). Gives no confidence, for a
 * model's own word on it is worth little. Rejects with `nonsense` or `empty`, and the engine asks the embedded decider.
 */
export const promptedDecider = (generator: TextGenerator): Decider => {
  const name = `${generator.name}, ${PROMPTS_VERSION}`;
  const ask = async <A>(
    messages: readonly ChatMessage[],
    { onAsked }: { readonly onAsked?: OnAsked },
    signal: AbortSignal | undefined,
    { schema, read }: { readonly schema: object; readonly read: (answer: string) => A },
  ) => {
    const onRaw = (raw: string): void => onAsked?.({ prompt: [...messages], raw });
    const question = { messages, schema, maxTokens: CHOICE_TOKENS, onRaw };
    const { raw, answer } = await wholeAnswer(generator, question, signal);
    return { choice: read(answer), said: { confidence: null, reasons: [], raw, prompt: [...messages], decider: name } };
  };
  return {
    name,
    topic: async (question, signal) => {
      const { messages, topics } = await topicPrompt(generator, question);
      const { choice, said } = await ask(messages, question, signal, CHOICE);
      return { ...said, ...topicChosen(choice, topics, said.raw) };
    },
    branch: async (question, signal) => {
      const { messages, offered } = await branchPrompt(generator, question);
      const { choice, said } = await ask(messages, question, signal, CHOICE);
      return { ...said, ...branchChosen(choice, offered, said.raw) };
    },
    path: async (question, signal) => {
      const messages = await pathPrompt(generator, question);
      const { choice, said } = await ask(messages, question, signal, YES_OR_NO);
      return { ...said, yes: choice };
    },
  };
};
