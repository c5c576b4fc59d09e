import type { ChatMessage } from '../../domain/context.ts';
import { answerOf } from '../../domain/reasoning.ts';
import { ModelFailure } from '../../engine/model-failure.ts';
import type { TextGenerator } from '../runtimes/text-generator.ts';
import { thinkingAllowance } from './prompts.ts';

export interface Question {
  readonly messages: readonly ChatMessage[];
  readonly schema: object | null;
  /** Tokens that the answer itself may take. */
  readonly maxTokens: number;
  /** Called with all that has come, as it comes. */
  readonly onRaw?: (raw: string) => void;
}

export interface WholeAnswer {
  /** All that the model said. */
  readonly raw: string;
  /** Without the reasoning of a thinking model. */
  readonly answer: string;
}

/** Asks and waits for the whole answer, the likeliest one. Rejects with `empty`, or with the signal's reason. */
export const wholeAnswer = async (
  generator: TextGenerator,
  { messages, schema, maxTokens, onRaw }: Question,
  signal: AbortSignal = new AbortController().signal,
): Promise<WholeAnswer> => {
  signal.throwIfAborted();
  const request = {
    messages,
    begun: '',
    temperature: 0,
    topP: null,
    maxTokens: maxTokens + thinkingAllowance(generator.name),
    schema,
  };
  let raw = '';
  onRaw?.(raw);
  for await (const piece of generator.generate(request, signal)) {
    raw += piece;
    onRaw?.(raw);
  }
  signal.throwIfAborted();
  const answer = answerOf(raw).trim();
  if (answer === '') throw new ModelFailure('empty', `${generator.name} gave no answer.`);
  return { raw, answer };
};
