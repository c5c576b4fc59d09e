import { counted } from '../../ui/parts/format.ts';
import type { Found } from './search.ts';

/** What came of a search, in one line: how much, and what it could not look at. */
export const foundWords = (found: Found, busy: boolean): string => {
  const { hits, total, turns, wordsOnly, meaningFailed, unread } = found;
  const much =
    total === 0
      ? `Nothing in ${counted(turns, 'turn')}${busy ? ' so far' : ''}`
      : `${counted(total, 'turn')}${hits.length < total ? `, the first ${hits.length} shown` : ''}`;
  const parts = [much];
  if (wordsOnly !== null && wordsOnly > 0) {
    const one = wordsOnly === 1;
    parts.push(
      `${counted(wordsOnly, 'turn')} could be found by ${one ? 'its' : 'their'} words only: open ${one ? 'its' : 'their'} conversation to compare ${one ? 'it' : 'them'} by meaning, too`,
    );
  }
  if (meaningFailed !== null) parts.push(`words only, for meaning could not be compared: ${meaningFailed}`);
  if (unread > 0) parts.push(`${counted(unread, 'conversation')} could not be read`);
  return `${parts.join('; ').replace(/\.$/, '')}.`;
};
