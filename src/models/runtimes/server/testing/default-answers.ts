import type { Requested } from './requested.ts';
import type { Answer } from './streamed.ts';

/** Repeats the message; asked for an answer in a form, gives the first that fits it. */
export const echo = ({ body }: Requested): Answer => {
  const { response_format: format, messages } = body;
  if (format?.type === 'json_schema') {
    return { text: JSON.stringify(firstOf(format.json_schema.schema)), reasoning: null };
  }
  const { content } = messages.findLast(({ role }: { role: string }) => role === 'user') ?? { content: '' };
  return { text: `You said: ${content}`, reasoning: null };
};

interface Schema {
  readonly properties?: Record<string, Schema>;
  readonly enum?: readonly unknown[];
}

const firstOf = ({ properties, enum: values }: Schema): unknown =>
  properties === undefined
    ? (values?.[0] ?? '')
    : Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, firstOf(property)]));

const DIMENSIONS = 16;

/** How often each letter is in the text, roughly: the same text has the same vector, and no vector is normalised. */
export const lettersOf = (text: string): number[] => {
  const vector = Array<number>(DIMENSIONS).fill(0.1);
  for (const letter of text) {
    const at = (letter.codePointAt(0) ?? 0) % DIMENSIONS;
    vector[at] = (vector[at] as number) + 1;
  }
  return vector;
};
