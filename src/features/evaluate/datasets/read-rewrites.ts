import * as z from 'zod/mini';
import type { LabelledDialogue, LabelledTurn } from './labelled-dialogue.ts';
import { itemsWithLines } from './labelled-items.ts';

const Item = z.object({
  id: z.string(),
  turns: z.array(z.object({ message: z.string(), rewrite: z.string(), reply: z.nullable(z.string()) })),
});

/**
 * Conversations whose messages people rewrote so that each stands alone (TREC CAsT 2021, iKAT 2023), a JSON line each.
 * Nobody labelled their parents: each turn hangs from the one before, for each is one conversation on one matter.
 */
export const readRewrites = (text: string): LabelledDialogue[] =>
  itemsWithLines(text, Item).map(({ item: { id, turns: rounds }, broken }) => {
    if (rounds.length === 0) throw broken(`the conversation ${id} has no turns`);
    const turns = rounds.map(
      ({ message, rewrite, reply }, at): LabelledTurn => ({
        message,
        reply,
        rewrite,
        parent: at === 0 ? null : at - 1,
        disputed: false,
      }),
    );
    return { set: 'rewrites', id, group: id, language: 'en', labels: 'topics', turns };
  });
