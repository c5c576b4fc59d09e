import { isStopWord, wordCount } from '../../../engine/text/words.ts';

const BREAKS =
  /(?:[,;:]|\s[–—-]|\s(?=\())\s*|\s(?=(?:because|so that|so|which|where|while|although|since|but|and (?:then|also|i|we)|in order to|such as|including)\s)/gi;

/** "To save time, …": what stands before the main clause, the first to go. */
const INTRODUCTION =
  /^(?:to|in|for|with|if|when|at|by|as|on|from|upon|while|after|before|during|beginning)\b[^,]{3,90}, (.+)$/i;

/** Letters a word may have on the mean, its space included. */
const LONGEST_WORD = 14;

/**
 * At most `most` words of a clause: whole if it fits, else up to the last break that leaves at least half of
 * the words, else up to a word with meaning and an ellipsis.
 */
export const shortened = (clause: string, most: number): string => {
  // Bounds what has no spaces: a hash, a script without them.
  if (clause.length > Math.max(60, wordCount(clause) * LONGEST_WORD)) return cutTo(clause, most * 8);
  const text = wordCount(clause) <= most ? clause : clause.replace(/\s*\([^()]*\)/g, '').trim();
  if (wordCount(text) <= most) return text;
  const main = INTRODUCTION.exec(text)?.[1];
  if (main !== undefined && wordCount(main) > 3) return shortened(main.slice(0, 1).toUpperCase() + main.slice(1), most);
  const cut = [...text.matchAll(BREAKS)]
    .map(({ index }) => text.slice(0, index))
    .filter((part) => wordCount(part) <= most && wordCount(part) >= most / 2)
    .at(-1);
  if (cut !== undefined) return balanced(cut);
  const words = text.split(/\s+/).slice(0, most);
  while (words.length > 3 && isStopWord((words.at(-1) ?? '').replace(/[^\p{L}]/gu, ''))) words.pop();
  const kept = words.join(' ').replace(/[,;:–—-]+$/, '');
  return cutTo(kept, most * 8);
};

const cutTo = (text: string, length: number): string => {
  const kept = text.slice(0, length).trimEnd();
  return `${kept} …${isOpen(kept) ? '”' : ''}`;
};

/** A quotation that was cut is closed again. */
const balanced = (text: string): string => (isOpen(text) ? `${text} …”` : text);

const isOpen = (text: string): boolean => text.split('“').length > text.split('”').length;
