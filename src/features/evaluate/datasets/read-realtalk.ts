import * as z from 'zod/mini';
import { itemsWithLines } from './labelled-items.ts';
import { Asked, inOrder, numberedDialogue, type Said } from './numbered-sessions.ts';
import type { QuestionedDialogue } from './questioned-dialogue.ts';

const Utterance = z.object({
  speaker: z.string(),
  dia_id: z.string(),
  clean_text: z.optional(z.string()),
  text: z.optional(z.string()),
  date_time: z.optional(z.string()),
  blip_caption: z.optional(z.string()),
});
const Utterances = z.array(Utterance);
/** `session_N`, beside `session_N_date_time`, `events_session_N` and more. */
const Item = z.looseObject({ name: z.object({ speaker_1: z.string(), speaker_2: z.string() }), qa: z.array(Asked) });

/**
 * REALTALK (Lee et al. 2025, arXiv 2502.13270): ten chats of two people over 21 days, one object a file as
 * `Chat_1_A_B.json`. The form is LoCoMo's without `conversation` around it, known from programs that read it, for no copy
 * was at hand; every utterance has its own time.
 */
export const readRealtalk = (text: string, part: string): QuestionedDialogue[] =>
  itemsWithLines(text, Item).map(({ item, broken }, at) => {
    const id = at === 0 ? part : `${part}-${at}`;
    const sessions = inOrder(item, Array.isArray as (value: unknown) => value is unknown[]);
    if (sessions.length === 0) throw broken(`the chat ${id} has no session_1, session_2, …`);
    const said = sessions.map(({ number, session }) => {
      const read = Utterances.safeParse(session);
      if (!read.success) throw broken(`session_${number} of ${id} has an utterance without speaker or dia_id`);
      return read.data.map(
        (one): Said => ({
          id: one.dia_id,
          speaker: one.speaker,
          text: one.clean_text ?? one.text ?? '',
          caption: one.blip_caption,
          at: timeOf(one.date_time),
        }),
      );
    });
    return { set: 'realtalk', id, group: id, labels: 'topics', ...numberedDialogue(said, item.qa) };
  });

/** `29.12.2023, 11:23:21`, by UTC. */
const timeOf = (written: string | undefined): number | undefined => {
  const [, day, month, year, time] = /^(\d\d)\.(\d\d)\.(\d{4}), (\d\d:\d\d:\d\d)$/.exec(written?.trim() ?? '') ?? [];
  const at = Date.parse(`${year}-${month}-${day}T${time}Z`);
  return Number.isNaN(at) ? undefined : at;
};
