import { useMemo } from 'react';
import { contextAgentCode } from '../../engine/context/policies/context-agent-code.ts';
import { vectorRag } from '../../engine/context/policies/flat-rag.ts';
import { ALL_POLICIES, POLICIES } from '../../engine/context/policies/policies.ts';
import { useApp } from '../app-context.ts';

/** How many can be compared at once: more columns than that are not read. */
export const FEWEST = 2;
export const MOST = 6;

/**
 * Compared until others are chosen. On one and the same forest the authors' code sends next to nothing else than `context-agent`, and
 * one way of looking turns up is enough to begin with.
 */
const AT_FIRST = POLICIES.filter((policy) => policy !== contextAgentCode && policy !== vectorRag).map(
  ({ name }) => name,
);

/** The policies chosen for comparing, in the order in which they are offered; `sent`, which a turn was sent under, is always among them. */
export const comparedPolicies = (chosen: readonly string[] | null, sent: string | null = null): readonly string[] => {
  const wanted = new Set(chosen ?? AT_FIRST);
  return ALL_POLICIES.map(({ name }) => name).filter((name) => wanted.has(name) || name === sent);
};

export const useComparedPolicies = (sent: string | null = null): readonly string[] => {
  const chosen = useApp((state) => state.session.compared);
  return useMemo(() => comparedPolicies(chosen, sent), [chosen, sent]);
};
