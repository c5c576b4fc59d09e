import * as z from 'zod/mini';
import { grouped } from '../measurement/metrics.ts';
import type { LabelledDialogue, LabelledTurn } from './labelled-dialogue.ts';
import { itemsOf } from './labelled-items.ts';

const Item = z.object({
  Conversation_no: z.int(),
  Turn_no: z.int(),
  Question: z.string(),
  Answer: z.string(),
  Topic: z.string(),
});

/**
 * TopiOCQA (Adlakha et al. 2022), in the form of `topiocqa_train.json` and `topiocqa_dev.json`: a list of all turns of
 * all conversations. The topic of a turn is the Wikipedia page it was answered from; a turn hangs from the last
 * one of its page. The pages themselves are not part of the conversation, so answers are not measured here.
 */
export const readTopiocqa = (text: string, part: string): LabelledDialogue[] =>
  [...grouped(itemsOf(text, Item), (item) => `${item.Conversation_no}`)].map(([number, items]) => {
    const newest = new Map<string, number>();
    const turns = items
      .toSorted((a, b) => a.Turn_no - b.Turn_no)
      .map((item, at): LabelledTurn => {
        const parent = newest.get(item.Topic) ?? null;
        newest.set(item.Topic, at);
        return { message: item.Question, reply: item.Answer, parent, disputed: false };
      });
    const id = `${part}-${number}`;
    return { set: 'topiocqa', id, group: id, labels: 'topics', turns };
  });
