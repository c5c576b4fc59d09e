import { describe, expect, test } from 'vitest';
import { type Node, newTurnDefaults } from '../../../domain/forest.ts';
import type { Lesson } from '../../../engine/lessons.ts';
import type { NodeView, TopicQuestion } from '../../../engine/ports.ts';
import { unseenTopic } from '../../../engine/testing/plain-models.ts';
import { createEmbeddedDecider } from '../embedded-decider.ts';
import { createPersonalLayer } from './learner.ts';

const node: Node = {
  id: 'n1',
  number: 1,
  treeId: 't1',
  branchId: 'b1',
  parentId: null,
  message: 'Which neighbourhood of Lisbon should we stay in?',
  at: 1,
  replies: [],
  replyId: null,
  summary: { text: 'The user asks where in Lisbon to stay.', by: 'extractive', replyId: null, replyLength: 0 },
  decision: { topic: 'create-topic', branch: null, by: 'engine', trace: null },
  label: null,
  ...newTurnDefaults,
};
const view: NodeView = { nodeId: 'n1', similarity: 0.7, node };

/** A question so close to the only topic that the decider on its own continues it. */
const questionOf = (message: string): TopicQuestion => ({
  message,
  embedding: null,
  spoken: null,
  topics: [
    {
      treeId: 't1',
      title: 'Week in Lisbon',
      similarity: 0.7,
      active: true,
      summary: 'The user asks where in Lisbon to stay.',
      turns: [node],
      size: 1,
      age: 0,
      meanSimilarity: 0.7,
      activeSimilarity: 0.7,
      ...unseenTopic,
    },
  ],
  path: [view],
  recent: [view],
});

const asked = [
  'Fresh page: is Alfama in Lisbon quiet at night?',
  'Fresh page: which day trips from Lisbon can we do?',
  'Fresh page: where in Lisbon do they play fado?',
  'Fresh page: how far is the beach from Lisbon?',
  'Fresh page: does Lisbon have a good zoo?',
  'Fresh page: what does a taxi in Lisbon cost?',
];
const later = questionOf('Fresh page: which museums in Lisbon are open on Mondays?');

const taught = async (layer: ReturnType<typeof createPersonalLayer>): Promise<Lesson[]> => {
  const lessons: Lesson[] = [];
  for (const [at, message] of asked.entries()) {
    const told = await layer.lessonsOf({ topic: { question: questionOf(message), target: null }, branch: null });
    for (const lesson of told) lessons.push({ conversationId: 'c', nodeId: `n${at}`, by: 'correction', at, ...lesson });
  }
  return lessons;
};

describe('what the person taught', () => {
  test('is kept as features and the right answer', async () => {
    const [lesson] = await taught(createPersonalLayer());
    expect(lesson?.choices.map(({ action }) => action)).toEqual(['continue-topic', 'create-topic']);
    expect(lesson?.right).toBe(1);
    expect(lesson?.message).toMatchObject({ usual: 1, 'opens “fresh page”': 1 });
    expect(JSON.stringify(lesson)).not.toContain('alfama in lisbon quiet');
    for (const { base } of lesson?.choices ?? []) expect(Number.isFinite(base)).toBe(true);
  });

  test('changes an answer, which says so; forgotten, the answer is that of before', async () => {
    const layer = createPersonalLayer();
    const decider = createEmbeddedDecider(undefined, layer);
    const before = await decider.topic(later);
    expect(before).toMatchObject({ action: 'continue-topic' });
    expect(before.personal).toBeUndefined();

    const learned = await layer.learn(await taught(layer));
    expect(learned.reasons[0]?.text).toBe('“fresh page” opens a topic');
    expect(learned.corrections).toEqual({ of: 6, missed: 0 });
    const after = await decider.topic(later);
    expect(after).toMatchObject({ action: 'create-topic', target: null });
    expect(after.personal?.without).toMatchObject({ action: 'continue-topic', target: 't1' });
    expect(after.personal?.without.confidence).toBeCloseTo(before.confidence ?? 0);
    expect(after.personal?.reasons[0]?.text).toBe('“fresh page” opens a topic');
    // Another message is answered as before.
    expect(await decider.topic(questionOf('Is Belém far from there?'))).toMatchObject({ action: 'continue-topic' });

    expect(await layer.learn([])).toEqual({
      lessons: 0,
      corrections: { of: 0, missed: 0 },
      share: 1,
      reasons: [],
      weights: {},
    });
    expect(await decider.topic(later)).toEqual(before);
  });

  test('of a topic that was not on the short list is nothing', async () => {
    const elsewhere = { topic: { question: later, target: 'unheard of' }, branch: null };
    expect(await createPersonalLayer().lessonsOf(elsewhere)).toEqual([]);
  });
});
