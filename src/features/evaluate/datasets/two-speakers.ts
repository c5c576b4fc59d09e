import * as z from 'zod/mini';
import { oneLine } from '../../../engine/text/words.ts';
import {
  grouped,
  itemsOf,
  itemsWithLines,
  type LabelledTurn,
  type Question,
  type QuestionedDialogue,
} from './dialogues.ts';

interface Utterance {
  readonly speaker: string;
  readonly text: string;
  /** When it was said, in milliseconds since 1970; omitted if unknown. */
  readonly at?: number;
}

interface PairedTurns {
  readonly turns: readonly LabelledTurn[];
  /** Index of the turn that contains each utterance, by session and utterance; null for a blank utterance. */
  readonly turnOf: readonly (readonly (number | null)[])[];
}

/** Joins consecutive utterances by the same speaker. */
const JOINT = '\n';

/**
 * Pairs a chat between two people into turns, session by session: the speaker who opens a session provides the messages, and
 * what anyone else says in response is the reply. Consecutive utterances by the same speaker are merged. A turn never spans
 * two sessions, and a session's last turn may lack a reply. Blank utterances are skipped.
 */
export const pairUp = (sessions: readonly (readonly Utterance[])[]): PairedTurns => {
  const turns: { message: string; reply: string | null; parent: null; disputed: false; at?: number }[] = [];
  const turnOf = sessions.map((session) => {
    const opener = session.find(({ text }) => text.trim() !== '')?.speaker;
    let turn: (typeof turns)[number] | undefined;
    return session.map(({ speaker, text, at }): number | null => {
      if (text.trim() === '') return null;
      if (turn !== undefined && speaker !== opener) {
        turn.reply = turn.reply === null ? text : turn.reply + JOINT + text;
      } else if (turn !== undefined && turn.reply === null) {
        turn.message += JOINT + text;
      } else {
        turn = { message: text, reply: null, parent: null, disputed: false, ...(at !== undefined && { at }) };
        turns.push(turn);
      }
      return turns.length - 1;
    });
  });
  return { turns, turnOf };
};

const MscSession = z.array(z.object({ text: z.string() }));
const MscChat = z.object({
  metadata: z.object({ initial_data_id: z.string() }),
  previous_dialogs: z.array(z.object({ dialog: MscSession })),
  dialog: MscSession,
  /** Only in MSC-Self-Instruct: B is the question, A the answer. */
  self_instruct: z.optional(z.object({ A: z.string(), B: z.string() })),
});

/**
 * Multi-MscSession Chat (Xu et al. 2022), in the form of ParlAI's `msc_dialogue/session_N/{train,valid,test}.txt`: JSON
 * lines, each with a session and those before it. Also MSC-Self-Instruct (Packer et al. 2023), the same lines with a
 * question and its answer. The two speakers alternate. Neither form says which earlier turn an utterance or answer needs
 * (`msc_personasummary` marks the utterances that reveal a persona, not where one is needed), so there is no evidence to
 * look for.
 */
export const readMsc = (text: string): QuestionedDialogue[] =>
  itemsOf(text, MscChat).map(
    ({ metadata: { initial_data_id: id }, previous_dialogs, dialog, self_instruct: asked }) => {
      const sessions = [...previous_dialogs, { dialog }].map((session) =>
        session.dialog.map((said, at): Utterance => ({ speaker: `Speaker ${1 + (at % 2)}`, text: said.text })),
      );
      const questions: Question[] = asked === undefined ? [] : [{ text: asked.B, answers: [asked.A], evidence: [] }];
      return { set: 'msc', id, group: id, labels: 'topics', turns: pairUp(sessions).turns, questions };
    },
  );

/** Files of later sessions repeat the earlier ones: keeps the longest version of each chat, preferring one with a question. */
export const longestChats = (chats: readonly QuestionedDialogue[]): QuestionedDialogue[] => {
  const better = (a: QuestionedDialogue, b: QuestionedDialogue) =>
    b.turns.length - a.turns.length || b.questions.length - a.questions.length;
  return [...grouped(chats, ({ id }) => id).values()].flatMap((same) => same.toSorted(better).slice(0, 1));
};

