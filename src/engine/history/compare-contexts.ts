import type { Context } from '../../domain/context.ts';
import type { Entry } from '../../domain/entry.ts';
import type { Forest, NodeId } from '../../domain/forest.ts';
import { breathing } from '../breathe.ts';
import type { Policy } from '../context/policy.ts';
import type { EngineCore } from '../core.ts';
import { builtThen, nearnessThen, turnThen } from './contexts-then.ts';

/** What a policy sends, or would have sent, for a turn. */
export interface PolicyContext {
  readonly policy: string;
  /** It is what was really sent. */
  readonly sent: boolean;
  readonly context: Context;
  /** The forest that the context is about: `contextMessages` of the two is what is sent, byte for byte. */
  readonly forest: Forest;
  /** Why nothing was known of what is near to the message, in words; null where it was. */
  readonly withoutSimilarity: string | null;
}

/** Told of what comes, as it comes. */
export interface ContextsWatch {
  readonly onContext: (context: PolicyContext) => void;
  /** How many turns of how many a policy's memory has taken in. */
  readonly onTaken: (policy: string, turns: number, of: number) => void;
  /** What a policy's memory failed of, in words: the others go on. */
  readonly onFailed: (policy: string, why: string) => void;
}

/**
 * What each policy would have sent for a turn, in the order given: each for this turn alone, in the forest as it stood
 * just before the turn's chosen reply began; of the policy that was used, the context that was sent. Empty for a turn
 * that never had a place. Rejects where tokens cannot be counted, and if the signal fires; without a watch, where a
 * memory's model fails, too.
 */
export const contextsFor = async (
  core: EngineCore,
  entries: readonly Entry[],
  nodeId: NodeId,
  policies: readonly Policy[],
  signal: AbortSignal,
  watch?: ContextsWatch,
): Promise<PolicyContext[]> => {
  const then = turnThen(entries, nodeId);
  if (then === null) return [];
  const near = await nearnessThen(core, Object.values(then.forest.nodes), signal);
  const contexts: PolicyContext[] = [];
  const add = (context: PolicyContext) => {
    contexts.push(context);
    watch?.onContext(context);
  };
  const breath = breathing(core.parts.now);
  for (const policy of policies) {
    signal.throwIfAborted();
    const { forest, sent } = then;
    if (sent?.policy === policy.name) {
      add({ policy: policy.name, sent: true, context: sent, forest, withoutSimilarity: null });
      continue;
    }
    const taken = async (turns: number, of: number) => {
      signal.throwIfAborted();
      watch?.onTaken(policy.name, turns, of);
      await breath();
    };
    const building = builtThen(core, then, policy, { nearness: near.to(nodeId), taken });
    const built = await building.catch((error: unknown) => {
      signal.throwIfAborted();
      if (policy.remember === undefined || watch === undefined) throw error;
      watch.onFailed(policy.name, error instanceof Error ? error.message : String(error));
      return null;
    });
    if (built === null) continue;
    const { context, overview } = built;
    const overviews = overview === null ? forest.overviews : { ...forest.overviews, [overview.id]: overview };
    add({
      policy: policy.name,
      sent: false,
      context,
      forest: { ...forest, overviews },
      withoutSimilarity: near.why,
    });
  }
  return contexts;
};
