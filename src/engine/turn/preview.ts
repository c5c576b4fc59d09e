import { applyEntries } from '../../domain/apply.ts';
import type { Attachment } from '../../domain/attachment.ts';
import type { Target } from '../../domain/decision.ts';
import { type Entry, LOG_VERSION } from '../../domain/entry.ts';
import type { Forest, Node } from '../../domain/forest.ts';
import { handle, type Intent, type IntentOutcome } from '../../domain/handle.ts';
import { nodeOf } from '../../domain/queries.ts';
import type { ShownContext } from '../context/context-text.ts';
import type { EngineCore, Host } from '../core.ts';
import { Stopwatch } from '../tasks.ts';
import { decide } from './decide.ts';
import { contextFor } from './reply.ts';

/** Where an unsent message would go, why, and what would be sent for it. */
export interface Preview extends ShownContext {
  /** The turn in its place in `forest`, with the decision that put it there and without a reply. */
  readonly node: Node;
}

/**
 * Previews what sending a message now would do: the turn is decided, placed and given its context just as on sending,
 * on a copy of the forest. Nothing is committed, and only vectors and token counts are kept. Null for a message that
 * cannot be sent now. Rejects if the signal fires or tokens cannot be counted.
 */
export const preview = async (
  core: EngineCore,
  message: string,
  target: Target | null,
  signal: AbortSignal,
  attachments: readonly Attachment[] = [],
): Promise<Preview | null> => {
  const { newId, now, models } = core.parts;
  const host = new ScratchHost(core.host);
  const scratch = core.on(host);
  const nodeId = newId();
  const step = newId();
  const event = { type: 'message-sent' as const, nodeId, message, given: null, target };
  const sent = await scratch.record(
    attachments.length === 0 ? event : { ...event, attachments: [...attachments] },
    step,
  );
  const pending = host.forest().pending[nodeId];
  if (!sent.ok || pending === undefined) return null;
  const stopwatch = new Stopwatch(now);
  const { near, place } = await decide(scratch, pending, stopwatch, signal);
  signal.throwIfAborted();
  const fresh = { treeId: newId(), branchId: newId() };
  const placed = await host.commit({ type: 'place', nodeId, fresh, ...place });
  if (!placed.ok) return null;
  const context = await contextFor(scratch, { nodeId, near, stopwatch, chat: models().chat }, signal);
  signal.throwIfAborted();
  return { node: nodeOf(host.forest(), nodeId), context, forest: host.forest() };
};

/** A host whose changes affect only its own forest, to try out their outcome. */
class ScratchHost implements Host {
  readonly time: Host['time'];
  #forest: Forest;

  constructor(host: Host) {
    this.time = () => host.time();
    this.#forest = host.forest();
  }

  forest(): Forest {
    return this.#forest;
  }

  async commit(intent: Intent): Promise<IntentOutcome> {
    const handled = handle(this.#forest, intent);
    if (!handled.ok) return handled;
    const entries = handled.events.map(
      (event): Entry => ({ v: LOG_VERSION, seq: 1, at: this.time(), step: handled.step, event }),
    );
    this.#forest = applyEntries(this.#forest, entries);
    return handled;
  }

  received(): void {
    // No replies here.
  }

  phase(): void {
    // No one is listening.
  }
}
