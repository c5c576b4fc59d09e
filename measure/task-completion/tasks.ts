import * as z from 'zod/mini';
import { type DataFile, itemsIn } from '../../src/features/evaluate/datasets/data-files.ts';
import { itemsWithLines } from '../../src/features/evaluate/datasets/labelled-items.ts';
import { goalsIn } from './goals.ts';

const Line = z.object({
  conversation_id: z.string(),
  user_turns: z.array(z.object({ content: z.string() })).check(z.minLength(1)),
  checkpoint_question: z.string(),
});

/** A dialogue of the NTM benchmark with what its last answer is to reach (Context-Agent §4.3). */
export interface Task {
  readonly id: string;
  /** What the user says, turn by turn. */
  readonly messages: readonly string[];
  /** The checkpoint question as it came, and the goals that it numbers. */
  readonly question: string;
  readonly goals: readonly string[];
}

const readTasks = (text: string): Task[] =>
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
export const tasksIn = (files: readonly DataFile[]): Task[] => itemsIn(files, 'ntm', readTasks);
