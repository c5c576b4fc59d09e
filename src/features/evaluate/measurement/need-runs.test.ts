import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Counts } from '../../../app/figures/estimate.ts';
import { RECALL } from '../../../domain/forest.ts';
import { nodeOf, replyOf } from '../../../domain/queries.ts';
import { contextAgent } from '../../../engine/context/policies/context-agent.ts';
import { fullHistory } from '../../../engine/context/policies/flat-policies.ts';
import type { Policy } from '../../../engine/context/policy.ts';
import { TokenCache } from '../../../engine/text/token-cache.ts';
import type { LabelledDialogue, LabelledTurn } from '../datasets/dialogues.ts';
import { OF_EVERYDAY, OF_REWRITES } from './need-metrics.ts';
import { commonPrefix, needCounts, PrefixCache, requestText } from './need-runs.ts';
import { subjectsNamed } from './subjects.ts';
import { figureRows } from './tables.ts';

const zero = new Float32Array([1, 0]);
const tokens = {
  name: 'words',
  count: async (texts: readonly string[]) =>
    texts.map((text) => text.split(/\s+/).filter((word) => word !== '').length),
};
const parts = () => ({
  vectorOf: () => zero,
  embed: async (texts: readonly string[]) => texts.map(() => zero),
  tokens: new TokenCache(tokens),
});

const turn = (
  parent: number | null,
  message: string,
  reply: string,
  more: Partial<LabelledTurn> = {},
): LabelledTurn => ({
  message,
  reply,
  parent,
  disputed: false,
  ...more,
});

/** Two topics, left and returned to; the last message needs the first reply, or the message that asked for it. */
const TALK: LabelledDialogue = {
  set: 'everyday',
  id: 'made',
  group: 'made',
  language: 'en',
  labels: 'parents',
  turns: [
    turn(null, 'Which ferry goes to Ithaca?', 'The Kefalonia ferry leaves from Sami harbour at nine.', { needs: [] }),
    turn(null, 'My sourdough starter smells of acetone', 'Feed it twice a day with rye flour for a week.', {
      needs: [],
    }),
    turn(1, 'And the jar?', 'Wash it with boiling water, without soap, and let it dry.', {
      needs: [{ turn: 1, part: 'message' }],
      rewrite: 'And the jar of the sourdough starter?',
    }),
    turn(0, 'How long is the crossing?', 'About half an hour.', {
      needs: [{ turn: 0, part: 'reply' }],
      orNeeds: [[{ turn: 0, part: 'message' }]],
      rewrite: 'How long is the Kefalonia ferry crossing to Ithaca?',
    }),
  ],
};

const figures = async (
  dialogue: LabelledDialogue,
  subject: string,
  parents = dialogue.turns.map(({ parent }) => parent),
): Promise<(metric: string) => number | undefined> => {
  const { contexts } = subjectsNamed([], [subject]);
  const placed = parents.map((parent) => ({ parent, decision: null }));
  const placements = { placed, settled: placed };
  const counts = (await needCounts(dialogue, placements, contextAgent, contexts, parts())).get(subject) as Counts;
  const of = { dataset: 'made', mode: 'free-running' as const, subject };
  const rows = [...figureRows(of, [counts], OF_EVERYDAY), ...figureRows(of, [counts], OF_REWRITES)];
  return (metric) => rows.find((row) => row.metric === metric)?.value;
};