const ExtendedChat = z.object({
  id: z.optional(z.union([z.string(), z.number()])),
  /** Lines that start with `Alex:` or `Bob:`, as one text or a list. */
  dialogue: z.union([z.string(), z.array(z.string())]),
  questions: z.array(z.object({ question: z.string(), response: z.string() })),
});

/**
 * Multi-Session Chat Extended (MemTree, Rezazadeh et al., arXiv 2410.14052, A.3 and A.4): 70 chats of about 200 rounds,
 * extended by a language model, with questions about them. No public copy was found. The format follows what the paper has
 * its language models write: dialogues as lines of Alex and Bob, and questions as objects with `question` and `response`.
 * Combining them in one object, under `dialogue` and `questions`, is our own choice.
 *
 * Bob asks Alex, so the asking and answering roles are swapped here: a question is not attributed to any name. The turns
 * that contain an answer are not labelled, so there is no evidence to look for.
 */
export const readMscE = (text: string, part: string): QuestionedDialogue[] =>
  itemsWithLines(text, ExtendedChat).map(({ item: { id: own, dialogue, questions: asked }, broken }, at) => {
    const id = `${own ?? `${part}-${at}`}`;
    const said = [dialogue]
      .flat()
      .flatMap((lines) => lines.split('\n'))
      .flatMap(utteranceOf);
    if (said.length === 0) throw broken(`the dialogue ${id} has no lines that start with "Alex:" or "Bob:"`);
    const questions = asked.map(({ question, response }) => ({ text: question, answers: [response], evidence: [] }));
    return { set: 'msc-e', id, group: id, labels: 'topics', turns: pairUp([said]).turns, questions };
  });

const utteranceOf = (line: string): Utterance[] => {
  const [, speaker, text] = /^\s*(\w+):\s*(.+)$/.exec(line) ?? [];
  return speaker === undefined || text === undefined ? [] : [{ speaker, text: `${speaker}: ${text.trim()}` }];
};

const ImplexconvRow = z.object({
  /** Sessions by number; null where a longer conversation has a session that this one lacks. */
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
 * ImplexConv (Li et al., arXiv 2503.07018): rows of its sets `ImplexConv-opposed` and `ImplexConv-supportive` as JSON or
 * JSON lines.
 *
 * Confirmed from the dataset's pages and the authors' code: `conversation` is an object of sessions by number, each a single
 * text of lines that start with `Speaker1:` or `Assistant:`; `qa` is a list, possibly empty, whose items have `question`,
 * `answer` and `retrieved_conv`. Not confirmed, as no copy was available: whether `retrieved_conv` is one text or a list,
 * whether `conversation` is a list in the supportive set (both are accepted), and whether `retrieved_conv` repeats its
 * session word for word, which is how it is found here. A question whose session is not found has no evidence and is not
 * counted, so `n` shows how many were found.
 *
 * Labels refer to whole sessions: the evidence is all turns of a session. Answers are sentences, some just yes or no.
 */
export const readImplexconv = (text: string, part: string): QuestionedDialogue[] =>
  itemsWithLines(text, ImplexconvRow).map(({ item: { conversation, qa }, broken }, at) => {
    const texts = Object.entries(conversation)
      .toSorted(([a], [b]) => Number(a) - Number(b))
      .flatMap(([, session]) => (session === null ? [] : [session]));
    const sessions = texts.map(utterancesOf);
    if (sessions.every((session) => session.length === 0)) {
      throw broken('no session has lines that start with "Speaker1:" or "Assistant:"');
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

/** Text before the first speaker is a heading and is skipped, as in the authors' code. */
const utterancesOf = (session: string): Utterance[] => {
  const said: { speaker: string; text: string }[] = [];
  for (const line of session.split('\n')) {
    const speaker = SPEAKER.exec(line);
    if (speaker !== null) said.push({ speaker: (speaker[1] ?? '').toLowerCase(), text: line.slice(speaker[0].length) });
    else if (said.length > 0) (said.at(-1) as { text: string }).text += `\n${line}`;
  }
  return said.map(({ speaker, text }) => ({ speaker, text: text.trim() }));
};

/** A session's text, normalised so that line breaks and headings do not matter. */
const plain = (session: string): string => {
  const start = session.search(/^(?:speaker[ _]?\d|assistant|user) ?:/im);
  return oneLine(session.slice(Math.max(0, start)));
};
