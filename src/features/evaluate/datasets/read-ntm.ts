import * as z from 'zod/mini';
import type { LabelledDialogue, LabelledTurn } from './labelled-dialogue.ts';
import { itemsOf, itemsWithLines } from './labelled-items.ts';

const Line = z.object({ conversation_id: z.string(), user_turns: z.array(z.object({ content: z.string() })) });
const Numbers = z.array(z.int());
const Labels = z.object({
  conversation_id: z.string(),
  parent: Numbers,
  also: z.optional(z.record(z.string(), Numbers)),
  disputed: Numbers,
});

/** The dialogues of the NTM benchmark (Context-Agent §4), labelled or not: the user's messages by conversation. */
export const readNtmMessages = (text: string): Map<string, string[]> =>
  new Map(
    itemsOf(text, Line).map(({ conversation_id: id, user_turns: turns }) => [id, turns.map(({ content }) => content)]),
  );

/** Its labelled dialogues: user turns only. A label whose conversation is not there is left out. */
export const readNtm = (messagesOf: ReadonlyMap<string, readonly string[]>, labels: string): LabelledDialogue[] =>
  itemsWithLines(labels, Labels).flatMap(({ item, broken }) => {
    const { conversation_id: id, parent: parents, also = {}, disputed } = item;
    const messages = messagesOf.get(id);
    if (messages === undefined) return [];
    const earlier = (turn: number, from: number): number => {
      if (turn >= 1 && turn <= from) return turn - 1;
      throw broken(`turn ${from + 1} of ${id} points at turn ${turn}, which is no turn before it`);
    };
    if (parents.length > messages.length) {
      throw broken(`${id} has ${messages.length} turns, but labels for ${parents.length}`);
    }
    const turns = parents.map(
      (parent, at): LabelledTurn => ({
        message: messages[at] ?? '',
        reply: null,
        parent: parent === 0 ? null : earlier(parent, at),
        also: (also[at + 1] ?? []).map((turn) => earlier(turn, at)),
        disputed: disputed.includes(at + 1),
      }),
    );
    return [{ set: 'ntm', id, group: id, labels: 'parents', turns }];
  });
