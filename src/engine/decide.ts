import type { Decision, Fallback } from '../domain/decision.ts';
import type { NodeId, PendingTurn } from '../domain/forest.ts';
import type { EngineCore } from './core.ts';
import { route } from './route.ts';
import type { Stopwatch } from './stopwatch.ts';
import { suggestReferences } from './suggest-references.ts';
import type { Nearness } from './views.ts';
import { realParent, visibleForest, visibleTarget } from './visible-forest.ts';
import { decidersFor } from './where-unsure.ts';

export interface Decided {
  readonly near: Nearness;
  /** Where the turn goes: under a node, or (null) as the root of a new topic. */
  readonly parentId: NodeId | null;
  readonly decision: Decision;
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
  const routed = await route({
    forest: visible,
    pending: { ...pending, target: visibleTarget(forest, visible, pending.target) },
    near,
    deciders: decidersFor(chosen, embedded.decide, core.parameters.sureFrom),
    ...routing,
    signal,
    fallbacks,
    stopwatch,
  });
  const parentId =
    pending.target?.kind === 'under' ? pending.target.nodeId : realParent(forest, visible, routed.parentId);
  const { decision } = routed;
  const references = suggestReferences(visible, near, routed.parentId);
  return decision.trace === null || references.length === 0
    ? { near, parentId, decision }
    : { near, parentId, decision: { ...decision, trace: { ...decision.trace, references } } };
};
