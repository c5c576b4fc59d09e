import { useMemo } from 'react';
import { ALL_POLICIES, POLICIES } from '../../engine/policies/policies.ts';
import { useApp } from '../app-context.ts';

/** How many can be compared at once: more columns than that are not read. */
export const FEWEST = 2;
export const MOST = 6;

/** The policies chosen for comparing, in the order in which they are offered; `sent`, which a turn was sent under, is always among them. */
export const comparedPolicies = (chosen: readonly string[] | null, sent: string | null = null): readonly string[] => {
  const wanted = new Set(chosen ?? POLICIES.map(({ name }) => name));
  return ALL_POLICIES.map(({ name }) => name).filter((name) => wanted.has(name) || name === sent);
};

export const useComparedPolicies = (sent: string | null = null): readonly string[] => {
  const chosen = useApp((state) => state.session.compared);
  return useMemo(() => comparedPolicies(chosen, sent), [chosen, sent]);
};
