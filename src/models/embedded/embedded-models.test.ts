import { expect, test, vi } from 'vitest';
import { NOTHING_LEARNED } from '../../engine/lessons.ts';
import { createEmbeddedDecider } from './embedded-decider.ts';
import { deciderOnDemand } from './embedded-models.ts';
import { createPersonalLayer } from './personal/learner.ts';

test('the decider is not loaded to learn nothing, but is for a lesson', async () => {
  const open = vi.fn(async () => {
    const learner = createPersonalLayer();
    return { learner, decider: createEmbeddedDecider(undefined, learner) };
  });
  const { learner } = deciderOnDemand(open);
  expect(await learner.learn([])).toEqual(NOTHING_LEARNED);
  expect(open).not.toHaveBeenCalled();
  const lesson = {
    conversationId: 'a',
    nodeId: 'b',
    question: 'topic',
    by: 'correction',
    at: 1,
    message: {},
    choices: [
      { action: 'create-topic', base: -1, facts: {} },
      { action: 'continue-topic', base: 0, facts: {} },
    ],
    right: 0,
  } as const;
  expect((await learner.learn([lesson])).lessons).toBe(1);
  expect(open).toHaveBeenCalledTimes(1);
  expect(await learner.learn([])).toEqual(NOTHING_LEARNED);
});
