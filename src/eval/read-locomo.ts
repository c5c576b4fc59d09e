import * as z from 'zod/mini';
import { itemsWithLines } from './labelled-items.ts';
import type { Question, QuestionedDialogue } from './questioned-dialogue.ts';
import { pairUp } from './two-speakers.ts';

const Utterance = z.object({
  speaker: z.string(),
  dia_id: z.string(),
  text: z.string(),
  blip_caption: z.optional(z.string()),
});
const Asked = z.object({
  question: z.string(),
  answer: z.optional(z.union([z.string(), z.number()])),
  evidence: z.optional(z.array(z.string())),
  category: z.int(),
});
const Item = z.object({
  sample_id: z.string(),
  /** `session_N`, beside `session_N_date_time`, `speaker_a` and `speaker_b`. */
  conversation: z.record(z.string(), z.union([z.array(Utterance), z.string()])),
  qa: z.array(Asked),
});

const SESSION = /^session_(\d+)$/;

/** Categories of questions, as the set numbers them. */
const TEMPORAL = 2;
const OPEN_DOMAIN = 3;
const ADVERSARIAL = 5;

/**
 * LoCoMo (Maharana et al. 2024), in the form of `locomo10.json`. Questions call the speakers by name, so each utterance
 * has its speaker's name in front, as in the authors' own prompts, and the caption of a picture that is shared.
 * The dates of the sessions are not said by anyone and left out.
 *
 * Evidence is of utterances: their texts, and the turns that these are in. All five categories are asked for their
 * evidence. Answers are compared but for two: temporal ones are dates that the turns do not have, and
 * adversarial ones have no answer. Of an open-domain answer the part before its explanation counts.
 */
export const readLocomo = (text: string): QuestionedDialogue[] =>
  itemsWithLines(text, Item).map(({ item: { sample_id: id, conversation, qa }, broken }) => {
    const sessions = sessionsOf(conversation);
    if (sessions.length === 0) throw broken(`the conversation ${id} has no session_1, session_2, …`);
    const { turns, turnOf } = pairUp(
      sessions.map((session) => session.map((said) => ({ speaker: said.speaker, text: textOf(said) }))),
    );
    const utterances = new Map<string, { readonly turn: number; readonly text: string }>();
    for (const [at, session] of sessions.entries()) {
      for (const [index, said] of session.entries()) {
        const turn = turnOf[at]?.[index] ?? null;
        if (turn !== null) for (const key of keysIn(said.dia_id)) utterances.set(key, { turn, text: textOf(said) });
      }
    }
    const questions = qa.map(({ question, answer, evidence = [], category }): Question => {
      const found = [...new Set(evidence.flatMap(keysIn))].flatMap((key) => utterances.get(key) ?? []);
      return {
        text: question,
        answers: answersOf(answer, category),
        evidence: [...new Set(found.map(({ turn }) => turn))],
        evidenceTexts: found.map(({ text: said }) => said),
      };
    });
    return { set: 'locomo', id, group: id, labels: 'topics', turns, questions };
  });

type Utterances = readonly z.infer<typeof Utterance>[];

const sessionsOf = (conversation: z.infer<typeof Item>['conversation']): Utterances[] =>
  Object.entries(conversation)
    .flatMap(([key, value]): { number: number; said: Utterances }[] => {
      const number = SESSION.exec(key)?.[1];
      return number === undefined || typeof value === 'string' ? [] : [{ number: Number(number), said: value }];
    })
    .toSorted((a, b) => a.number - b.number)
    .map(({ said }) => said);

const textOf = ({ speaker, text, blip_caption: caption }: z.infer<typeof Utterance>): string =>
  `${speaker}: ${text}${caption === undefined ? '' : ` [shares ${caption}]`}`;

/** Ids such as `D8:6`. Some entries of the evidence hold two of them, or one written `D:8:6` or `D8:06`. */
const keysIn = (ids: string): string[] =>
  [...ids.matchAll(/D:?(\d+):(\d+)/g)].map(([, session, utterance]) => `${Number(session)}:${Number(utterance)}`);

const answersOf = (answer: string | number | undefined, category: number): string[] => {
  if (answer === undefined || category === TEMPORAL || category === ADVERSARIAL) return [];
  const text = `${answer}`;
  return [category === OPEN_DOMAIN ? (text.split(';')[0] ?? text).trim() : text];
};
