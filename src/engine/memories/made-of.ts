import type { NodeId } from '../../domain/forest.ts';

/**
 * The turns that a text was made of: the newest one, and those of the texts that it was revised from, which are shared and
 * not listed again each time.
 */
export interface MadeOf {
  readonly turn: NodeId;
  readonly before: readonly MadeOf[];
}

/** Each turn once: those of the first text before, then those of the next, then its own. */
export const turnsOf = (whole: MadeOf): NodeId[] => {
  const turns: NodeId[] = [];
  const seen = new Set<MadeOf>();
  // Not by recursion: a text is revised thousands of times.
  const open: { readonly of: MadeOf; next: number }[] = [{ of: whole, next: 0 }];
  seen.add(whole);
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const earlier = top.of.before[top.next++];
    if (earlier === undefined) {
      turns.push(top.of.turn);
      open.pop();
    } else if (!seen.has(earlier)) {
      seen.add(earlier);
      open.push({ of: earlier, next: 0 });
    }
  }
  return turns;
};
