import { expect, test } from 'vitest';
import { randomFrom } from '../../domain/numbers.ts';
import { type Affinity, continuationScorer } from './affinity.ts';
import { madeUpAffinity } from './testing/made-up-affinity.ts';

const DIMENSIONS = 6;
const random = randomFrom(5);
const numbers = (count: number) => Float32Array.from({ length: count }, () => 2 * random() - 1);

const affinity = (): Affinity => madeUpAffinity(DIMENSIONS, numbers);

const topicOf = (messages: Float32Array | null) => ({ tipMessage: messages, tipReply: null, messages, replies: null });

test('a topic of which there are no vectors adds nothing', () => {
  expect(continuationScorer(affinity(), numbers(DIMENSIONS))(topicOf(null))).toBe(0);
});

test('what replies say is read place by place alone: a model that always says the same does not run away', () => {
  const of = affinity();
  const message = numbers(DIMENSIONS);
  const replies = numbers(DIMENSIONS);
  const twice = replies.map((value) => 2 * value);
  const topic = topicOf(numbers(DIMENSIONS));
  const goes = continuationScorer(of, message);
  const plain = goes(topic);
  // Linear in the replies' vector, whatever the projections.
  expect(goes({ ...topic, replies: twice }) - plain).toBeCloseTo(2 * (goes({ ...topic, replies }) - plain), 4);
});
