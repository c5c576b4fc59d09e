import type { Kernel } from '../../app/kernel.ts';
import type { Node, NodeId, ReplyId } from '../../domain/forest.ts';
import type { TurnContexts } from '../../engine/history/contexts-over-time.ts';
import type { CompareState } from './compare-run.ts';

/** What the others are measured against. It is always asked, for it costs nothing but counting. */
export const BASELINE = 'full-history';

/** A turn as every policy that was asked would have sent it. */
export interface ComparedTurn extends TurnContexts {
  /** The reply that the contexts are of; null for a turn that had none. */
  readonly replyId: ReplyId | null;
}

/** The policies that are asked about: those that failed are not asked again. */
export const askedOf = (names: readonly string[], failed: ReadonlyMap<string, string>): string[] =>
  [...new Set([...names, BASELINE])].filter((name) => !failed.has(name));

export const keyOf = (nodeId: NodeId, replyId: ReplyId | null): string => `${nodeId} ${replyId}`;

/** Turns that are done, of which something is not known yet. */
export const missingIn = (
  { store }: Kernel,
  { names, known, failed }: Pick<CompareState, 'names' | 'known' | 'failed'>,
  without: ReadonlySet<string>,
): Node[] => {
  const { forest, turn } = store.getState();
  const asked = askedOf(names, failed);
  return Object.values(forest.nodes).filter((node) => {
    if (node.id === turn?.nodeId || without.has(keyOf(node.id, node.replyId))) return false;
    return asked.some((name) => !isKnown(known.get(node.id), node, name));
  });
};

/** What a policy would have sent for a turn's reply is known. */
export const isKnown = (turn: ComparedTurn | undefined, { replyId }: Node, name: string): boolean =>
  turn?.replyId === replyId && turn.tokens[name] !== undefined;

/** Of the same reply both are known. */
export const joined = (before: ComparedTurn | undefined, turn: ComparedTurn): ComparedTurn =>
  before === undefined || before.replyId !== turn.replyId
    ? turn
    : { ...turn, tokens: { ...before.tokens, ...turn.tokens }, costs: { ...before.costs, ...turn.costs } };
