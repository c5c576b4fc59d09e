import type { Decision, Fallback } from '../../domain/decision.ts';
import type { NodeId, PendingTurn } from '../../domain/forest.ts';
import { realParent, visibleForest, visibleTarget } from '../context/visible-forest.ts';
import type { EngineCore } from '../core.ts';
import { Stopwatch } from '../stopwatch.ts';
import { route } from './route.ts';
import { suggestReferences } from './suggest-references.ts';
import type { Nearness } from './views.ts';
import { decidersFor } from './where-unsure.ts';

export interface Decided {
  readonly near: Nearness;
  /** Where the turn goes: under a node, or (null) as the root of a new topic. */
  readonly parentId: NodeId | null;
  readonly decision: Decision;
  /** Where the embedded decider would have put a message whose place the person chose; left out where nobody chose. */
  readonly engineParentId?: NodeId | null;
}

/**
 * Says where a message that waits goes (Context-Agent §3.3, steps 1 to 3), and changes nothing. Hidden turns are not
 * there for it. Rejects if the signal fires.
 */
export const decide = async (
  core: EngineCore,
  pending: PendingTurn,
  stopwatch: Stopwatch,
  signal: AbortSignal,
): Promise<Decided> => {
  const { models, embedded } = core.parts;
  const chosen = models();
  const { routing } = core;
  const fallbacks: Fallback[] = [];
  const near = await stopwatch.time('embed', () => core.nearness(pending.message, signal, fallbacks));
  const forest = core.host.forest();
  const visible = visibleForest(forest);
  const asked = { forest: visible, near, ...routing, signal };
  const routed = await route({
    ...asked,
    pending: { ...pending, target: visibleTarget(forest, visible, pending.target) },
    deciders: decidersFor(chosen, embedded.decide, core.parameters.sureFrom),
    fallbacks,
    stopwatch,
  });
  const parentId =
    pending.target?.kind === 'under' ? pending.target.nodeId : realParent(forest, visible, routed.parentId);
  const { decision } = routed;
  const references = suggestReferences(visible, near, routed.parentId);
  const decided = {
    near,
    parentId,
    decision:
      decision.trace === null || references.length === 0
        ? decision
        : { ...decision, trace: { ...decision.trace, references } },
  };
  // The first turn opens a topic whatever is said.
  if (pending.target?.chosen !== true || visible.active === null) return decided;
  // A label says both: what the person chose, and what would have come of not choosing. No language model is kept busy for that.
  const unasked = await route({
    ...asked,
    pending: { ...pending, target: null },
    deciders: [embedded.decide],
    fallbacks: [],
    stopwatch: new Stopwatch(core.parts.now),
  });
  return { ...decided, engineParentId: realParent(forest, visible, unasked.parentId) };
};
