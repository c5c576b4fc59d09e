import { readable } from '../../../engine/text/readable.ts';
import { languageSpoken } from '../../../engine/text/spoken-language.ts';
import { startOf } from '../../../engine/vectors/embedding-text.ts';
import type { LabelledTurn } from '../datasets/labelled-dialogue.ts';

/** A text's vector, looked up; zeros for the empty text. Throws for a text that was not embedded. */
export type VectorOf = (text: string) => Float32Array;

/**
 * Every text of a dialogue whose vector a replay asks for: messages and the beginnings of replies, as they are and as the embedder reads
 * them. Like the replay itself, it waits for no glossary: `loadGlossaries` goes before.
 */
export const textsIn = ({ turns }: { readonly turns: readonly Pick<LabelledTurn, 'message' | 'reply'>[] }): string[] =>
  turns.flatMap(({ message, reply }, at) => {
    const spoken = languageSpoken(turns.slice(0, at + 1).map((turn) => turn.message));
    const start = startOf(reply ?? '');
    return [message, readable(message, spoken), start, readable(start, spoken)].filter((text) => text !== '');
  });
