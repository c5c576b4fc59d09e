import * as z from 'zod/mini';
import type { ChatMessage } from '../../domain/context.ts';
import { answerOf } from '../../domain/reply.ts';
import { ModelFailure } from '../../engine/model-failure.ts';
import type { TextGenerator } from '../runtimes/runtime.ts';
import { thinkingAllowance } from './prompts.ts';

/** Topics or places that are listed; one digit names each, which is one token of an answer. */
export const MOST_CHOICES = 9;

/** `continue` means one thing in both questions: the message goes on after the last turn, and names nothing. */
const Choice = z.object({
  action: z.enum(['continue', 'switch', 'create']),
  target: z.literal([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]),
});
export type Choice = z.infer<typeof Choice>;

const { $schema: _, ...schema } = z.toJSONSchema(Choice);

/** One schema for both questions: grammar engines take their time over a new one, and keep it. */
export const CHOICE_SCHEMA: object = schema;

/** Tokens of the longest answer, white space included, also where a token is a single letter. */
export const CHOICE_TOKENS = 96;

/** What an answer has in braces, also out of a code fence or amid prose, where nothing constrained it; as JSON, where it is. */
export const objectsIn = (answer: string): unknown[] =>
  [...answer.matchAll(/\{[^{}]*\}/g)].map(([text]) => jsonOf(text));

/** The choice that an answer makes. Rejects what is unclear: the engine has another decider. */
export const choiceIn = (answer: string): Choice => {
  const choices = new Map<string, Choice>();
  for (const object of objectsIn(answer)) {
    const parsed = Choice.safeParse(object);
    if (parsed.success) choices.set(`${parsed.data.action} ${parsed.data.target}`, parsed.data);
  }
  const [choice, ...others] = choices.values();
  if (choice === undefined) throw nonsense(answer, 'is no decision');
  if (others.length > 0) throw nonsense(answer, 'decides in two ways');
  return choice;
};

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Characters of an answer that are quoted where it is complained about. */
const QUOTED = 120;

/** An answer that came and is not valid; `fault` is what follows “your answer”. */
export class Nonsense extends ModelFailure {
  readonly fault: string;

  constructor(answer: string, fault: string) {
    const quoted = answer.length > QUOTED ? `${answer.slice(0, QUOTED)}…` : answer;
    super('nonsense', `The model’s answer ${fault}: “${quoted}”`);
    this.fault = fault;
  }
}

export const nonsense = (answer: string, fault: string): Nonsense => new Nonsense(answer, fault);

interface Question {
  readonly messages: readonly ChatMessage[];
  readonly schema: object | null;
  /** Tokens that the answer itself may take. */
  readonly maxTokens: number;
  /** Called with all that has come, as it comes. */
  readonly onRaw?: (raw: string) => void;
}

interface WholeAnswer {
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
