import * as z from 'zod/mini';
import type { Question } from './questioned-dialogue.ts';
import { pairUp } from './two-speakers.ts';

/*
 * The form that LoCoMo has, and REALTALK after it: sessions by number, utterances that are called by session and place
 * (`D8:6`), and questions whose evidence names utterances.
 */

export const Asked = z.object({
  question: z.string(),
  answer: z.optional(z.union([z.string(), z.number()])),
  evidence: z.optional(z.union([z.array(z.string()), z.string()])),
  category: z.union([z.int(), z.string()]),
});

/** What was said, as it is read. */
export interface Said {
  readonly id: string;
  readonly speaker: string;
  readonly text: string;
  /** Of a picture that was shared. */
  readonly caption?: string | undefined;
  /** Milliseconds since 1970; left out where the set does not say. */
  readonly at?: number | undefined;
}

const SESSION = /^session_(\d+)$/;

/** Sessions in order of their number. */
export const inOrder = <T>(record: Readonly<Record<string, unknown>>, isSession: (value: unknown) => value is T) =>
  Object.entries(record)
    .flatMap(([key, value]): { number: number; session: T }[] => {
      const number = SESSION.exec(key)?.[1];
      return number === undefined || !isSession(value) ? [] : [{ number: Number(number), session: value }];
    })
    .toSorted((a, b) => a.number - b.number);

/** How the set numbers its categories of questions; the same in both sets. */
const TEMPORAL = 2;
const OPEN_DOMAIN = 3;
const ADVERSARIAL = 5;

/**
 * Turns, and questions with the turns that their evidence is in. Questions call the speakers by name, so each utterance has
 * its speaker's name in front, as in the authors' own prompts, and the caption of a picture that is shared.
 *
 * All categories are asked for their evidence. Answers are compared but for two: temporal ones are dates that the turns do
 * not have, and adversarial ones have no answer. Of an open-domain answer the part before its explanation counts.
 */
export const numberedDialogue = (sessions: readonly (readonly Said[])[], qa: readonly z.infer<typeof Asked>[]) => {
  const { turns, turnOf } = pairUp(
    sessions.map((session) =>
      session.map((said) => ({
        speaker: said.speaker,
        text: textOf(said),
        ...(said.at !== undefined && { at: said.at }),
      })),
    ),
  );
  const utterances = new Map<string, { readonly turn: number; readonly text: string }>();
  for (const [at, session] of sessions.entries()) {
    for (const [index, said] of session.entries()) {
      const turn = turnOf[at]?.[index] ?? null;
      if (turn !== null) for (const key of keysIn(said.id)) utterances.set(key, { turn, text: textOf(said) });
    }
  }
  const questions = qa.map(({ question, answer, evidence = [], category }): Question => {
    const found = [...new Set([evidence].flat().flatMap(keysIn))].flatMap((key) => utterances.get(key) ?? []);
    return {
      text: question,
      answers: answersOf(answer, Number(category)),
      evidence: [...new Set(found.map(({ turn }) => turn))],
      evidenceTexts: found.map(({ text }) => text),
    };
  });
  return { turns, questions };
};

const textOf = ({ speaker, text, caption }: Said): string =>
  `${speaker}: ${text}${caption === undefined ? '' : ` [shares ${caption}]`}`;

/** Ids such as `D8:6`. Some entries of the evidence hold two of them, or one written `D:8:6` or `D8:06`. */
const keysIn = (ids: string): string[] =>
  [...ids.matchAll(/D:?(\d+):(\d+)/g)].map(([, session, utterance]) => `${Number(session)}:${Number(utterance)}`);

const answersOf = (answer: string | number | undefined, category: number): string[] => {
  if (answer === undefined || category === TEMPORAL || category === ADVERSARIAL) return [];
  const text = `${answer}`;
  return [category === OPEN_DOMAIN ? (text.split(';')[0] ?? text).trim() : text];
};
