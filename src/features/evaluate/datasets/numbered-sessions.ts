import * as z from 'zod/mini';
import { itemsWithLines, type Question, type QuestionedDialogue } from './dialogues.ts';
import { pairUp } from './two-speakers.ts';

/*
 * The format that LoCoMo and REALTALK share: numbered sessions, utterances identified by session and position (`D8:6`), and
 * questions whose evidence names utterances.
 */

const QuestionEntry = z.object({
  question: z.string(),
  answer: z.optional(z.union([z.string(), z.number()])),
  evidence: z.optional(z.union([z.array(z.string()), z.string()])),
  category: z.union([z.int(), z.string()]),
});

/** An utterance as parsed. */
interface SessionUtterance {
  readonly id: string;
  readonly speaker: string;
  readonly text: string;
  /** Caption of a shared picture. */
  readonly caption?: string | undefined;
  /** Milliseconds since 1970; omitted if the set does not say. */
  readonly at?: number | undefined;
}

const SESSION = /^session_(\d+)$/;

/** Sessions in numeric order. */
const inOrder = <T>(record: Readonly<Record<string, unknown>>, isSession: (value: unknown) => value is T) =>
  Object.entries(record)
    .flatMap(([key, value]): { number: number; session: T }[] => {
      const number = SESSION.exec(key)?.[1];
      return number === undefined || !isSession(value) ? [] : [{ number: Number(number), session: value }];
    })
    .toSorted((a, b) => a.number - b.number);

/** The set's numbering of its question categories; the same in both sets. */
const TEMPORAL = 2;
const OPEN_DOMAIN = 3;
const ADVERSARIAL = 5;

/**
 * Builds the turns, and the questions with the turns that contain their evidence. Questions refer to speakers by name, so
 * each utterance is prefixed with its speaker's name, as in the authors' own prompts, and includes the caption of a shared
 * picture.
 *
 * Evidence is measured for all categories. Answers are compared for all but two: temporal answers are dates that the turns
 * do not contain, and adversarial questions have no answer. For open-domain answers, only the part before the explanation
 * counts.
 */
