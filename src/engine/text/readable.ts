import { inEnglish, knownGlossary } from './glossary.ts';

/**
 * A text as an embedder that knows English alone is given it: of another language, the one that is `spoken`, word by word in
 * English, where that has a glossary which has been read (`loadGlossary`).
 */
export const readable = (text: string, spoken: string | null): string => {
  const glossary = knownGlossary(spoken);
  return glossary === null ? text : inEnglish(text, glossary) || text;
};
