import * as z from 'zod/mini';
import { type JsonSource, readJson, unexpected } from '../../../app/json-source.ts';
import { expectationOf } from '../../../domain/expectation.ts';

/** How a turn relates to an earlier one, in StructFlowBench's terms. */
export type Relation = 'recall' | 'refinement' | 'unrelatedness';

/** An earlier text: a turn's message or reply, by the turn's index in the dialogue. */
export interface Need {
  readonly turn: number;
  readonly part: 'message' | 'reply';
}

/** One round of a labelled dialogue. */
export interface LabelledTurn {
  readonly message: string;
  readonly reply: string | null;
  /** When the message was sent, in milliseconds since 1970; omitted if the set has no times. */
  readonly at?: number;
  /** The chat model that wrote the reply; omitted if the reply comes from the set. */
  readonly replyBy?: string;
  /** Index of the turn it builds on, in the same dialogue; null if it opens a topic. */
  readonly parent: number | null;
  /** Whether annotators disagreed on the parent. */
  readonly disputed: boolean;
  /** Nobody labelled its place: its parent only serves as history for later turns and is not measured. */
  readonly unlabelled?: boolean;
  /** Indices of turns off its path that it refers to; omitted if they were not annotated. */
  readonly also?: readonly number[];
  /** The smallest list of earlier texts that a good answer needs; omitted if not labelled. */
  readonly needs?: readonly Need[];
  /** Alternatives to `needs` that would do as well. */
  readonly orNeeds?: readonly (readonly Need[])[];
  /** The message as rewritten by a person to stand alone; omitted if there is no rewrite. */
  readonly rewrite?: string;
  /** Omitted if the set has no such labels, or has a different one for this turn. */
  readonly relation?: Relation;
}

export interface LabelledDialogue {
  /** The data set, e.g. `sgd`. */
  readonly set: string;
  readonly id: string;
  /** Dialogues that share texts have the same group; cross-validation never splits a group. */
  readonly group: string;
  /** For a conversation composed from several others: the groups of all of them. */
  readonly groups?: readonly string[];
  /** Language code, e.g. `en`; omitted if the set does not specify one. */
  readonly language?: string;
  /** `topics`: only each turn's topic is labelled. `parents`: forks are labelled too. */
  readonly labels: 'topics' | 'parents';
  readonly turns: readonly LabelledTurn[];
}

/** For each turn, the index of the first turn in its topic. */
export const topicsOf = (turns: readonly Pick<LabelledTurn, 'parent'>[]): number[] => {
  const topics: number[] = [];
  for (const [at, { parent }] of turns.entries()) topics.push(parent === null ? at : (topics[parent] ?? at));
  return topics;
};

/** A question asked after a whole conversation. */
export interface Question {
  readonly text: string;
  /** Any of them is correct; empty if the set has no answer that a text can be compared with. */
  readonly answers: readonly string[];
  /** Indices of the turns that contain the answer, without duplicates; empty if the set does not say or they are missing. */
  readonly evidence: readonly number[];
  /** The utterances in these turns that contain the answer, if the set names them. */
  readonly evidenceTexts?: readonly string[];
}

/** A conversation with neither topics nor parents labelled: `parent` is null for every turn and carries no meaning. */
export interface QuestionedDialogue extends LabelledDialogue {
  readonly questions: readonly Question[];
}

/** The sets of such conversations; empty if the folder is missing. */
export interface QuestionedSets {
  readonly msc: readonly QuestionedDialogue[];
  readonly 'msc-e': readonly QuestionedDialogue[];
  readonly locomo: readonly QuestionedDialogue[];
  readonly realtalk: readonly QuestionedDialogue[];
  readonly 'multihop-rag': readonly QuestionedDialogue[];
  readonly implexconv: readonly QuestionedDialogue[];
}

/** A file of labelled dialogues is not in its set's public form; the message gives the line and what was expected there. */
export class BrokenLabels extends Error {}

/** Parses a JSON array, JSON lines or a single object, and validates each item against the schema. */
export const itemsOf = <S extends z.core.$ZodType>(text: string, schema: S): z.output<S>[] =>
  itemsWithLines(text, schema).map(({ item }) => item);

/** Like `itemsOf`, but pairs each item with a function that reports an error in it. */
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

/** Groups items by key, in order of first appearance. */
export const grouped = <T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> => {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
};
