/** The tokens that may come next, by those that came: a tree over the tokens of all answers. */
export interface AnswerTree {
  readonly next: ReadonlyMap<number, AnswerTree>;
  /** An answer ends here. */
  readonly ends: boolean;
}

interface Growing {
  readonly next: Map<number, Growing>;
  ends: boolean;
}

export const answerTree = (answers: Iterable<readonly number[]>): AnswerTree => {
  const root: Growing = { next: new Map(), ends: false };
  for (const tokens of answers) {
    let at = root;
    for (const token of tokens) {
      const next = at.next.get(token) ?? { next: new Map(), ends: false };
      at.next.set(token, next);
      at = next;
    }
    at.ends = true;
  }
  return root;
};