const numberedDialogue = (
  sessions: readonly (readonly SessionUtterance[])[],
  qa: readonly z.infer<typeof QuestionEntry>[],
) => {
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

const textOf = ({ speaker, text, caption }: SessionUtterance): string =>
  `${speaker}: ${text}${caption === undefined ? '' : ` [shares ${caption}]`}`;

/** Parses ids such as `D8:6`. Some evidence entries hold two of them, or one written as `D:8:6` or `D8:06`. */
const keysIn = (ids: string): string[] =>
  [...ids.matchAll(/D:?(\d+):(\d+)/g)].map(([, session, utterance]) => `${Number(session)}:${Number(utterance)}`);

const answersOf = (answer: string | number | undefined, category: number): string[] => {
  if (answer === undefined || category === TEMPORAL || category === ADVERSARIAL) return [];
  const text = `${answer}`;
  return [category === OPEN_DOMAIN ? (text.split(';')[0] ?? text).trim() : text];
};

const LocomoUtterance = z.object({
  speaker: z.string(),
  dia_id: z.string(),
  text: z.string(),
  blip_caption: z.optional(z.string()),
});
const LocomoConversation = z.object({
  sample_id: z.string(),
  /** `session_N`, alongside `session_N_date_time`, `speaker_a` and `speaker_b`. */
  conversation: z.record(z.string(), z.union([z.array(LocomoUtterance), z.string()])),
  qa: z.array(QuestionEntry),
});

type LocomoUtterances = z.infer<typeof LocomoUtterance>[];

/**
 * LoCoMo (Maharana et al. 2024), in the form of `locomo10.json`. Nobody mentions the session dates, so they only set the
 * turns' times and appear in no text. Evidence refers to utterances: it yields their texts and the turns that contain them.
 */
export const readLocomo = (text: string): QuestionedDialogue[] =>
  itemsWithLines(text, LocomoConversation).map(({ item: { sample_id: id, conversation, qa }, broken }) => {
    const sessions = inOrder(conversation, (value): value is LocomoUtterances => Array.isArray(value));
    if (sessions.length === 0) throw broken(`the conversation ${id} has no session_1, session_2, …`);
    const said = sessions.map(({ number, session }) => {
      const at = locomoTime(conversation[`session_${number}_date_time`]);
      return session.map(
        (one): SessionUtterance => ({
          id: one.dia_id,
          speaker: one.speaker,
          text: one.text,
          caption: one.blip_caption,
          at,
        }),
      );
    });
    return { set: 'locomo', id, group: id, labels: 'topics', ...numberedDialogue(said, qa) };
  });

/** Parses `1:56 pm on 8 May, 2023` as UTC. */
const locomoTime = (written: unknown): number | undefined => {
  const parts =
    typeof written === 'string' ? /^(\d+)(?::(\d+))? ([ap])m on (\d+) (\w+),? (\d{4})$/.exec(written.trim()) : null;
  if (parts === null) return undefined;
  const [, hour, minute = '0', half, day, month, year] = parts;
  const midnight = Date.parse(`${day} ${month} ${year} UTC`);
  const hours = (Number(hour) % 12) + (half === 'p' ? 12 : 0);
  return Number.isNaN(midnight) ? undefined : midnight + (hours * 60 + Number(minute)) * 60_000;
};

const RealtalkUtterance = z.object({
  speaker: z.string(),
  dia_id: z.string(),
  clean_text: z.optional(z.string()),
  text: z.optional(z.string()),
  date_time: z.optional(z.string()),
  blip_caption: z.optional(z.string()),
});
const RealtalkUtterances = z.array(RealtalkUtterance);
/** `session_N`, alongside `session_N_date_time`, `events_session_N` and more. */
const RealtalkChat = z.looseObject({
  name: z.object({ speaker_1: z.string(), speaker_2: z.string() }),
  qa: z.array(QuestionEntry),
});

/**
 * REALTALK (Lee et al. 2025, arXiv 2502.13270): ten chats between two people over 21 days, one object per file, such as
 * `Chat_1_A_B.json`. The format is LoCoMo's without the enclosing `conversation`. It was derived from programs that read it,
 * as no copy was available; every utterance has its own time.
 */
export const readRealtalk = (text: string, part: string): QuestionedDialogue[] =>
  itemsWithLines(text, RealtalkChat).map(({ item, broken }, at) => {
    const id = at === 0 ? part : `${part}-${at}`;
    const sessions = inOrder(item, Array.isArray as (value: unknown) => value is unknown[]);
    if (sessions.length === 0) throw broken(`the chat ${id} has no session_1, session_2, …`);
    const said = sessions.map(({ number, session }) => {
      const read = RealtalkUtterances.safeParse(session);
      if (!read.success) throw broken(`session_${number} of ${id} has an utterance without speaker or dia_id`);
      return read.data.map(
        (one): SessionUtterance => ({
          id: one.dia_id,
          speaker: one.speaker,
          text: one.clean_text ?? one.text ?? '',
          caption: one.blip_caption,
          at: realtalkTime(one.date_time),
        }),
      );
    });
    return { set: 'realtalk', id, group: id, labels: 'topics', ...numberedDialogue(said, item.qa) };
  });

/** Parses `29.12.2023, 11:23:21` as UTC. */
const realtalkTime = (written: string | undefined): number | undefined => {
  const [, day, month, year, time] = /^(\d\d)\.(\d\d)\.(\d{4}), (\d\d:\d\d:\d\d)$/.exec(written?.trim() ?? '') ?? [];
  const at = Date.parse(`${year}-${month}-${day}T${time}Z`);
  return Number.isNaN(at) ? undefined : at;
};
