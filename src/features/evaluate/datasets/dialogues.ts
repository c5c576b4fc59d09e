import * as z from 'zod/mini';
import { type JsonSource, readJson, unexpected } from '../../../app/json-source.ts';
import { expectationOf } from '../../../domain/expectation.ts';

/** What ties a turn to an earlier one, in the words of StructFlowBench. */
export type Relation = 'recall' | 'refinement' | 'unrelatedness';

/** An earlier text: the message or the reply of a turn, by its index in the dialogue. */
export interface Need {
  readonly turn: number;
  readonly part: 'message' | 'reply';
}

/** One round of a labelled dialogue. */
export interface LabelledTurn {
  readonly message: string;
  readonly reply: string | null;
  /** When the message was said, in milliseconds since 1970; left out where the set has no times. */
  readonly at?: number;
  /** The chat model that wrote it; left out where the set has it. */
  readonly replyBy?: string;
  /** Index of the turn it builds on, in the same dialogue; null where it opens a topic. */
  readonly parent: number | null;
  /** Annotators differed on the parent. */
  readonly disputed: boolean;
  /** Nobody said that it belongs there: its parent is history for the turns after it, and is not measured. */
  readonly unlabelled?: boolean;
  /** Indices of turns off its path that it refers to; left out where nobody looked for them. */
  readonly also?: readonly number[];
  /** The fewest earlier texts without which a good answer is not possible; left out where nobody labelled them. */
  readonly needs?: readonly Need[];
  /** Other lists of them that would do as well. */
  readonly orNeeds?: readonly (readonly Need[])[];
  /** The message as a person rewrote it to stand alone; left out where nobody did. */
  readonly rewrite?: string;
  /** Left out where the set has no such labels, or another one for this turn. */
  readonly relation?: Relation;
}

export interface LabelledDialogue {
  /** The data set, e.g. `sgd`. */
  readonly set: string;
  readonly id: string;
  /** Dialogues with texts in common share a group; cross-validation never splits one. */
  readonly group: string;
  /** Of a conversation that was put together from several: the groups of all of them. */
  readonly groups?: readonly string[];
  /** Code of the language it is in, e.g. `en`; left out where the set does not say. */
  readonly language?: string;
  /** `topics`: only which topic a turn belongs to was labelled. `parents`: forks were, too. */
  readonly labels: 'topics' | 'parents';
  readonly turns: readonly LabelledTurn[];
}

/** For each turn, the index of its topic's first turn. */
export const topicsOf = (turns: readonly Pick<LabelledTurn, 'parent'>[]): number[] => {
  const topics: number[] = [];
  for (const [at, { parent }] of turns.entries()) topics.push(parent === null ? at : (topics[parent] ?? at));
  return topics;
};

/** What is asked after a whole conversation. */
export interface Question {
  readonly text: string;
  /** Any of them is right; none where the set gives no answer that a text can be compared with. */
  readonly answers: readonly string[];
  /** Indices of the turns that the answer is in, each once; none where the set does not say or they are not there. */
  readonly evidence: readonly number[];
  /** The utterances of these turns that the answer is in, where the set says which. */
  readonly evidenceTexts?: readonly string[];
}

/** A conversation of which neither topics nor parents are labelled: its turns' `parent` is null and says nothing. */
export interface QuestionedDialogue extends LabelledDialogue {
  readonly questions: readonly Question[];
}

/** The sets of such conversations, none where the folder is missing. */
export interface QuestionedSets {
  readonly msc: readonly QuestionedDialogue[];
  readonly 'msc-e': readonly QuestionedDialogue[];
  readonly locomo: readonly QuestionedDialogue[];
  readonly realtalk: readonly QuestionedDialogue[];
  readonly 'multihop-rag': readonly QuestionedDialogue[];
  readonly implexconv: readonly QuestionedDialogue[];
}

/** A file of labelled dialogues that is not in its set's public form; says the line and what was expected there. */
export class BrokenLabels extends Error {}

/** The elements of a JSON list, the lines of JSON lines, or one object alone, each as the schema has it. */
export const itemsOf = <S extends z.core.$ZodType>(text: string, schema: S): z.output<S>[] =>
  itemsWithLines(text, schema).map(({ item }) => item);

/** The same, each with what says of its own accord what is wrong with it. */
export const itemsWithLines = <S extends z.core.$ZodType>(
  text: string,
  schema: S,
): { item: z.output<S>; broken: (what: string) => BrokenLabels }[] => {
  const source = sourceOf(text);
  const parsed = z.array(schema).safeParse(source.items);
  if (!parsed.success) {
    const read = unexpected(source, expectationOf(parsed.error));
    throw new BrokenLabels(read.ok ? 'not in the expected form' : read.failure.message);
  }
  return parsed.data.map((item, at) => ({
    item,
    broken: (what) => new BrokenLabels(`Line ${source.lineOf([at])}: ${what}.`),
  }));
};

const sourceOf = (text: string): JsonSource => {
  const read = readJson(text.replace(/^\uFEFF/, ''));
  if (!read.ok) throw new BrokenLabels(read.failure.message);
  return read.value;
};
