import type { Forest, NodeId } from '../../domain/forest.ts';
import { replyOf } from '../../domain/queries.ts';
import type { Cost } from '../../engine/context/cost.ts';
import { BASELINE, type ComparedTurn } from './compare-turns.ts';

/** Who wrote a reply that came with its dialogue. */
const GIVEN = 'given';

/** What a policy would have sent for a turn, and what its own bookkeeping cost for that. */
export interface Spent extends Cost {
  readonly tokens: number;
}

/** A turn of the comparison. */
export interface CompareRow {
  readonly nodeId: NodeId;
  readonly number: number;
  readonly message: string;
  /** The policy that the turn was really sent under; null where nothing was sent. */
  readonly sent: string | null;
  /** Name of the tokenizer that counted. */
  readonly unit: string;
  /** By the name of the policy; what is not known is left out. */
  readonly by: Readonly<Record<string, Spent>>;
}

/** The turns that are known, in the order in which they were sent. */
export const compareRows = (forest: Forest, known: ReadonlyMap<NodeId, ComparedTurn>): CompareRow[] =>
  Object.values(forest.nodes)
    .flatMap((node): CompareRow[] => {
      const turn = known.get(node.id);
      if (turn === undefined || turn.replyId !== node.replyId) return [];
      const { tokens, costs, sent, unit } = turn;
      const by = Object.fromEntries(
        Object.entries(tokens).flatMap(([name, count]) => {
          const cost = costs[name];
          return cost === undefined ? [] : [[name, { tokens: count, ...cost }]];
        }),
      );
      // For a reply that an imported dialogue brought along nothing was sent.
      const really = replyOf(node)?.model === GIVEN ? null : sent;
      return [{ nodeId: node.id, number: node.number, message: node.message, sent: really, unit, by }];
    })
    .sort((a, b) => a.number - b.number);

/** A policy over all turns of which it is known. */
export interface Sums extends Spent {
  readonly turns: number;
  /** Its tokens against those of the whole history over the same turns; null where there are none. */
  readonly share: number | null;
}

export const sumsOf = (rows: readonly CompareRow[], name: string): Sums => {
  const sums = { turns: 0, tokens: 0, calls: 0, read: 0, ms: 0 };
  let against = 0;
  for (const { by } of rows) {
    const spent = by[name];
    const whole = by[BASELINE];
    if (spent === undefined || whole === undefined) continue;
    sums.turns += 1;
    sums.tokens += spent.tokens;
    sums.calls += spent.calls;
    sums.read += spent.read;
    sums.ms += spent.ms;
    against += whole.tokens;
  }
  return { ...sums, share: against === 0 ? null : sums.tokens / against };
};
