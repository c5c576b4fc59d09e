import * as z from 'zod/mini';
import type { ChatMessage } from '../../domain/context.ts';
import { parsedJson } from '../../domain/expectation.ts';
import { spokenOf } from '../../domain/reply.ts';
import { ModelFailure } from '../../engine/model-failure.ts';
import type { GenerationRequest, TextGenerator } from '../runtimes/runtime.ts';
import { THINKING_TOKENS, thinkingAllowance } from './prompts.ts';

/** Maximum number of listed topics or places; a single digit names each, which is one token of an answer. */
export const MOST_CHOICES = 9;

/** `continue` means the same in both questions: the message follows the last turn, with no target. */
const DeciderAnswer = z.object({
  action: z.enum(['continue', 'switch', 'create']),
  target: z.literal([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]),
});
export type DeciderAnswer = z.infer<typeof DeciderAnswer>;

const { $schema: _, ...schema } = z.toJSONSchema(DeciderAnswer);

/** One schema for both questions, because grammar engines take time to compile a new one and cache it. */
export const CHOICE_SCHEMA: object = schema;

/** Tokens of the longest answer, including white space, even if each token is a single character. */
export const CHOICE_TOKENS = 96;

/** Parses every `{…}` in an answer as JSON, also inside a code fence or prose if the output was not constrained. */
export const objectsIn = (answer: string): unknown[] =>
  [...answer.matchAll(/\{[^{}]*\}/g)].map(([text]) => parsedJson(text));

/** Extracts the choice from an answer. Throws if it is unclear; the engine then uses another decider. */
export const choiceIn = (answer: string): DeciderAnswer => {
  const choices = new Map<string, DeciderAnswer>();
  for (const object of objectsIn(answer)) {
    const parsed = DeciderAnswer.safeParse(object);
    if (parsed.success) choices.set(`${parsed.data.action} ${parsed.data.target}`, parsed.data);
  }
  const [choice, ...others] = choices.values();
  if (choice === undefined) throw nonsense(answer, 'is no decision');
  if (others.length > 0) throw nonsense(answer, 'decides in two ways');
  return choice;
};

/** Maximum characters of an answer quoted in an error message. */
const QUOTED = 120;

/** An invalid answer; `fault` completes “your answer …”. */
export class InvalidAnswer extends ModelFailure {
  readonly fault: string;

  constructor(answer: string, fault: string) {
    const quoted = answer.length > QUOTED ? `${answer.slice(0, QUOTED)}…` : answer;
    super('nonsense', `The model’s answer ${fault}: “${quoted}”`);
    this.fault = fault;
  }
}

export const nonsense = (answer: string, fault: string): InvalidAnswer => new InvalidAnswer(answer, fault);

interface Question {
  readonly messages: readonly ChatMessage[];
  readonly schema: object | null;
  /** Token limit of the answer itself. */
  readonly maxTokens: number;
  /** Called with the whole text so far as it arrives. */
  readonly onRaw?: (raw: string) => void;
}

interface WholeAnswer {
  /** The complete output. */
  readonly raw: string;
  /** The output without a thinking model's reasoning. */
  readonly answer: string;
}

/** Models that reasoned although they were told not to: from then on, they have room for it at once. */
const thinksAnyway = new WeakSet<TextGenerator>();

/**
 * Prompts the model at temperature 0 and waits for the whole answer; once more with room for its reasoning if that took all of
 * the tokens. Rejects with `empty`, or with the signal's reason.
 */
export const wholeAnswer = async (
  generator: TextGenerator,
  { messages, schema, maxTokens, onRaw }: Question,
  signal: AbortSignal = new AbortController().signal,
): Promise<WholeAnswer> => {
  signal.throwIfAborted();
  const write = async (most: number) => {
    let raw = '';
    let cut = false;
    onRaw?.(raw);
    const request: GenerationRequest = {
      messages,
      begun: '',
      temperature: 0,
      topP: null,
      maxTokens: most,
      schema,
      thinking: false,
      onUsage: (usage) => {
        cut = usage.cut === true;
      },
    };
    try {
      for await (const piece of generator.generate(request, signal)) {
        raw += piece;
        onRaw?.(raw);
      }
    } catch (error) {
      // Some servers hide a model's thoughts.
      const hidden = cut && raw === '' && error instanceof ModelFailure && error.kind === 'empty';
      if (!hidden) throw error;
      return { raw, cut, answer: '', thinking: true };
    }
    signal.throwIfAborted();
    return { raw, cut, ...spokenOf(raw) };
  };
  const most = maxTokens + thinkingAllowance(generator.name);
  const more = most + THINKING_TOKENS;
  const knew = thinksAnyway.has(generator);
  let written = await write(knew ? more : most);
  if (!knew && written.cut && written.thinking) {
    thinksAnyway.add(generator);
    written = await write(more);
  }
  const answer = written.answer.trim();
  if (answer === '') throw new ModelFailure('empty', `${generator.name} gave no answer.`);
  return { raw: written.raw, answer };
};
