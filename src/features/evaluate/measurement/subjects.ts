import { contextAgent } from '../../../engine/context/policies/context-agent.ts';
import { flatRag, truncation } from '../../../engine/context/policies/flat-policies.ts';
import { POLICIES } from '../../../engine/context/policies/policies.ts';
import type { Policy } from '../../../engine/context/policy.ts';
import { MEMORY_POLICIES } from '../../../engine/memories/memory-policies.ts';
import { alwaysContinue, calibratedDecider, thresholdDecider } from '../../../models/embedded/what-if-deciders.ts';
import { learnedFor } from '../held-out/held-out.ts';
import type { Placing } from './placements.ts';

/** What is measured for how it places turns: the decider that ships first, then what it is compared with. */
const DECIDERS: readonly Placing[] = [
  { subject: 'learned', deciderFor: learnedFor, policy: contextAgent },
  { subject: 'calibrated', deciderFor: () => calibratedDecider(), policy: contextAgent },
  { subject: 'threshold', deciderFor: () => thresholdDecider(), policy: contextAgent },
  { subject: 'always-continue', deciderFor: () => alwaysContinue, policy: contextAgent },
];

/** What is measured for the contexts that it builds, of turns placed by the learned decider. */
export interface ContextSubject {
  readonly subject: string;
  readonly policy: Policy;
  /** Has, at each turn, as many tokens for its history as context-agent spent there on turns and overview. */
  readonly equalTokens: boolean;
}

const CONTEXTS: readonly ContextSubject[] = [
  ...POLICIES.map((policy) => ({ subject: policy.name, policy, equalTokens: false })),
  ...[truncation, flatRag].map((policy) => ({ subject: `${policy.name}-equal-tokens`, policy, equalTokens: true })),
];

/** Memories of other papers: they embed and condense at every turn, and are measured where they are named. */
const MEMORIES: readonly ContextSubject[] = MEMORY_POLICIES.map((policy) => ({
  subject: policy.name,
  policy,
  equalTokens: false,
}));

export const CONTEXT_NAMES = CONTEXTS.map(({ subject }) => subject);
export const MEMORY_NAMES = MEMORIES.map(({ subject }) => subject);

export interface Subjects {
  /** Measured for placement; a policy that finds fork points in its own way is one, with the learned decider. */
  readonly placings: readonly Placing[];
  readonly contexts: readonly ContextSubject[];
}

/** A decider or policy was named that is not there. */
export class UnknownSubject extends Error {}

/**
 * The subjects of these names; all where none are named. `more` are deciders that are there for once. Throws
 * UnknownSubject, which lists the names there are.
 */
export const subjectsNamed = (
  deciders: readonly string[],
  policies: readonly string[],
  more: readonly Placing[] = [],
): Subjects => {
  const contexts = policies.length === 0 ? CONTEXTS : named('policy', 'policies', [...CONTEXTS, ...MEMORIES], policies);
  const placings = named('decider', 'deciders', [...DECIDERS, ...more], deciders);
  const ablations = contexts
    .filter(({ policy }) => policy.retrieval !== contextAgent.retrieval)
    .map(({ subject, policy }): Placing => ({ subject, deciderFor: learnedFor, policy }));
  const asked = placings.filter((placing) => more.includes(placing));
  return { placings: [...placings, ...ablations, ...asked.flatMap((one) => byPaths(one, contexts))], contexts };
};

/** A decider that is there for once, where a policy finds topics in another way: it answers other questions then. */
export const byPaths = ({ subject, deciderFor }: Placing, contexts: readonly ContextSubject[]): Placing[] =>
  contexts
    .filter(({ policy }) => policy.topicBy !== contextAgent.topicBy)
    .map(({ policy }) => ({ subject: `${subject}, ${policy.name}`, deciderFor, policy }));

/** The policies whose contexts are built on the same placements: those of one way to find fork points. */
export const byPlacing = (
  contexts: readonly ContextSubject[],
): { readonly placing: Placing; readonly contexts: readonly ContextSubject[] }[] => {
  const alike = ({ policy }: ContextSubject) => policy.retrieval === contextAgent.retrieval;
  const plain = contexts.filter(alike);
  const placing: Placing = { subject: 'learned', deciderFor: learnedFor, policy: contextAgent };
  return [
    ...(plain.length === 0 ? [] : [{ placing, contexts: plain }]),
    ...contexts
      .filter((context) => !alike(context))
      .map((context) => ({
        placing: { subject: context.subject, deciderFor: learnedFor, policy: context.policy },
        contexts: [context],
      })),
  ];
};

const named = <S extends { readonly subject: string }>(
  one: string,
  many: string,
  all: readonly S[],
  names: readonly string[],
): readonly S[] => {
  const known = all.map(({ subject }) => subject);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new UnknownSubject(`There is no ${one} “${unknown}”. The ${many} are: ${known.join(', ')}.`);
  }
  return names.length === 0 ? all : all.filter(({ subject }) => names.includes(subject));
};
