import { expect } from 'vitest';
import { violations } from '../../domain/invariants.ts';
import { sum } from '../../domain/numbers.ts';
import { nodeOf } from '../../domain/queries.ts';
import { Life } from '../../domain/testing/random-life.ts';
import { contextAgentCode as policy } from '../context/policies/context-agent-code.ts';
import type { BranchQuestion, Decider, Embedder, PathQuestion } from '../ports.ts';
import { bareHost } from './bare-host.ts';
import { tagDecider } from './plain-models.ts';

/*
 * Helpers for decisions by path, as `context-agent-code` makes them.
 */

/** Each text begins with its cosine to the sent messages, which themselves begin with 1. */
const byNumber: Embedder = {
  name: 'by number',
  dimensions: 2,
  theta: 0.2,
  embed: async (texts) =>
    texts.map((text) => {
      const cosine = Number.parseFloat(text);
      return Float32Array.from([cosine, Math.sqrt(1 - cosine * cosine)]);
    }),
};

const SAID = { confidence: null, reasons: [], decider: 'yes or no' };

/** Says yes to the paths that end in these turns and answers the branch question as configured; records its questions. */
export const saying = (yes: readonly string[], branch: Partial<Awaited<ReturnType<Decider['branch']>>> = {}) => {
  const paths: PathQuestion[] = [];
  const branches: BranchQuestion[] = [];
  const decider: Decider = {
    name: 'yes or no',
    topic: () => Promise.reject(new Error('it is asked about paths')),
    path: async (question) => {
      paths.push(question);
      const says = yes.includes(question.path.at(-1)?.nodeId ?? '');
      return { ...SAID, yes: says, raw: says ? 'Yes' : 'No' };
    },
    branch: async (question) => {
      branches.push(question);
      return { ...SAID, action: 'continue-branch', raw: '', ...branch };
    },
  };
  return { decider, branches, asked: () => paths.map(({ path }) => path.at(-1)?.nodeId) };
};

/** Gives the topics of a question these probabilities, in order, and the rest to a new topic. */
export const weighing = (...chances: number[]) => {
  let asked = 0;
  const decider: Decider = {
    ...tagDecider(),
    name: 'weighing',
    topic: async ({ topics }) => {
      asked += 1;
      const rest = 1 - sum(chances);
      const all = [
        ...topics.map(({ treeId, active }, at) => ({
          action: active ? ('continue-topic' as const) : ('switch-topic' as const),
          target: treeId as string | null,
          confidence: chances[at] ?? 0,
        })),
        { action: 'create-topic' as const, target: null, confidence: rest },
      ].sort((a, b) => b.confidence - a.confidence);
      const [best, ...alternatives] = all as [(typeof all)[number], ...typeof all];
      return { ...best, alternatives, reasons: [{ text: 'so it is', weight: 1 }], raw: 'all', decider: 'weighing' };
    },
  };
  return { decider, asked: () => asked };
};

/** Topics A, B and C, with two paths each in A and B; the conversation is at c3, in B, and was last at b1 in A. */
export const forked = () => {
  const life = new Life();
  const a1 = life.say(null, '0 a1');
  const a2 = life.say(a1, '0 a2');
  const a3 = life.say(a2, '0 a3');
  const b1 = life.say(a2, '0 b1');
  const c1 = life.say(null, '0 c1');
  const c2 = life.say(c1, '0 c2');
  const d1 = life.say(c1, '0 d1');
  const e1 = life.say(null, '0 e1');
  const c3 = life.say(c2, '0 c3');
  return { life, a1, a2, a3, b1, c1, c2, d1, e1, c3 };
};

/** Sends a message under the policy and returns where it went. */
export const sent = async (life: Life, decide: Decider, message = '1', rest = {}) => {
  const host = bareHost({ decide, embed: byNumber }, { policy, ...rest }, life);
  const id = await host.send(message);
  const node = nodeOf(life.forest, id);
  expect(violations(life.forest)).toEqual([]);
  return { host, id, node, decision: node.decision, trace: node.decision.trace };
};
