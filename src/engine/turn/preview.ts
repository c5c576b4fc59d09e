import type { Target } from '../../domain/decision.ts';
import type { Node } from '../../domain/forest.ts';
import { nodeOf } from '../../domain/queries.ts';
import type { ShownContext } from '../context/shown-context.ts';
import type { EngineCore } from '../core.ts';
import { decide } from '../place/decide.ts';
import { Stopwatch } from '../stopwatch.ts';
import { contextFor } from './reply.ts';
import { ScratchHost } from './scratch-host.ts';

/** Where a message that was not sent would go, why, and what would be sent for it. */
export interface Preview extends ShownContext {
  /** The turn in its place in `forest`, with the decision that put it there; it has no reply. */
  readonly node: Node;
}

/**
 * What would happen if a message were sent now: the turn is decided, placed and given its context just as on sending,
 * on a copy of the forest. Nothing is committed, and nothing but vectors and token counts is kept. Null for a message
 * that cannot be sent now. Rejects if the signal fires, or where tokens cannot be counted.
 */
export const preview = async (
  core: EngineCore,
  message: string,
  target: Target | null,
  signal: AbortSignal,
): Promise<Preview | null> => {
  const { newId, now, models } = core.parts;
  const host = new ScratchHost(core.host.forest());
  const scratch = core.on(host);
  const nodeId = newId();
  const step = newId();
  const sent = await scratch.record({ type: 'message-sent', nodeId, message, given: null, target }, step);
  const pending = host.forest().pending[nodeId];
  if (!sent.ok || pending === undefined) return null;
  const stopwatch = new Stopwatch(now);
  const { near, ...decided } = await decide(scratch, pending, stopwatch, signal);
  signal.throwIfAborted();
  const fresh = { treeId: newId(), branchId: newId() };
  const placed = await host.commit({ type: 'place', nodeId, fresh, ...decided });
  if (!placed.ok) return null;
  const context = await contextFor(scratch, { nodeId, near, stopwatch, chat: models().chat });
  signal.throwIfAborted();
  return { node: nodeOf(host.forest(), nodeId), context, forest: host.forest() };
};
