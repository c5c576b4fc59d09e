import type { Learner, Lesson } from '../../engine/place/lessons.ts';

/** A learner whose lessons say which answer was right, and that has learned as much as it was last given. */
export const plainLearner = (): Learner & { readonly known: readonly Lesson[] } => {
  let known: readonly Lesson[] = [];
  return {
    get known() {
      return known;
    },
    lessonsOf: async ({ topic, branch }) => {
      const action = topic.target === null ? ('create-topic' as const) : ('continue-topic' as const);
      const lesson = { question: 'topic' as const, message: {}, choices: [{ action, base: 0, facts: {} }], right: 0 };
      return branch === null ? [lesson] : [lesson, { ...lesson, question: 'branch' }];
    },
    learn: async (lessons) => {
      known = lessons;
      return { lessons: lessons.length, corrections: { of: 0, missed: 0 }, share: 1, reasons: [], weights: {} };
    },
  };
};
