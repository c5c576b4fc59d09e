import type { Target } from '../../domain/decision.ts';
import type { Forest, NodeId } from '../../domain/forest.ts';
import { nodeOf, outermost, subtree } from '../../domain/queries.ts';
import { counted } from '../parts/format.ts';

/** What letting go of dragged turns would do. */
export interface Drop {
  readonly target: Target;
  /** Those that would move, each with all under it; the others hang there already, or go along. */
  readonly moving: readonly NodeId[];
  /** Why it cannot be done, in words; null if it can. */
  readonly refusal: string | null;
}

/** The turns and all under them. */
export const familyOf = (forest: Forest, ids: readonly NodeId[]): ReadonlySet<NodeId> =>
  new Set(outermost(forest, ids).flatMap((id) => subtree(forest, id).map((node) => node.id)));

/** Dragged turns over a card, or over open ground (null), where each begins a topic of its own. */
export const dropOn = (
  forest: Forest,
  ids: readonly NodeId[],
  family: ReadonlySet<NodeId>,
  over: NodeId | null,
): Drop => {
  const target: Target = over === null ? { kind: 'new-topic' } : { kind: 'under', nodeId: over };
  const heads = outermost(forest, ids);
  const moving = heads.filter((id) => nodeOf(forest, id).parentId !== over);
  return { target, moving, refusal: refusalOf(forest, heads, moving, family, over) };
};

const refusalOf = (
  forest: Forest,
  heads: readonly NodeId[],
  moving: readonly NodeId[],
  family: ReadonlySet<NodeId>,
  over: NodeId | null,
): string | null => {
  const one = heads.length === 1;
  const what = one ? `Turn ${nodeOf(forest, heads[0] as NodeId).number}` : 'They';
  if (over === null) {
    if (moving.length > 0) return null;
    return one ? `${what} begins a topic already.` : 'Each begins a topic already.';
  }
  const { number } = nodeOf(forest, over);
  if (heads.includes(over)) return `Turn ${number} cannot hang from itself.`;
  if (family.has(over)) return `Turn ${number} is a descendant of what you drag: it would hang from itself.`;
  if (moving.length > 0) return null;
  return `${what} ${one ? 'hangs' : 'hang'} from turn ${number} already.`;
};

/** `Turn 3 with 4 below`, `3 turns`: what is being dragged. */
export const carriedInWords = (forest: Forest, ids: readonly NodeId[], family: ReadonlySet<NodeId>): string => {
  const heads = outermost(forest, ids);
  const below = family.size - heads.length;
  const [first] = heads;
  const what =
    heads.length === 1 && first !== undefined ? `Turn ${nodeOf(forest, first).number}` : counted(heads.length, 'turn');
  return below === 0 ? what : `${what} with ${below} below`;
};

export const targetInWords = (forest: Forest, { target, moving }: Drop): string =>
  target.kind === 'under'
    ? `under turn ${nodeOf(forest, target.nodeId).number}`
    : moving.length > 1
      ? 'to topics of their own'
      : 'to a topic of its own';
