/** One round of a labelled dialogue. */
export interface LabelledTurn {
  readonly message: string;
  readonly reply: string | null;
  /** Index of the turn it builds on, in the same dialogue; null where it opens a topic. */
  readonly parent: number | null;
  /** Annotators differed on the parent. */
  readonly disputed: boolean;
}

export interface LabelledDialogue {
  /** The data set, e.g. `sgd`. */
  readonly set: string;
  readonly id: string;
  /** Dialogues with texts in common share a group; cross-validation never splits one. */
  readonly group: string;
  /** `topics`: only which topic a turn belongs to was labelled. `parents`: forks were, too. */
  readonly labels: 'topics' | 'parents';
  readonly turns: readonly LabelledTurn[];
}

/** For each turn, the index of its topic's first turn. */
export const topicsOf = (turns: readonly LabelledTurn[]): number[] => {
  const topics: number[] = [];
  for (const [at, { parent }] of turns.entries()) topics.push(parent === null ? at : (topics[parent] ?? at));
  return topics;
};
