import * as z from 'zod/mini';
import { type JsonSource, readJson, unexpected } from '../../../app/json-source.ts';
import { expectationOf } from '../../../domain/expectation.ts';

/** A file of labelled dialogues that is not in its set's public form; says the line and what was expected there. */
export class BrokenLabels extends Error {}

/** The elements of a JSON list, the lines of JSON lines, or one object alone, each as the schema has it. */
export const itemsOf = <S extends z.core.$ZodType>(text: string, schema: S): z.output<S>[] =>
  itemsWithLines(text, schema).map(({ item }) => item);

/** The same, each with what says of its own accord what is wrong with it. */
export const itemsWithLines = <S extends z.core.$ZodType>(
  text: string,
  schema: S,
): { item: z.output<S>; broken: (what: string) => BrokenLabels }[] => {
  const source = sourceOf(text);
  const parsed = z.array(schema).safeParse(source.items);
  if (!parsed.success) {
    const read = unexpected(source, expectationOf(parsed.error));
    throw new BrokenLabels(read.ok ? 'not in the expected form' : read.failure.message);
  }
  return parsed.data.map((item, at) => ({
    item,
    broken: (what) => new BrokenLabels(`Line ${source.lineOf([at])}: ${what}.`),
  }));
};

const sourceOf = (text: string): JsonSource => {
  const read = readJson(text.replace(/^\uFEFF/, ''));
  if (!read.ok) throw new BrokenLabels(read.failure.message);
  return read.value;
};
