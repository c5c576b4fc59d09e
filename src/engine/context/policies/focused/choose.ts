import type { Node } from '../../../../domain/forest.ts';
import type { Form } from './forms.ts';

/** A turn that can go in, the forms that it can take, and the one that it has: an index, −1 for none. */
export interface Item {
  readonly node: Node;
  readonly place: 'path' | 'elsewhere';
  /** How much need it must be worth for every hundred tokens. */
  readonly from: number;
  /** Shortest first. */
  readonly forms: readonly Form[];
  at: number;
}

/** Tokens, together and by place; and how much need, for every hundred tokens, a turn of elsewhere must be worth. */
export interface Limits {
  readonly total: number;
  readonly path: number;
  readonly elsewhere: number;
  readonly elsewhereFrom: number;
}

export const costOf = ({ forms, at }: Item, to = at): number => (to < 0 ? 0 : (forms[to]?.segment.tokens ?? 0));

const worthOf = ({ forms }: Item, at: number): number => (at < 0 ? 0 : (forms[at]?.worth ?? 0));

/** A short text is no bargain for being short: what is fetched counts as so many tokens at least. */
const SHORT = 50;

/**
 * Gives each turn a form, so that within the limits as much of what the message needs is expected as can be had for the tokens: again
 * and again the change that brings most for each. What items have already stays and counts.
 */
export const choose = (items: readonly Item[], limits: Limits): void => {
  const left = { path: limits.path, elsewhere: limits.elsewhere };
  let total = limits.total;
  for (const item of items) {
    left[item.place] -= costOf(item);
    total -= costOf(item);
  }
  for (;;) {
    let best: { readonly item: Item; readonly to: number } | null = null;
    let most = 0;
    for (const item of items) {
      for (let to = item.at + 1; to < item.forms.length; to++) {
        const more = costOf(item, to) - costOf(item);
        if (more > left[item.place] || more > total) continue;
        const gain = worthOf(item, to) - worthOf(item, item.at);
        const rate = gain / Math.max(item.place === 'elsewhere' ? SHORT : 1, more);
        if (rate <= most || 100 * rate < item.from) continue;
        [best, most] = [{ item, to }, rate];
      }
    }
    if (best === null) return;
    const more = costOf(best.item, best.to) - costOf(best.item);
    left[best.item.place] -= more;
    total -= more;
    best.item.at = best.to;
  }
};
