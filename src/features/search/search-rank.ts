import { fitOf, type Term } from '../../app/search-words.ts';
import type { TurnText, Where } from './search-texts.ts';

/** What a word counts where it stands: most in what the person wrote themselves. */
const WEIGHT: Readonly<Record<Where, number>> = { message: 4, note: 4, summary: 3, reply: 2 };
/** In the title of the topic or branch above the turn. */
const IN_TITLE = 1;
/** A phrase that stands there as it was sought counts more than its words. */
const PHRASE = 1.5;

export interface Match {
  readonly score: number;
  /** The text that has the words best. */
  readonly where: Where;
}

/** How well a turn has all the terms; null if it lacks one, or if only the titles above it have them. */
export const matchOf = (turn: TurnText, terms: readonly Term[]): Match | null => {
  const byField = new Map<Where, number>();
  let score = 0;
  for (const term of terms) {
    let best = 0;
    for (const { where, folded } of turn.fields) {
      const worth = fitOf(folded, term) * WEIGHT[where] * (term.phrase ? PHRASE : 1);
      if (worth > 0) byField.set(where, (byField.get(where) ?? 0) + worth);
      best = Math.max(best, worth);
    }
    if (best === 0) best = fitOf(turn.titles, term) * IN_TITLE;
    if (best === 0) return null;
    score += best;
  }
  const [foremost] = [...byField].sort((a, b) => b[1] - a[1]);
  return foremost === undefined ? null : { score, where: foremost[0] };
};
