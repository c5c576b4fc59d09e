import { startOf } from '../engine/embedding-text.ts';
import { loadGlossaries } from '../engine/text/glossary.ts';
import { readable } from '../engine/text/readable.ts';
import { languageSpoken } from '../engine/text/spoken-language.ts';
import type { LabelledTurn } from './labelled-dialogue.ts';

// Replays put texts into English without waiting for anything.
await loadGlossaries();

/** Every text of a dialogue whose vector a replay asks for: messages and the beginnings of replies, as they are and as the embedder reads them. */
export const textsIn = ({ turns }: { readonly turns: readonly Pick<LabelledTurn, 'message' | 'reply'>[] }): string[] =>
  turns.flatMap(({ message, reply }, at) => {
    const spoken = languageSpoken(turns.slice(0, at + 1).map((turn) => turn.message));
    const start = startOf(reply ?? '');
    return [message, readable(message, spoken), start, readable(start, spoken)];
  });
