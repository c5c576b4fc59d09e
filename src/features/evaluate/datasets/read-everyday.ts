import * as z from 'zod/mini';
import type { LabelledDialogue, LabelledTurn, Need } from './labelled-dialogue.ts';
import { itemsWithLines } from './labelled-items.ts';

const Needs = z.array(z.object({ turn: z.int(), part: z.enum(['message', 'reply']) }));
const Item = z.object({
  id: z.string(),
  lang: z.string(),
  turns: z.array(
    z.object({
      message: z.string(),
      reply: z.nullable(z.string()),
      parent: z.int(),
      needs: z.optional(Needs),
      orNeeds: z.optional(z.array(Needs)),
    }),
  ),
});

/** Everyday talk, written for Coppice: a parent in every turn (from 1; 0 opens a topic), in some also what its answer needs. */
export const readEveryday = (text: string): LabelledDialogue[] =>
  itemsWithLines(text, Item).map(({ item: { id, lang, turns: rounds }, broken }) => {
    const turns = rounds.map(({ message, reply, parent, needs, orNeeds }, at): LabelledTurn => {
      const earlier = (turn: number, what: string): number => {
        if (turn >= 1 && turn <= at) return turn - 1;
        throw broken(`turn ${at + 1} of ${id} ${what} turn ${turn}, which is no turn before it`);
      };
      const indexed = (list: readonly Need[]) =>
        list.map(({ turn, part }): Need => ({ turn: earlier(turn, 'needs'), part }));
      return {
        message,
        reply,
        parent: parent === 0 ? null : earlier(parent, 'hangs from'),
        disputed: false,
        ...(needs && { needs: indexed(needs) }),
        ...(orNeeds && { orNeeds: orNeeds.map(indexed) }),
      };
    });
    return { set: 'everyday', id, group: id, language: lang, labels: 'parents', turns };
  });
