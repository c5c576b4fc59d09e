import * as z from 'zod/mini';
import type { LabelledDialogue } from './labelled-dialogue.ts';
import { itemsOf } from './labelled-items.ts';

const Item = z.record(z.string(), z.array(z.tuple([z.string(), z.enum(['-1', '0', '1'])])));

/** TIAGE: small talk between two people; every utterance is a turn without a reply, and a shift opens a topic. */
export const readTiage = (text: string, part: string): LabelledDialogue[] =>
  itemsOf(text, Item).flatMap((dialogues) =>
    Object.entries(dialogues).map(([key, utterances]) => {
      const id = `${part}-${key}`;
      const turns = utterances.map(([message, label], at) => ({
        message,
        reply: null,
        parent: label === '0' && at > 0 ? at - 1 : null,
        disputed: false,
      }));
      return { set: 'tiage', id, group: id, labels: 'topics', turns };
    }),
  );
