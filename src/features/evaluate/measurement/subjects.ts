import { plural, sum } from '../../../domain/numbers.ts';
import { contextAgent } from '../../../engine/context/policies/context-agent.ts';
import { flatRag, truncation } from '../../../engine/context/policies/flat-policies.ts';
import { MEMORY_POLICIES } from '../../../engine/context/policies/memory-policies.ts';
import { POLICIES } from '../../../engine/context/policies/policies.ts';
import type { Policy } from '../../../engine/context/policy.ts';
import { ModelFailure, type ModelFailureKind } from '../../../engine/model-failure.ts';
import { askPath } from '../../../engine/place/topic-by-paths.ts';
import type { Decider } from '../../../engine/ports.ts';
import { alwaysContinue, calibratedDecider, thresholdDecider } from '../../../models/embedded/what-if-deciders.ts';
import type { LabelledDialogue } from '../datasets/dialogues.ts';
import { learnedFor } from '../held-out/held-out-deciders.ts';
import type { PlacementSubject } from './placements.ts';

/** Subjects measured for placement: the shipped decider first, then those it is compared with. */
const DECIDERS: readonly PlacementSubject[] = [
  { subject: 'learned', deciderFor: learnedFor, policy: contextAgent },
  { subject: 'calibrated', deciderFor: () => calibratedDecider(), policy: contextAgent },
  { subject: 'threshold', deciderFor: () => thresholdDecider(), policy: contextAgent },
  { subject: 'always-continue', deciderFor: () => alwaysContinue, policy: contextAgent },
];

/** A subject measured for its contexts, with turns placed by the learned decider. */
export interface ContextSubject {
  readonly subject: string;
  readonly policy: Policy;
  /** Gives it, at each turn, as many history tokens as context-agent spent on turns and overview. */
  readonly equalTokens: boolean;
}

const CONTEXTS: readonly ContextSubject[] = [
  ...POLICIES.map((policy) => ({ subject: policy.name, policy, equalTokens: false })),
  ...[truncation, flatRag].map((policy) => ({ subject: `${policy.name}-equal-tokens`, policy, equalTokens: true })),
];

/** Memories from other papers: they embed and condense at every turn, so they are only measured when named. */
const MEMORIES: readonly ContextSubject[] = MEMORY_POLICIES.map((policy) => ({
  subject: policy.name,
  policy,
  equalTokens: false,
}));

export const CONTEXT_NAMES = CONTEXTS.map(({ subject }) => subject);
export const MEMORY_NAMES = MEMORIES.map(({ subject }) => subject);

export interface Subjects {
  /** Measured for placement; includes policies with their own way to find fork points, combined with the learned decider. */
  readonly placings: readonly PlacementSubject[];
  readonly contexts: readonly ContextSubject[];
}

/** A named decider or policy does not exist. */
export class UnknownSubject extends Error {}

/**
 * The subjects with these names; all if no names are given. `more` are additional deciders for this run. Throws
 * UnknownSubject, which lists the available names.
 */
export const subjectsNamed = (
  deciders: readonly string[],
  policies: readonly string[],
  more: readonly PlacementSubject[] = [],
): Subjects => {
  const contexts = policies.length === 0 ? CONTEXTS : named('policy', 'policies', [...CONTEXTS, ...MEMORIES], policies);
  const placings = named('decider', 'deciders', [...DECIDERS, ...more], deciders);
  const ablations = contexts
    .filter(({ policy }) => policy.retrieval !== contextAgent.retrieval)
    .map(({ subject, policy }): PlacementSubject => ({ subject, deciderFor: learnedFor, policy }));
  const asked = placings.filter((placing) => more.includes(placing));
  return { placings: [...placings, ...ablations, ...asked.flatMap((one) => byPaths(one, contexts))], contexts };
};

/** Variants of an additional decider for policies that find topics in another way, because it then answers different questions. */
export const byPaths = (
  { subject, deciderFor }: PlacementSubject,
  contexts: readonly ContextSubject[],
): PlacementSubject[] =>
  contexts
    .filter(({ policy }) => policy.topicBy !== contextAgent.topicBy)
    .map(({ policy }) => ({ subject: `${subject}, ${policy.name}`, deciderFor, policy }));

/** Groups the policies whose contexts are built on the same placements: those that find fork points in the same way. */
export const byPlacing = (
  contexts: readonly ContextSubject[],
): { readonly placing: PlacementSubject; readonly contexts: readonly ContextSubject[] }[] => {
  const alike = ({ policy }: ContextSubject) => policy.retrieval === contextAgent.retrieval;
  const plain = contexts.filter(alike);
  const placing: PlacementSubject = { subject: 'learned', deciderFor: learnedFor, policy: contextAgent };
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

/** Failures of a model while its server is fine. */
const UNUSABLE: readonly ModelFailureKind[] = ['nonsense', 'empty', 'timeout', 'too-long'];

export const isUnusable = (kind: ModelFailureKind | null): kind is ModelFailureKind =>
  kind !== null && UNUSABLE.includes(kind);

/** Counts unusable answers by kind. */
export class Unusable {
  readonly #kinds = new Map<ModelFailureKind, number>();

  add(kind: ModelFailureKind): void {
    this.#kinds.set(kind, (this.#kinds.get(kind) ?? 0) + 1);
  }

  get count(): number {
    return sum([...this.#kinds.values()]);
  }

  /** For example `nonsense 2, timeout 1`. */
  get breakdown(): string {
    return [...this.#kinds].map(([kind, count]) => `${kind} ${count}`).join(', ');
  }
}

/**
 * A decider that may fail, such as a language model: if an answer is unusable, the learned decider stands in, as in the app,
 * and it is counted; any other failure ends the measurement.
 */
export const withStandIn = (decider: Decider) => {
  const unusable = new Unusable();
  let asked = 0;
  const usable = async <A>(
    ask: (decider: Decider, signal: AbortSignal) => Promise<A>,
    standIn: Decider,
    outer?: AbortSignal,
  ) => {
    asked++;
    const patience = AbortSignal.timeout(PATIENCE);
    const signal = outer === undefined ? patience : AbortSignal.any([outer, patience]);
    try {
      return await ask(decider, signal);
    } catch (error) {
      const kind = patience.aborted ? 'timeout' : error instanceof ModelFailure ? error.kind : 'unknown';
      if (!isUnusable(kind)) throw error;
      unusable.add(kind);
      return ask(standIn, outer ?? new AbortController().signal);
    }
  };
  return {
    name: decider.name,
    deciderFor: (dialogue: LabelledDialogue): Decider => {
      const standIn = learnedFor(dialogue);
      return {
        name: decider.name,
        topic: (question, signal) => usable((one, inner) => one.topic(question, inner), standIn, signal),
        path: (question, signal) => usable((one, inner) => askPath(one, question, inner), standIn, signal),
        branch: (question, signal) => usable((one, inner) => one.branch(question, inner), standIn, signal),
      };
    },

    /** How many questions it was asked, and how many answers were unusable, as the rest of a sentence. */
    summary: (): string => {
      const { count: lost, breakdown } = unusable;
      const rest =
        lost === 0
          ? 'every answer was of use'
          : `${lost} ${plural(lost, 'answer')} of no use (${breakdown}), where learned stood in`;
      return `${decider.name}: ${asked} ${plural(asked, 'question')}, ${rest}.`;
    },
  };
};

/** In milliseconds: about as long as the app waits for a decider. An answer that takes longer is counted as unusable. */
const PATIENCE = 18_000;
