import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyEntries, fold, frozen } from '../../domain/apply.ts';
import type { Context } from '../../domain/context.ts';
import type { Forest, Node } from '../../domain/forest.ts';
import { nodeOf, pathTo } from '../../domain/queries.ts';
import { recordsOf, sizeOf } from '../../domain/table.ts';
import { Life, lives } from '../../domain/testing/random-life.ts';
import { memoryAccess } from '../memories/memory-access.ts';
import { defaultParameters } from '../parameters.ts';
import { bagEmbedder, countingChat, firstWords } from '../testing/plain-models.ts';
import { TokenCache } from '../text/token-cache.ts';
import { contextMessages } from './context-text.ts';
import { contextAgent } from './policies/context-agent.ts';
import { MEMORY_POLICIES } from './policies/memory-policies.ts';
import { POLICIES } from './policies/policies.ts';
import type { Policy } from './policy.ts';
import { Retriever } from './retrieval/retriever.ts';
import { visibleForest } from './visible-forest.ts';

/** A message sent at the end of a life, and the context it is sent with. */
const sentAtTheEnd = async (life: Life, policy: Policy, window: number) => {
  while (sizeOf(life.forest.pending) > 0) life.live({ kind: 'place', pick: 0 });
  const nodeId = life.say(life.forest.active?.nodeId ?? null);
  const tokens = new TokenCache(countingChat().tokens);
  const { context, overview } = await policy.build({
    forest: life.forest,
    nodeId,
    nearness: () => null,
    retrieve: new Retriever().for({ forest: life.forest, nodeId, nearness: () => null }),
    tokens,
    window,
    parameters: defaultParameters,
    newId: life.id,
    memory: memoryAccess({ embed: bagEmbedder, summarise: firstWords }, tokens, () => 0),
  });
  const overviews = overview === null ? life.forest.overviews : { ...life.forest.overviews, [overview.id]: overview };
  const forest: Forest = { ...life.forest, overviews };
  const text = contextMessages(forest, context)
    .map(({ content }) => content)
    .join('\n');
  return { node: nodeOf(life.forest, nodeId), context, text };
};

const wordsOf = ({ id }: Pick<Node, 'id'>): RegExp => new RegExp(`(?:said|answered|summed)-${id}(?!\\d)`);
const everybody = (life: Life): string[] => [
  ...new Set(life.entries.flatMap(({ event }) => ('nodeId' in event ? [event.nodeId] : []))),
];
const inFull = ({ segments }: Context): string[] =>
  segments.flatMap((one) => (one.kind === 'turn' ? [one.nodeId] : []));

test.each([...POLICIES, ...MEMORY_POLICIES])(
  '$name never sends a word of a hidden or deleted turn, nor a note',
  async (policy) => {
    await fc.assert(
      fc.asyncProperty(lives, fc.constantFrom(700, 32_768), async (moves, window) => {
        const life = new Life();
        for (const move of moves) life.live(move);
        const { node, text } = await sentAtTheEnd(life, policy, window);
        for (const id of everybody(life)) {
          const one = life.forest.nodes[id];
          if (one === undefined || (one.hidden && id !== node.id)) expect(text).not.toMatch(wordsOf({ id }));
          if (one?.note != null) expect(text).not.toContain(one.note);
        }
      }),
      { numRuns: 60 },
    );
  },
);

test('context-agent sends the path in full, and of other turns those that are pinned or referred to', async () => {
  await fc.assert(
    fc.asyncProperty(lives, async (moves) => {
      const life = new Life();
      for (const move of moves) life.live(move);
      const { node, context } = await sentAtTheEnd(life, contextAgent, 32_768);
      const { forest } = life;
      const path = pathTo(forest, node.id).filter((one) => one.id !== node.id && !one.hidden);
      const sent = new Set(inFull(context));
      for (const one of path) expect(sent).toContain(one.id);
      const onPath = new Set(pathTo(forest, node.id).map(({ id }) => id));
      const referred = new Set(
        [...path, node].flatMap(({ references }) =>
          references.flatMap(({ to }) => (forest.nodes[to] ? pathTo(forest, to).map(({ id }) => id) : [])),
        ),
      );
      for (const id of sent) expect(onPath.has(id) || nodeOf(forest, id).pinned || referred.has(id)).toBe(true);
      for (const one of recordsOf(forest.nodes)) {
        if (one.pinned && !one.hidden && one.id !== node.id) expect(sent).toContain(one.id);
      }
    }),
    { numRuns: 60 },
  );
});

test('beside its visible turns, a visible forest has what the forest has by now', () => {
  const life = new Life();
  const first = life.say(null);
  const second = life.say(first);
  life.do({
    type: 'record',
    step: life.id(),
    event: { type: 'turns-hidden', nodeIds: [first], hidden: true },
  });
  const before = frozen(fold(life.entries));
  const { nodes } = visibleForest(before);
  const count = life.entries.length;
  life.send();
  const after = applyEntries(before, life.entries.slice(count));
  expect(visibleForest(after)).toMatchObject({ turnCount: 3, hiddenCount: 0 });
  expect(visibleForest(after).nodes).toBe(nodes);
  expect(visibleForest(after)).toBe(visibleForest(after));
  const { branchId } = nodeOf(after, second);
  const renamed = applyEntries(
    after,
    life.entries.slice(0, 1).map((entry) => ({ ...entry, event: { type: 'branch-titled', branchId, title: 'Trams' } })),
  );
  expect(visibleForest(renamed).branches[branchId]?.title).toBe('Trams');
});
