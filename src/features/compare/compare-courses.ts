import type { Kernel } from '../../app/kernel.ts';
import type { Entry } from '../../domain/events.ts';
import type { Forest } from '../../domain/forest.ts';
import { breathing } from '../../engine/breathe.ts';
import { ALL_POLICIES, policyNamed } from '../../engine/context/policies/policies.ts';
import type { Policy } from '../../engine/context/policy.ts';
import { AS_IT_WAS } from '../../engine/history/question.ts';
import { rerun } from '../../engine/history/re-run.ts';
import { workshopFor } from '../what-if/what-if-parts.ts';
import { originOf } from '../what-if/what-if-run.ts';

/** The logs that a conversation has under policies which place turns by rules of their own. */
export interface Courses {
  /** Those of the policies for which turns have to be placed anew. */
  anew(names: readonly string[]): string[];
  /**
   * Does some work with the log of the open conversation, for the policies that would have placed its turns as they are; then
   * for each of the others with a log in memory in which turns are placed anew, by its own rule. Rejects if the signal fires.
   */
  each(
    names: readonly string[],
    signal: AbortSignal,
    work: (log: readonly Entry[], policies: readonly Policy[]) => Promise<unknown>,
  ): Promise<void>;
  /** Lets go of the logs that were made. */
  forget(): void;
}

export const createCourses = (kernel: Kernel): Courses => {
  const kept = new Map<string, { readonly of: readonly Entry[]; readonly log: readonly Entry[] }>();

  const placedAnew = async (name: string, signal: AbortSignal): Promise<readonly Entry[]> => {
    const origin = originOf(kernel);
    const before = kept.get(name);
    if (before !== undefined && same(before.of, origin.entries)) return before.log;
    const question = { ...AS_IT_WAS, policy: name };
    const workshop = await workshopFor(kernel, await kernel.ports.openWhatIf(), origin, question);
    const { entries } = await rerun(workshop, origin.entries, question, {
      signal,
      progress: () => undefined,
      breathe: breathing(kernel.ports.elapsed),
    });
    kept.set(name, { of: origin.entries, log: entries });
    return entries;
  };

  const anew = (names: readonly string[]) =>
    names.filter((name) => placesAnew(policyNamed(name), kernel.store.getState().forest));

  return {
    anew,
    each: async (names, signal, work) => {
      const { entries } = kernel.store.getState();
      const others = anew(names);
      const here = names.filter((name) => !others.includes(name));
      if (here.length > 0) await work(entries, here.map(policyNamed));
      for (const name of others) await work(await placedAnew(name, signal), [policyNamed(name)]);
    },
    forget: () => kept.clear(),
  };
};

/** What a policy sends hangs on where turns stand, and some stand where another rule than its own has put them. */
const placesAnew = ({ sendsPath, name }: Policy, { nodes }: Forest): boolean => {
  const own = rules.get(name);
  return (
    sendsPath &&
    Object.values(nodes).some(({ decision: { by, trace } }) => {
      // The first turn and those that a person placed are where any rule has them.
      if (by === 'person' || trace === null || trace.topic.rule === 'first-turn') return false;
      return rules.get(trace.policy) !== own;
    })
  );
};

/** How a policy has turns placed. */
const ruleOf = ({ retrieval, topicBy = 'one-question', theta }: Policy): string =>
  JSON.stringify([retrieval, topicBy, theta]);

const rules = new Map(ALL_POLICIES.map((policy) => [policy.name, ruleOf(policy)]));

const same = (a: readonly Entry[], b: readonly Entry[]): boolean => a.length === b.length && a.at(-1) === b.at(-1);
