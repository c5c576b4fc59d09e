import * as z from 'zod/mini';
import { type DataFile, itemsIn } from '../../src/features/evaluate/datasets/data-files.ts';
import { itemsWithLines } from '../../src/features/evaluate/datasets/dialogues.ts';

const Line = z.object({
  conversation_id: z.string(),
  user_turns: z.array(z.object({ content: z.string() })).check(z.minLength(1)),
  checkpoint_question: z.string(),
});

/** A dialogue of the NTM benchmark with the goals of its last answer (Context-Agent §4.3). */
export interface CompletionTask {
  readonly id: string;
  /** What the user says, turn by turn. */
  readonly messages: readonly string[];
  /** The original checkpoint question, and the goals that it numbers. */
  readonly question: string;
  readonly goals: readonly string[];
}

const readTasks = (text: string): CompletionTask[] =>
  itemsWithLines(text, Line).map(({ item, broken }) => {
    const { conversation_id: id, user_turns: turns, checkpoint_question: question } = item;
    const messages = turns.map(({ content }) => content);
    const blank = messages.findIndex((message) => message.trim() === '') + 1;
    if (blank > 0) throw broken(`turn ${blank} of ${id} says nothing`);
    const found = goalsIn(question);
    if (!found.ok) throw broken(`${id}: ${found.fault}`);
    return { id, messages, question: question.trim(), goals: found.goals };
  });

/** The tasks of `ntm/*.jsonl`. Throws BrokenLabels, which names the file and the line. */
export const tasksIn = (files: readonly DataFile[]): CompletionTask[] => itemsIn(files, 'ntm', readTasks);

/** The goals of a checkpoint question, or what is wrong with their numbering. */
type Goals = { readonly ok: true; readonly goals: readonly string[] } | { readonly ok: false; readonly fault: string };

/** A number in brackets, plain or full-width: wherever it is, it can only be a goal's. */
const BRACKETED = /[(（]\s*(\d{1,2})\s*[)）]/g;
/** A bare number before a goal, at the start of a word. */
const BARE = /(?<!\S)["“]?(\d{1,2})[.)、．](?=\s|\p{L})/gu;

/**
 * Returns the numbered goals of a checkpoint question (Context-Agent §4.3): `(1) a laptop, (2) 16 GB`, `（1）…` or `1. … 2. …`. A
 * question without numbers is one goal as a whole. Bracketed numbers that do not count up from 1 are a fault: a goal would be
 * lost, or counted twice.
 */
export const goalsIn = (question: string): Goals => {
  const whole = question.trim();
  if (whole === '') return { ok: false, fault: 'the checkpoint question is empty' };
  const bracketed = [...whole.matchAll(BRACKETED)];
  const marks = bracketed.length > 0 ? bracketed : countingUp([...whole.matchAll(BARE)]);
  if (marks.length === 0) return { ok: true, goals: [whole] };
  const numbers = marks.map(([, number]) => Number(number));
  if (numbers.some((number, at) => number !== at + 1)) {
    return { ok: false, fault: `its goals are numbered ${numbers.join(', ')}, and not from 1 up` };
  }
  const goals = marks.map((mark, at) => tidied(whole.slice(mark.index + mark[0].length, marks[at + 1]?.index)));
  const empty = goals.indexOf('') + 1;
  return empty > 0 ? { ok: false, fault: `goal ${empty} has no words` } : { ok: true, goals };
};

/** Of bare numbers, those that form a list from 1 up: others may be anything. A single one is not a list. */
const countingUp = (marks: readonly RegExpExecArray[]): readonly RegExpExecArray[] => {
  const list: RegExpExecArray[] = [];
  for (const mark of marks) if (Number(mark[1]) === list.length + 1) list.push(mark);
  return list.length > 1 ? list : [];
};

/** Strips what joins a goal to the next one or ends the question: `, and`, `;`, `"?`. */
const tidied = (goal: string): string => {
  const words = goal
    .trim()
    .replace(/[\s,;，；、]*(?:\b(?:and|or))?\s*$/i, '')
    .replace(/[\s.,;?!"“”。？！；，]+$/u, '');
  const count = (mark: string): number => words.split(mark).length - 1;
  // A quotation mark at the end is the question's own, unless the goal opened it.
  if (count('"') % 2 === 1) return `${words}"`;
  return count('“') > count('”') ? `${words}”` : words;
};
