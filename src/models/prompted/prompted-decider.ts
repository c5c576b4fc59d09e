import type { ChatMessage } from '../../domain/context.ts';
import type { Decider, OnAsked } from '../../engine/ports.ts';
import type { TextGenerator } from '../runtimes/text-generator.ts';
import { branchChosen, branchPrompt } from './branch-prompt.ts';
import { CHOICE_SCHEMA, CHOICE_TOKENS, choiceIn, Nonsense } from './choice.ts';
import { clip } from './clip.ts';
import { pathPrompt, YES_OR_NO_SCHEMA, yesIn } from './path-prompt.ts';
import { PROMPTS_VERSION } from './prompts.ts';
import { topicChosen, topicPrompt } from './topic-prompt.ts';
import { wholeAnswer } from './whole-answer.ts';

/** Characters of an invalid answer that the model is shown again. */
const SHOWN = 240;

interface Asking<A> {
  readonly messages: readonly ChatMessage[];
  readonly schema: object;
  /** Throws Nonsense where the answer makes no sense of the question. */
  read(answer: string, raw: string): A;
}

/**
 * Role `decide` by a language model that is asked (Context-Agent §3.3, steps 1 and 3). Gives no confidence, for a
 * model's own word on it is worth little. An answer that is not valid is asked for once more, with what is wrong with it.
 * Rejects with `nonsense` or `empty`, and the engine asks the embedded decider.
 */
export const promptedDecider = (generator: TextGenerator): Decider => {
  const name = `${generator.name}, ${PROMPTS_VERSION}`;
  const ask = async <A>(
    { messages, schema, read }: Asking<A>,
    { onAsked }: { readonly onAsked?: OnAsked },
    signal: AbortSignal | undefined,
  ) => {
    const answerTo = async (prompt: readonly ChatMessage[]) => {
      const onRaw = (raw: string): void => onAsked?.({ prompt: [...prompt], raw });
      const question = { messages: prompt, schema, maxTokens: CHOICE_TOKENS, onRaw };
      return { prompt, ...(await wholeAnswer(generator, question, signal)) };
    };
    const taken = ({ prompt, answer, raw }: Awaited<ReturnType<typeof answerTo>>) => ({
      choice: read(answer, raw),
      said: { confidence: null, reasons: [], raw, prompt: [...prompt], decider: name },
    });
    const first = await answerTo(messages);
    try {
      return taken(first);
    } catch (error) {
      if (!(error instanceof Nonsense)) throw error;
      return taken(await answerTo(corrected(messages, first.answer, error)));
    }
  };
  return {
    name,
    topic: async (question, signal) => {
      const { messages, topics } = await topicPrompt(generator, question);
      const read = (answer: string, raw: string) => topicChosen(choiceIn(answer), topics, raw);
      const { choice, said } = await ask({ messages, schema: CHOICE_SCHEMA, read }, question, signal);
      return { ...said, ...choice };
    },
    branch: async (question, signal) => {
      const { messages, offered } = await branchPrompt(generator, question);
      const read = (answer: string, raw: string) => branchChosen(choiceIn(answer), offered, raw);
      const { choice, said } = await ask({ messages, schema: CHOICE_SCHEMA, read }, question, signal);
      return { ...said, ...choice };
    },
    path: async (question, signal) => {
      const messages = await pathPrompt(generator, question);
      const { choice, said } = await ask({ messages, schema: YES_OR_NO_SCHEMA, read: yesIn }, question, signal);
      return { ...said, yes: choice };
    },
  };
};

/** The question, what was answered, and why that will not do: what was read already stays the beginning. */
const corrected = (messages: readonly ChatMessage[], answer: string, { fault }: Nonsense): ChatMessage[] => [
  ...messages,
  { role: 'assistant', content: clip(answer, SHOWN) },
  { role: 'user', content: `Your answer ${fault}. Answer the question again, with JSON only.` },
];
