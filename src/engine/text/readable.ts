import type { Forest } from '../../domain/forest.ts';
import { inEnglish, knownGlossary } from './glossary.ts';
import { languageSpoken, MESSAGES_HEARD } from './spoken-language.ts';

/** The last messages of a conversation, in order of time: enough to tell the language that the person writes in. */
export const latestMessages = ({ nodes, turnCount }: Forest): string[] =>
  Object.values(nodes)
    .filter(({ number }) => number > turnCount - MESSAGES_HEARD)
    .sort((a, b) => a.number - b.number)
    .map(({ message }) => message);

/** The language that a message is in that follows others; null where it cannot be told. */
export const spokenWith = (before: readonly string[], message: string): string | null =>
  languageSpoken([...before, message]);

/**
 * A text as an embedder that knows English alone is given it: of another language, the one that is `spoken`, word by word in
 * English, where that has a glossary which has been read (`loadGlossary`).
 */
export const readable = (text: string, spoken: string | null): string => {
  const glossary = knownGlossary(spoken);
  return glossary === null ? text : inEnglish(text, glossary) || text;
};
