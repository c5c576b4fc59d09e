import * as z from 'zod/mini';
import type { LabelledDialogue, LabelledTurn } from './labelled-dialogue.ts';
import { itemsWithLines } from './labelled-items.ts';

const Item = z.object({
  number: z.number(),
  turn: z.array(
    z.object({
      number: z.string(),
      participant: z.enum(['User', 'System']),
      parent: z.optional(z.string()),
      utterance: z.optional(z.string()),
      response: z.optional(z.string()),
    }),
  ),
});

/**
 * TREC CAsT 2022: trees with parents given by people. A user turn and the system turn under it make
 * one turn; a question that the system opened with belongs to the turn before it.
 */
export const readCast = (text: string): LabelledDialogue[] =>
  itemsWithLines(text, Item).map(({ item: { number, turn: entries }, broken }) => {
    const turns: LabelledTurn[] = [];
    const turnOf = new Map<string, number>();
    for (const entry of entries) {
      const above = entry.parent === undefined ? undefined : turnOf.get(entry.parent);
      if (entry.parent !== undefined && above === undefined) {
        throw broken(`turn ${entry.number} of tree ${number} hangs from ${entry.parent}, which is no turn before it`);
      }
      if (entry.participant === 'System') {
        if (above !== undefined) turnOf.set(entry.number, above);
        continue;
      }
      turnOf.set(entry.number, turns.length);
      const answer = entries.find((other) => other.participant === 'System' && other.parent === entry.number);
      turns.push({
        message: entry.utterance ?? '',
        reply: answer?.response ?? null,
        parent: above ?? (turns.length === 0 ? null : 0),
        disputed: false,
      });
    }
    return { set: 'cast2022', id: `${number}`, group: `${number}`, labels: 'parents', turns };
  });
