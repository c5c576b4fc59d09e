import * as z from 'zod/mini';
import { itemsWithLines } from './labelled-items.ts';
import { Asked, inOrder, numberedDialogue, type Said } from './numbered-sessions.ts';
import type { QuestionedDialogue } from './questioned-dialogue.ts';

const Utterance = z.object({
  speaker: z.string(),
  dia_id: z.string(),
  text: z.string(),
  blip_caption: z.optional(z.string()),
});
const Item = z.object({
  sample_id: z.string(),
  /** `session_N`, beside `session_N_date_time`, `speaker_a` and `speaker_b`. */
  conversation: z.record(z.string(), z.union([z.array(Utterance), z.string()])),
  qa: z.array(Asked),
});

type Utterances = z.infer<typeof Utterance>[];

/**
 * LoCoMo (Maharana et al. 2024), in the form of `locomo10.json`. The dates of the sessions are not said by anyone: they
 * are the turns' times, and in no text. Evidence is of utterances: their texts,
 * and the turns that these are in.
 */
export const readLocomo = (text: string): QuestionedDialogue[] =>
  itemsWithLines(text, Item).map(({ item: { sample_id: id, conversation, qa }, broken }) => {
    const sessions = inOrder(conversation, (value): value is Utterances => Array.isArray(value));
    if (sessions.length === 0) throw broken(`the conversation ${id} has no session_1, session_2, …`);
    const said = sessions.map(({ number, session }) => {
      const at = timeOf(conversation[`session_${number}_date_time`]);
      return session.map(
        (one): Said => ({
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

/** `1:56 pm on 8 May, 2023`, by UTC. */
const timeOf = (written: unknown): number | undefined => {
  const parts =
    typeof written === 'string' ? /^(\d+)(?::(\d+))? ([ap])m on (\d+) (\w+),? (\d{4})$/.exec(written.trim()) : null;
  if (parts === null) return undefined;
  const [, hour, minute = '0', half, day, month, year] = parts;
  const midnight = Date.parse(`${day} ${month} ${year} UTC`);
  const hours = (Number(hour) % 12) + (half === 'p' ? 12 : 0);
  return Number.isNaN(midnight) ? undefined : midnight + (hours * 60 + Number(minute)) * 60_000;
};
