import * as z from 'zod/mini';
import { expectationOf } from '../../../domain/expectation.ts';
import { got, type Read } from './import-failures.ts';
import { type JsonSource, unexpected } from './json-source.ts';
import type { Script } from './script.ts';

/** One of the forms that dialogues come in. */
export interface Form {
  /** Looks only at what tells the form from others, so that a damaged file of it is still recognised. */
  recognises(item: unknown): boolean;
  read(source: JsonSource): Read<Script[]>;
}

export const has = (item: unknown, ...keys: readonly string[]): boolean =>
  typeof item === 'object' && item !== null && keys.every((key) => Object.hasOwn(item, key));

/** A form whose every item is one dialogue. */
export const dialogueForm = <S extends z.core.$ZodType>(
  recognises: (item: unknown) => boolean,
  schema: S,
  script: (item: z.output<S>) => Script,
): Form => ({
  recognises,
  read: (source) => {
    const parsed = z.array(schema).safeParse(source.items);
    return parsed.success ? got(parsed.data.map(script)) : unexpected(source, expectationOf(parsed.error));
  },
});
