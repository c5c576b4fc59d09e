/**
 * Asks after a pause and hands on only the answer to the latest question: an earlier one that is still
 * being worked out comes too late. An answer that fails is handed on as null.
 */
export const createLatest = <Q, A>(
  ask: (question: Q) => Promise<A>,
  answered: (answer: A | null) => void,
  pauseMs: number,
) => {
  let asked = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const cancel = () => {
    asked++;
    clearTimeout(timer);
  };
  return {
    ask: (question: Q): void => {
      cancel();
      const mine = asked;
      const hand = (answer: A | null) => {
        if (mine === asked) answered(answer);
      };
      timer = setTimeout(() => void ask(question).then(hand, () => hand(null)), pauseMs);
    },
    /** What is asked or under way is no longer wanted. */
    cancel,
  };
};
