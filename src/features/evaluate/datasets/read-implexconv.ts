import * as z from 'zod/mini';
import { itemsWithLines } from './labelled-items.ts';
import type { Question, QuestionedDialogue } from './questioned-dialogue.ts';
import { pairUp, type Utterance } from './two-speakers.ts';

const Item = z.object({
  /** Sessions by number; null where a longer conversation has one and this has not. */
  conversation: z.union([z.record(z.string(), z.nullable(z.string())), z.array(z.string())]),
  qa: z.array(
    z.object({
      question: z.string(),
      answer: z.string(),
      retrieved_conv: z.union([z.string(), z.array(z.string())]),
    }),
  ),
});

/**
 * ImplexConv (Li et al., arXiv 2503.07018), rows of its sets `ImplexConv-opposed` and `ImplexConv-supportive` as JSON or
 * JSON lines.
 *
 * Confirmed from the dataset's pages and the authors' code: `conversation` is an object of sessions by number, each
 * one text of lines that begin `Speaker1:` or `Assistant:`; `qa` is a list, which may be empty, whose items have
 * `question`, `answer` and `retrieved_conv`. Not confirmed, for no copy was at hand: whether `retrieved_conv` is one
 * text or a list, and `conversation` in the supportive set a list (both are read); and that `retrieved_conv` repeats
 * its session word for word, which is how it is found here. A question whose session is not found has no
 * evidence and is not counted, so `n` says how many were found.
 *
 * What is labelled is a session: the evidence is all of its turns. The answers are sentences, some only yes or no.
 */
export const readImplexconv = (text: string, part: string): QuestionedDialogue[] =>
  itemsWithLines(text, Item).map(({ item: { conversation, qa }, broken }, at) => {
    const texts = Object.entries(conversation)
      .toSorted(([a], [b]) => Number(a) - Number(b))
      .flatMap(([, session]) => (session === null ? [] : [session]));
    const sessions = texts.map(utterancesOf);
    if (sessions.every((session) => session.length === 0)) {
      throw broken('no session has lines that begin "Speaker1:" or "Assistant:"');
    }
    const { turns, turnOf } = pairUp(sessions);
    const turnsBySession = new Map(texts.map((session, index) => [plain(session), turnOf[index] ?? []]));
    const questions = qa.map(({ question, answer, retrieved_conv: retrieved }): Question => {
      const labelled = typeof retrieved === 'string' ? [retrieved] : retrieved;
      const found = labelled.flatMap((session) => turnsBySession.get(plain(session)) ?? []);
      return { text: question, answers: [answer], evidence: [...new Set(found.filter((turn) => turn !== null))] };
    });
    const id = `${part}-${at}`;
    return { set: 'implexconv', id, group: id, labels: 'topics', turns, questions };
  });

const SPEAKER = /^(speaker[ _]?\d|assistant|user) ?: ?/i;

/** What stands before the first speaker is a heading, and left out as in the authors' code. */
const utterancesOf = (session: string): Utterance[] => {
  const said: { speaker: string; text: string }[] = [];
  for (const line of session.split('\n')) {
    const speaker = SPEAKER.exec(line);
    if (speaker !== null) said.push({ speaker: (speaker[1] ?? '').toLowerCase(), text: line.slice(speaker[0].length) });
    else if (said.length > 0) (said.at(-1) as { text: string }).text += `\n${line}`;
  }
  return said.map(({ speaker, text }) => ({ speaker, text: text.trim() }));
};

/** A session's text, however its lines are broken and whatever heading it has. */
const plain = (session: string): string => {
  const start = session.search(/^(?:speaker[ _]?\d|assistant|user) ?:/im);
  return session.slice(Math.max(0, start)).replace(/\s+/g, ' ').trim();
};
