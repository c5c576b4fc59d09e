import * as z from 'zod/mini';
import { expectationOf } from '../../../domain/expectation.ts';
import type { Dialogue } from '../../../engine/ports.ts';
import { shortened } from '../read/source.ts';
import { got, type JsonSource, type Read, unexpected } from './json-source.ts';

/** One of the forms that dialogues come in. */
export interface Form {
  /** Looks only at what tells the form from others, so that a damaged file of it is still recognised. */
  recognises(item: unknown): boolean;
  read(source: JsonSource): Read<Script[]>;
}

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

/** What was said, in order, before it is cut into turns. */
export interface Script {
  /** null where the file gives none. */
  readonly title: string | null;
  readonly lines: readonly SpokenLine[];
}

export interface SpokenLine {
  readonly by: 'user' | 'assistant';
  readonly text: string;
}

type Turn = Dialogue['turns'][number];

/**
 * Cuts a script into turns. Where replies are given, messages sent before the reply came are one turn, and
 * so are replies in a row; where none is given anywhere, each message is a turn for the chat role to answer.
 * What an assistant says before the first message has no turn to belong to and is left out.
 */
export const turnsOf = (lines: readonly SpokenLine[]): Turn[] => {
  const said = lines.map(({ by, text }) => ({ by, text: text.trim() })).filter(({ text }) => text !== '');
  const answered = said.some(({ by }) => by === 'assistant');
  const turns: { message: string; reply: string | null }[] = [];
  for (const { by, text } of said) {
    const last = turns.at(-1);
    if (by === 'assistant') {
      if (last !== undefined) last.reply = joined(last.reply, text);
    } else if (answered && last?.reply === null) last.message = joined(last.message, text);
    else turns.push({ message: text, reply: null });
  }
  return turns;
};

const joined = (before: string | null, text: string): string => (before === null ? text : `${before}\n\n${text}`);

/** Dialogues of the scripts in which somebody says something; `name` is the file's. */
export const dialoguesOf = (name: string, scripts: readonly Script[]): Dialogue[] => {
  const stem = name.replace(/\.[^.]*$/, '').trim();
  return scripts.flatMap(({ title, lines }) => {
    const turns = turnsOf(lines);
    const [first] = turns;
    if (first === undefined) return [];
    const own = title?.trim() || (scripts.length === 1 && stem) || first.message;
    return [{ title: shortened(own), turns }];
  });
};
