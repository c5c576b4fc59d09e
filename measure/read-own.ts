import * as z from 'zod/mini';
import type { LabelledDialogue } from '../src/features/evaluate/datasets/labelled-dialogue.ts';
import { itemsOf } from '../src/features/evaluate/datasets/labelled-items.ts';

const Dialogue = z.object({
  id: z.string(),
  /** Only which topic a turn belongs to is labelled. */
  topics: z.optional(z.boolean()),
  turns: z.array(z.object({ message: z.string(), reply: z.nullable(z.string()), parent: z.nullable(z.int()) })),
});

/** Dialogues written for Coppice, in `dialogues/`. */
export const readOwn = (text: string): LabelledDialogue[] =>
  itemsOf(text, Dialogue).map(({ id, topics = false, turns }) => ({
    set: topics ? 'coppice-services' : 'coppice',
    id,
    group: id,
    labels: topics ? 'topics' : 'parents',
    turns: turns.map((turn) => ({ ...turn, also: [], disputed: false })),
  }));
