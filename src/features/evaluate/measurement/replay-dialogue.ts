import { apply } from '../../../domain/apply.ts';
import { type Entry, LOG_VERSION } from '../../../domain/entry.ts';
import { emptyForest, type Forest, type Node } from '../../../domain/forest.ts';
import { type Handled, handle, type Intent } from '../../../domain/handle.ts';
import { pendingTurn } from '../../../domain/queries.ts';
import type { Policy } from '../../../engine/context/policy.ts';
import { Engine } from '../../../engine/engine.ts';
import type { Dialogue, Models } from '../../../engine/ports.ts';
import { SHIPPED_SETTINGS } from '../../../engine/settings.ts';

/** Milliseconds: nobody waits for it, and on a busy machine no model fails for want of time. */
const UNHURRIED = 3_600_000;

/** A dialogue that was played, and its log. */
export interface Played {
  readonly forest: Forest;
  readonly entries: readonly Entry[];
}

/**
 * Plays a dialogue through the engine itself, as the app does, with nothing stored; under the policy that ships where none
 * is given. Rejects where a turn finds no place, and with what `after` throws, which looks at every turn when it is done.
 */
export const replayDialogue = async (
  dialogue: Dialogue,
  models: Models,
  policy: Policy = SHIPPED_SETTINGS.policy,
  after: (node: Node) => void = () => undefined,
): Promise<Played> => {
  const forest = emptyForest();
  const entries: Entry[] = [];
  let ids = 0;
  const newId = () => `id${++ids}`;
  const commit = async (intent: Intent): Promise<Handled> => {
    const handled = handle(forest, intent);
    if (!handled.ok) return handled;
    for (const event of handled.events) {
      const seq = entries.length + 1;
      const entry: Entry = { v: LOG_VERSION, seq, at: seq, step: handled.step, event };
      entries.push(entry);
      apply(forest, entry);
    }
    return handled;
  };
  const engine = new Engine(
    {
      models: () => models,
      embedded: models,
      vectors: { readVectors: async (_, hashes) => hashes.map(() => undefined), saveVectors: async () => undefined },
      settings: () => ({ ...SHIPPED_SETTINGS, policy, parameters: { patience: UNHURRIED } }),
      now: () => performance.now(),
      newId,
    },
    // It changes in place, and a host's forest does not.
    {
      forest: () => ({ ...forest, nodes: { ...forest.nodes }, trees: { ...forest.trees } }),
      commit,
      received: () => undefined,
      phase: () => undefined,
    },
  );
  for (const { message, reply } of dialogue.turns) {
    const event = { type: 'message-sent' as const, nodeId: newId(), message, given: reply, target: null };
    const sent = await commit({ type: 'record', event, step: newId() });
    const pending = pendingTurn(forest);
    if (!sent.ok || pending === null) throw new Error(`a message was refused: ${sent.ok ? 'lost' : sent.refusal}`);
    await engine.turn(pending, new AbortController().signal);
    const node = forest.nodes[pending.id];
    if (node === undefined) throw new Error('a turn found no place');
    after(node);
  }
  return { forest, entries };
};
