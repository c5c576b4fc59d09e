import { expect, test } from 'vitest';
import { POLICIES } from '../../engine/context/policies/policies.ts';
import { ABOUT_POLICY, comparedPolicies, POLICY_GROUPS } from './policies.tsx';

test('those without a memory of their own at first, then those chosen, in one order, with what was sent', () => {
  const names = POLICIES.map(({ name }) => name);
  expect(comparedPolicies(null)).toEqual(
    names.filter((name) => name !== 'context-agent-code' && name !== 'vector-rag'),
  );
  expect(comparedPolicies(['memtree', 'truncation'])).toEqual(['truncation', 'memtree']);
  expect(comparedPolicies(['memtree', 'truncation'], 'context-agent')).toEqual([
    'context-agent',
    'truncation',
    'memtree',
  ]);
  expect(comparedPolicies(['memtree', 'gone', 'truncation'])).toEqual(['truncation', 'memtree']);
});

test('every policy that is offered says what it is', () => {
  for (const name of POLICY_GROUPS.flatMap(({ names }) => names)) expect(ABOUT_POLICY[name]).toMatch(/\.$/);
});
