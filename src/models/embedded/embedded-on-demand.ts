import { RECALL } from '../../domain/forest.ts';
import { once } from '../../engine/once.ts';
import type { Learner } from '../../engine/place/lessons.ts';
import type { ChatModel, Decider, Summariser, TokenCounter } from '../../engine/ports.ts';
import { DECIDER, RECALL_WINDOW, SUMMARISER } from './embedded-names.ts';

/*
 * The embedded models whose code is loaded behind the page's first paint, or by whoever asks them before that. Each
 * rejects where its code cannot be loaded.
 */

/** The decider with what it has learned from the person. `load` has it ready before the first message. */
export const deciderOnDemand = (): { decide: Decider; learner: Learner; load(): Promise<void> } => {
  let loaded: Decider | null = null;
  const both = once(async () => {
    const [{ createEmbeddedDecider }, { createPersonalLayer }] = await Promise.all([
      import('./embedded-decider.ts'),
      import('./personal/learner.ts'),
    ]);
    const learner = createPersonalLayer();
    loaded = createEmbeddedDecider(undefined, learner);
    return { learner, decider: loaded };
  });
  return {
    decide: {
      name: DECIDER,
      ungated: true,
      get instant() {
        return loaded?.instant === true;
      },
      topic: async (...asked) => (await both()).decider.topic(...asked),
      branch: async (...asked) => (await both()).decider.branch(...asked),
    },
    learner: {
      lessonsOf: async (questions) => (await both()).learner.lessonsOf(questions),
      learn: async (lessons) => (await both()).learner.learn(lessons),
    },
    load: async () => {
      const { shippedWeights } = await import('./decider-weights.ts');
      await Promise.all([both(), shippedWeights()]);
    },
  };
};

export const summariserOnDemand = (): Summariser => {
  const load = once(async () => (await import('./extractive/extractive.ts')).createExtractive());
  return {
    name: SUMMARISER,
    summarise: async (...asked) => (await load()).summarise(...asked),
    title: async (...asked) => (await load()).title(...asked),
  };
};

export const recallOnDemand = (tokens: TokenCounter, pieceDelay?: number): ChatModel => {
  const load = once(async () => {
    const { createRecall } = await import('./recall/recall.ts');
    return createRecall({ tokens, ...(pieceDelay === undefined ? {} : { pieceDelay }) });
  });
  return {
    name: RECALL,
    window: RECALL_WINDOW,
    tokens,
    async *reply(request, signal) {
      yield* (await load()).reply(request, signal);
    },
  };
};
