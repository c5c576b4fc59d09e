import { beforeAll, describe, expect, test } from 'vitest';
import type { Decision } from '../src/domain/decision.ts';
import { Replay } from '../src/features/evaluate/measurement/replay.ts';
import { createEmbeddedDecider } from '../src/models/embedded/embedded-decider.ts';
import { USE_LITE_THETA } from '../src/models/embedded/embedded-names.ts';
import type { SentenceEncoder } from '../src/models/embedded/sentence-encoder.ts';
import { encoderFromDisk } from '../src/models/embedded/testing/models-from-disk.ts';

/** Milliseconds for loading and warming the encoder on a busy machine. */
const LOADING = 60_000;

let encoder: SentenceEncoder;
beforeAll(async () => {
  encoder = await encoderFromDisk();
}, LOADING);

/** Sends messages through the engine with the real encoder and the committed weights. */
const play = async (messages: readonly string[]): Promise<{ decisions: Decision[]; parents: (string | null)[] }> => {
  const vectors = await encoder.embed(messages);
  const none = new Float32Array(encoder.dimensions);
  const replay = new Replay((text) => vectors[messages.indexOf(text)] ?? none);
  const decider = createEmbeddedDecider();
  const decisions: Decision[] = [];
  const parents: (string | null)[] = [];
  for (const message of messages) {
    const { decision, parentId } = await replay.route(message, decider, USE_LITE_THETA);
    replay.place({ message, reply: null, parent: null, disputed: false }, parentId);
    decisions.push(decision);
    parents.push(parentId);
  }
  return { decisions, parents };
};

describe('the embedded decider on real messages', { timeout: LOADING }, () => {
  test('a plan, an aside and the way back', async () => {
    const { decisions, parents } = await play([
      'Please plan a four-day hiking trip in the Dolomites for two people.',
      'Add a rest day with a lake and a good restaurant to the trip.',
      'Who composed the opera about the barber of Seville?',
      'OK, back to the hiking trip: we want huts with half board.',
    ]);
    expect(decisions.map(({ topic }) => topic)).toEqual([
      'create-topic',
      'continue-topic',
      'create-topic',
      'switch-topic',
    ]);
    expect(parents).toEqual([null, 'n0', null, 'n1']);
  });

  test('a short reference goes on', async () => {
    const { decisions } = await play([
      'Which birds can be seen in a city park in winter?',
      'Which of them stay all year?',
    ]);
    expect(decisions[1]?.topic).toBe('continue-topic');
  });

  test('says in words what spoke for its answer', async () => {
    const { decisions } = await play([
      'Write a Python script that renames all photos in a folder by date.',
      'What is the capital of Mongolia?',
    ]);
    const answer = decisions[1]?.trace?.topic.answer;
    expect(answer?.action).toBe('create-topic');
    expect(answer?.reasons.length).toBeGreaterThanOrEqual(2);
    for (const { text } of answer?.reasons ?? []) expect(text).not.toMatch(/undefined|NaN|create:|switch:/);
  });
});
