/*
 * What `recall` says in its own words. Others tell its replies by these openings: they hold nothing new, so
 * a summary leaves them out.
 */
const OPENINGS = [
  'I am recall, not a language model: I cannot answer, only quote what was said before.',
  'No language model is at work here, only recall: it quotes what this conversation already holds.',
  'This is recall, which is no language model and writes no answers; it finds what was said.',
] as const;

export const NOTHING_FITS =
  'Nothing said so far bears on this message. For an answer, choose a chat model in **Models**; until then I keep every turn in its place.';

export const ON_PATH = 'On this path:';
export const ELSEWHERE = 'Elsewhere in the forest:';

/** One of the openings, always the same for the same message. */
export const openingFor = (message: string): string => {
  let hash = 0;
  for (const character of message) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) >>> 0;
  return OPENINGS[hash % OPENINGS.length] ?? OPENINGS[0];
};

export const isRecalled = (reply: string): boolean => OPENINGS.some((opening) => reply.startsWith(opening));
