import * as z from 'zod/mini';
import type { LabelledDialogue, LabelledTurn } from './labelled-dialogue.ts';
import { itemsOf } from './labelled-items.ts';

interface Message {
  readonly text: string;
  readonly replies: readonly Message[];
}
const Message: z.ZodMiniType<Message> = z.lazy(() => z.object({ text: z.string(), replies: z.array(Message) }));
const Item = z.object({ message_tree_id: z.string(), prompt: Message });

/**
 * OpenAssistant message trees, one a line. Of the answers to a message the one with the most replies
 * is its turn's reply; further messages under the same answer fork.
 */
export const readOasst = (text: string): LabelledDialogue[] =>
  itemsOf(text, Item).map(({ message_tree_id: id, prompt }) => {
    const turns: LabelledTurn[] = [];
    const visit = ({ text: message, replies }: Message, parent: number | null) => {
      const answer = replies.reduce<Message | undefined>(
        (best, reply) => (best === undefined || reply.replies.length > best.replies.length ? reply : best),
        undefined,
      );
      const at = turns.push({ message, reply: answer?.text ?? null, parent, disputed: false }) - 1;
      for (const next of answer?.replies ?? []) visit(next, at);
    };
    visit(prompt, null);
    return { set: 'oasst', id, group: id, labels: 'parents', turns };
  });
