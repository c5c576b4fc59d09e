import { expect, test } from 'vitest';
import { randomFrom } from '../src/domain/numbers.ts';
import { continuationScorer, newTopicScore } from '../src/models/embedded/affinity.ts';
import { type AffinityExample, fitAffinity } from './fit-affinity.ts';

const DIMENSIONS = 8;
const random = randomFrom(3);
const unit = (): Float32Array => {
  const vector = Float32Array.from({ length: DIMENSIONS }, () => random() - 0.5);
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
};
const topic = (vector: Float32Array) => ({ tipMessage: vector, tipReply: null, messages: vector, replies: null });

/** A made-up rule: a message continues where its first two components agree, and opens a topic where its third is high. */
const examples = Array.from({ length: 600 }, (): AffinityExample => {
  const message = unit();
  const vectors = [unit(), unit()];
  const alike = vectors.map(
    (vector) => (vector[0] as number) * (message[0] as number) + (vector[1] as number) * (message[1] as number),
  );
  const right = (message[2] as number) > 0.2 ? -1 : alike[0] === Math.max(...alike) ? 0 : 1;
  return { message, topics: vectors.map(topic), right, weight: 1 };
});

test('learns which places of vectors matter', () => {
  const affinity = fitAffinity(examples, 'made up', DIMENSIONS);
  const { alone, pair } = affinity;
  expect(alone[2]).toBe(Math.max(...alone));
  const [first = 0, , third = 0] = pair;
  expect(first).toBeGreaterThan(third);
  const rightly = examples.filter(({ message, topics, right }) => {
    if (right < 0) return newTopicScore(affinity, message) > 0;
    const [one = 0, other = 0] = topics.map(continuationScorer(affinity, message));
    return right === 0 ? one > other : other > one;
  });
  expect(rightly.length / examples.length).toBeGreaterThan(0.75);
});

test('learns what goes with what, though no place of the vectors agrees', () => {
  // A message continues in the topic whose fifth component matches its fourth.
  const crossed = examples.map(({ message, topics }): AffinityExample => {
    const scores = topics.map(({ messages }) => (messages?.[4] ?? 0) * (message[3] as number));
    return { message, topics, right: scores[0] === Math.max(...scores) ? 0 : 1, weight: 1 };
  });
  const affinity = fitAffinity(crossed, 'made up', DIMENSIONS);
  const rightly = crossed.filter(({ message, topics, right }) => {
    const [one = 0, other = 0] = topics.map(continuationScorer(affinity, message));
    return right === 0 ? one > other : other > one;
  });
  expect(rightly.length / crossed.length).toBeGreaterThan(0.85);
});

test('learns what opens a topic on either side of a place', () => {
  const bent = examples.map((example): AffinityExample => {
    return { ...example, right: Math.abs(example.message[5] as number) > 0.35 ? -1 : 0 };
  });
  const affinity = fitAffinity(bent, 'made up', DIMENSIONS);
  const scores = bent.map(({ message, right }) => ({ score: newTopicScore(affinity, message), opens: right < 0 }));
  const middle =
    scores.map(({ score }) => score).sort((a, b) => a - b)[scores.filter(({ opens }) => !opens).length] ?? 0;
  expect(scores.filter(({ score, opens }) => score >= middle === opens).length / scores.length).toBeGreaterThan(0.85);
});

test('the same examples give the same weights', () => {
  expect(fitAffinity(examples, 'x', DIMENSIONS)).toEqual(fitAffinity(examples, 'x', DIMENSIONS));
});
