import * as z from 'zod/mini';
import type { LabelledDialogue, LabelledTurn } from './labelled-dialogue.ts';
import { itemsOf } from './labelled-items.ts';

const Frame = z.object({ service: z.string(), actions: z.array(z.object({ act: z.string() })) });
const Item = z.object({
  dialogue_id: z.string(),
  turns: z.array(z.object({ speaker: z.enum(['USER', 'SYSTEM']), utterance: z.string(), frames: z.array(Frame) })),
});

const TELLING = new Set(['INFORM_INTENT', 'INFORM', 'REQUEST']);

/** Schema-Guided Dialogue: the topic of a user turn is the service that its last telling frame is about. */
export const readSgd = (text: string): LabelledDialogue[] =>
  itemsOf(text, Item).map(({ dialogue_id: id, turns }) => {
    const found: LabelledTurn[] = [];
    const newest = new Map<string, number>();
    for (const [at, { speaker, utterance, frames }] of turns.entries()) {
      if (speaker !== 'USER') continue;
      const frame = frames.findLast(({ actions }) => actions.some(({ act }) => TELLING.has(act))) ?? frames.at(-1);
      const service = frame?.service ?? '';
      const parent = newest.get(service) ?? null;
      newest.set(service, found.length);
      const answer = turns[at + 1];
      const reply = answer?.speaker === 'SYSTEM' ? answer.utterance : null;
      found.push({ message: utterance, reply, parent, disputed: false });
    }
    return { set: 'sgd', id, group: id, labels: 'topics', turns: found };
  });
