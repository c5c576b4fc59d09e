import type { EngineCore } from '../core.ts';
import { truncation } from './policies/truncation.ts';
import type { BuiltContext, PolicyInput } from './policy.ts';
import type { RetrievalFor } from './retrieval/retriever.ts';

/** Needs no model but the one that counts tokens. */
const STAND_IN = truncation;
/** What a policy without a memory of its own does where texts cannot be compared. */
const UNCOMPARED = 'what is known without comparing replies';

/** What the core itself does not know of a turn that is to be answered. */
type Given = Omit<PolicyInput, 'memory' | 'retrieve'> & RetrievalFor;

/**
 * The context by the policy now chosen, with what failed on the way. Where its memory cannot do without a model that
 * failed, the last turns are sent instead, and the context says so. Rejects where tokens cannot be counted.
 */
export const buildContext = async (core: EngineCore, given: Given): Promise<BuiltContext> => {
  const { policy } = core;
  const { memory, failures } = core.watchedMemory();
  const { replyNearness, ...rest } = given;
  const input = { ...rest, memory, retrieve: core.retrieve({ ...rest, replyNearness }) };
  try {
    const built = await policy.build(input);
    if (failures.length === 0) return built;
    const fallbacks = failures.map((one) =>
      policy.remember === undefined && one.role === 'embed' ? { ...one, to: UNCOMPARED } : one,
    );
    return { ...built, context: { ...built.context, fallbacks } };
  } catch (error) {
    if (!failures.some(({ role }) => role === 'embed')) throw error;
    const built = await STAND_IN.build(input);
    const to = `${STAND_IN.name} instead of ${policy.name}`;
    const fallbacks = failures.map((one) => (one.role === 'embed' ? { ...one, to } : one));
    return { ...built, context: { ...built.context, fallbacks } };
  }
};
