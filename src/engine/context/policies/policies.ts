import type { Policy } from '../policy.ts';
import { contextAgent, contextAgentWithoutRag } from './context-agent.ts';
import { contextAgentCode } from './context-agent-code.ts';
import { flatRag, fullHistory, truncation, vectorRag } from './flat-policies.ts';
import { focused } from './focused/focused.ts';
import { MEMORY_POLICIES } from './memory-policies.ts';

/** Context-Agent, the policies it is compared with, its ablations, and its authors' own code. */
export const POLICIES: readonly Policy[] = [
  focused,
  contextAgent,
  fullHistory,
  truncation,
  flatRag,
  vectorRag,
  contextAgentWithoutRag,
  contextAgentCode,
];

/** All selectable policies, including those with their own memory. */
export const ALL_POLICIES: readonly Policy[] = [...POLICIES, ...MEMORY_POLICIES];

/** Throws if no policy has that name. */
export const policyNamed = (name: string): Policy => {
  const found = ALL_POLICIES.find((policy) => policy.name === name);
  if (found === undefined) {
    throw new Error(`no policy “${name}”: there are ${ALL_POLICIES.map((policy) => policy.name).join(', ')}`);
  }
  return found;
};
