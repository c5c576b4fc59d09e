import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { NodeId } from '../../../domain/forest.ts';
import { nodeOf } from '../../../domain/queries.ts';
import { recordsOf } from '../../../domain/table.ts';
import { Life, lives } from '../../../domain/testing/random-life.ts';
import type { RetrievedTurn } from '../policy.ts';
import { Retriever } from './retriever.ts';

/** A conversation in which each turn continues the previous one, with a question at its end. */
const asked = async (
  turns: readonly (readonly [message: string, reply: string])[],
  question: string,
  nearness: (nodeId: NodeId) => number | null = () => null,
) => {
  const life = new Life();
  const ids: NodeId[] = [];
  for (const [message, reply] of turns) ids.push(said(life, message, reply, ids.at(-1) ?? null));
  const nodeId = said(life, question, '', ids.at(-1) ?? null);
  const found = await new Retriever().for({ forest: life.forest, nodeId, nearness })(question);
  return { found, turnsFound: found.map((one) => ids.indexOf(one.nodeId) + 1), ids, life, nodeId };
};

const TALK = [
  ['which visa do I need for Georgia', 'None for stays of up to a year.'],
  ['and for how long can I stay', 'A whole year, as a citizen of the EU.'],
  ['my soup is too salty', 'Add a raw potato and let it simmer.'],
  ['thanks, that helped', 'Enjoy your meal!'],
  ['write a haiku about rain', 'Drops on the tin roof.'],
] as const;

test('a turn with the rare words of the query comes first, and says which they are', async () => {
  const { found, turnsFound } = await asked(TALK, 'how long does the potato simmer in the soup');
  expect(turnsFound[0]).toBe(3);
  expect(found[0]?.rareShared).toEqual(expect.arrayContaining(['potato', 'simmer']));
  expect(found[0]?.passages.map(({ part }) => part)).toEqual(['message', 'reply']);
  for (const { score, lexical, passages } of found) {
    for (const one of [score, lexical, ...passages.map((passage) => passage.score)]) {
      expect(one).toBeGreaterThanOrEqual(0);
      expect(one).toBeLessThanOrEqual(1);
    }
  }
});

test('a turn gains from those around it', async () => {
  const { turnsFound } = await asked(TALK, 'georgia again');
  expect(turnsFound).toEqual([1, 2]);
});

test('without a word in common similarity finds the turn; about another text it is not known', async () => {
  const near = (ids: readonly NodeId[]) => (id: NodeId) => (ids.indexOf(id) === 4 ? 0.9 : 0.1);
  const { ids, life, nodeId } = await asked(TALK, 'more poetry please');
  const retrieve = new Retriever().for({ forest: life.forest, nodeId, nearness: near(ids) });
  const [best] = await retrieve('more poetry please');
  expect(best?.nodeId).toBe(ids[4]);
  expect(best?.vector).toBe(0.9);
  expect(await retrieve('poetry')).toEqual([]);
});

test('nothing is found before a message is written, and each turn is looked at once at most', async () => {
  const { ids, life, nodeId } = await asked(TALK, 'still to be written');
  const nodes = { ...life.forest.nodes, [nodeId]: { ...nodeOf(life.forest, nodeId), message: '' } };
  const forest = { ...life.forest, nodes };
  const looked: NodeId[] = [];
  const nearness = (id: NodeId) => {
    looked.push(id);
    return null;
  };
  expect(await new Retriever().for({ forest, nodeId, nearness })('')).toEqual([]);
  expect(looked).toHaveLength(ids.length);
  const near = (id: NodeId) => (id === ids[3] ? 0.9 : 0.1);
  expect((await new Retriever().for({ forest, nodeId, nearness: near })(''))[0]?.nodeId).toBe(ids[3]);
});

test('over a whole life, retrieval finds what one that begins anew finds, and no hidden, deleted or later turn', async () => {
  await fc.assert(
    fc.asyncProperty(lives, async (moves) => {
      const life = new Life();
      const going = new Retriever();
      for (const move of moves) {
        life.live(move);
        const nodes = recordsOf(life.forest.nodes);
        const turn = nodes.at(-1);
        if (turn === undefined) continue;
        const [, other = turn] = nodes;
        const query = `${other.message} ${other.replies.at(-1)?.text ?? ''}`;
        // A life changes its forest in place; a host does not.
        const forest = { ...life.forest, nodes: { ...life.forest.nodes }, trees: { ...life.forest.trees } };
        const about = { forest, nodeId: turn.id, nearness: () => null };
        const found: readonly RetrievedTurn[] = await going.for(about)(query);
        expect(found).toEqual(await new Retriever().for(about)(query));
        for (const { nodeId } of found) {
          const node = life.forest.nodes[nodeId];
          expect(node?.hidden).toBe(false);
          expect(node?.number).toBeLessThan(turn.number);
        }
      }
    }),
    { numRuns: 50 },
  );
});

const said = (life: Life, message: string, reply: string, parentId: NodeId | null): NodeId => {
  const nodeId = life.send(message);
  life.place(nodeId, parentId);
  if (reply === '') return nodeId;
  const replyId = life.id();
  life.do({ type: 'record', step: null, event: { type: 'reply-started', nodeId, replyId, model: 'm', context: null } });
  life.do({ type: 'record', step: null, event: { type: 'reply-received', nodeId, replyId, text: reply } });
  return nodeId;
};