describe('what a context has of what its message needs', () => {
  test('the full history has all of it, at its own price, read once', async () => {
    const of = await figures(TALK, 'full-history');
    expect(of('needed-text-recall')).toBe(1);
    expect(of('rewrite-recall')).toBe(1);
    expect(of('rewrite-recall-of-full')).toBe(1);
    expect(of('history-tokens-share')).toBe(1);
    expect(of('tokens-read-ratio')).toBe(1);
    expect(of('prefix-kept')).toBe(1);
    expect(of('over-full')).toBe(0);
    expect(of('gold-path-recall')).toBe(1);
  });

  test('a path on which recall replied is there without the quotes, which are sent to no model', async () => {
    const turns = TALK.turns.map((one) => ({ ...one, replyBy: RECALL }));
    expect((await figures({ ...TALK, turns }, 'full-history'))('gold-path-recall')).toBe(1);
  });

  test('what comes from another topic than path and needs is off topic', async () => {
    const of = await figures(TALK, 'full-history');
    const length = ({ message, reply }: LabelledTurn) => `${message} ${reply}`.split(' ').length;
    const [ferry = 0, bread = 0, jar = 0] = TALK.turns.map(length);
    // The second turn opens a topic, so everything before it is off topic. The third is sent the ferry, the fourth the bread.
    const off = ferry + ferry + (bread + jar);
    const sent = ferry + (ferry + bread) + (ferry + bread + jar);
    expect(of('off-topic-share')).toBeCloseTo(off / sent, 6);
  });

  test('a budget is a share of the history, and costs what does not fit', async () => {
    const of = await figures(TALK, 'truncation');
    expect(of('needed-text-recall-at-100')).toBe(1);
    expect(of('needed-text-recall-at-2')).toBe(0);
    expect(of('history-tokens-share-at-100')).toBe(1);
    // The last message is sent only the last exchange: nothing about the ferry.
    expect(of('rewrite-recall-at-40')).toBeLessThan(1);
  });

  test('the oracle pays for the labelled path alone', async () => {
    const of = await figures(TALK, 'context-agent');
    expect(of('gold-path-recall')).toBe(1);
    expect(of('gold-path-oracle-tokens-ratio')).toBeLessThan(1);
    expect(of('gold-path-oracle-history-share')).toBeLessThan(of('gold-path-oracle-tokens-ratio') ?? 0);
    expect(of('gold-path-oracle-tokens-ratio')).toBeLessThanOrEqual(of('context-tokens-ratio') ?? 0);
  });

  test('the oracle reads again what it comes back to, with a cache of one request; with one of several hardly more than a plain chat', async () => {
    const of = await figures(TALK, 'context-agent');
    expect(of('gold-path-oracle-read-ratio')).toBeGreaterThan(1);
    expect(of('gold-path-oracle-read-ratio-8')).toBeLessThan(of('gold-path-oracle-read-ratio') ?? 0);
  });

  test('a plain chat keeps its prefix, a policy that changes the front reads again', async () => {
    const of = await figures(TALK, 'truncation');
    expect(of('tokens-read-ratio')).toBe(1);
    expect(of('prefix-kept-at-40') ?? 1).toBeLessThan(1);
  });
});

test('a policy finds what it sent for a turn, also where nobody replied', async () => {
  const turns = TALK.turns.map((one, at) => (at === 2 ? { ...one, reply: null } : one));
  const known = new Set<string>();
  const watching: Policy = {
    ...fullHistory,
    build: (input) => {
      const earlier = Object.keys(input.forest.nodes).filter((id) => id !== input.nodeId);
      for (const id of earlier) {
        if (replyOf(nodeOf(input.forest, id))?.context) known.add(`${id} at ${input.nodeId}`);
      }
      return fullHistory.build(input);
    },
  };
  const placed = turns.map(({ parent }) => ({ parent, decision: null }));
  const subjects = [{ subject: 'made', policy: watching, equalTokens: false }];
  await needCounts({ ...TALK, turns }, { placed, settled: placed }, contextAgent, subjects, parts());
  expect([...known]).toEqual(['n0 at n1', 'n0 at n2', 'n1 at n2', 'n0 at n3', 'n1 at n3', 'n2 at n3']);
});

test('a common prefix ends where the texts differ', () => {
  const text = fc.string({ maxLength: 40 });
  fc.assert(
    fc.property(text, text, text, (begin, one, other) => {
      const length = commonPrefix(begin + one, begin + other);
      expect(length).toBeGreaterThanOrEqual(begin.length);
      expect((begin + one).slice(0, length)).toBe((begin + other).slice(0, length));
      const [next, after] = [(begin + one)[length], (begin + other)[length]];
      expect(next === undefined || after === undefined || next !== after).toBe(true);
    }),
  );
});

const request = (...contents: string[]) =>
  requestText(
    contents.map((content, at) => ({
      role: at === 0 ? ('system' as const) : at % 2 === 1 ? ('user' as const) : ('assistant' as const),
      content,
    })),
  );

test('a plain chat reads only the new message: the reply is in the cache already', () => {
  const cache = new PrefixCache(1);
  expect(cache.keptBy(request('S', 'a'))).toBeNull();
  cache.hold(request('S', 'a'), 'b');
  const next = request('S', 'a', 'b', 'c');
  expect(cache.keptBy(next)).toBe(1);
  expect(cache.prefixOf(next)).toBe(request('S', 'a', 'b').length);
});

test('a change at the front loses what stands behind it; a cache of several finds an older request again', () => {
  const [one, two] = [new PrefixCache(1), new PrefixCache(2)];
  const before = request('S', 'long enough to matter');
  for (const cache of [one, two]) {
    cache.hold(before, null);
    cache.hold(request('T', 'another'), null);
  }
  expect(one.prefixOf(before)).toBe(commonPrefix(request('T'), request('S')));
  expect(two.prefixOf(before)).toBe(before.length);
  two.hold('x', null);
  two.hold('y', null);
  expect(two.prefixOf(before)).toBe(0);
});
