import * as z from 'zod/mini';
import { itemsWithLines } from './labelled-items.ts';
import type { QuestionedDialogue } from './questioned-dialogue.ts';
import { pairUp, type Utterance } from './two-speakers.ts';

const Item = z.object({
  id: z.optional(z.union([z.string(), z.number()])),
  /** Lines that begin `Alex:` or `Bob:`, as one text or a list. */
  dialogue: z.union([z.string(), z.array(z.string())]),
  questions: z.array(z.object({ question: z.string(), response: z.string() })),
});

/**
 * Multi-Session Chat Extended (MemTree, Rezazadeh et al., arXiv 2410.14052, A.3 and A.4): 70 chats of about 200 rounds,
 * written on by a language model, and questions about them. No copy was found in public. What is read is what the paper
 * has its language models write: dialogues as lines of Alex and Bob, and questions as objects of `question` and
 * `response`; that these stand in one object, under `dialogue` and `questions`, is our own.
 *
 * Bob asks Alex, so that who asks and who answers change places here: a question is asked by no one's name. Which turns
 * an answer is in is not labelled: there is no evidence to look for.
 */
export const readMscE = (text: string, part: string): QuestionedDialogue[] =>
  itemsWithLines(text, Item).map(({ item: { id: own, dialogue, questions: asked }, broken }, at) => {
    const id = `${own ?? `${part}-${at}`}`;
    const said = [dialogue]
      .flat()
      .flatMap((lines) => lines.split('\n'))
      .flatMap(utteranceOf);
    if (said.length === 0) throw broken(`the dialogue ${id} has no lines that begin "Alex:" or "Bob:"`);
    const questions = asked.map(({ question, response }) => ({ text: question, answers: [response], evidence: [] }));
    return { set: 'msc-e', id, group: id, labels: 'topics', turns: pairUp([said]).turns, questions };
  });

const utteranceOf = (line: string): Utterance[] => {
  const [, speaker, text] = /^\s*(\w+):\s*(.+)$/.exec(line) ?? [];
  return speaker === undefined || text === undefined ? [] : [{ speaker, text: `${speaker}: ${text.trim()}` }];
};
