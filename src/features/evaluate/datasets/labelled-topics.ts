import * as z from 'zod/mini';
import { grouped, itemsOf, itemsWithLines, type LabelledDialogue, type LabelledTurn } from './dialogues.ts';

const SgdFrame = z.object({ service: z.string(), actions: z.array(z.object({ act: z.string() })) });
const SgdDialogue = z.object({
  dialogue_id: z.string(),
  turns: z.array(z.object({ speaker: z.enum(['USER', 'SYSTEM']), utterance: z.string(), frames: z.array(SgdFrame) })),
});

const TELLING = new Set(['INFORM_INTENT', 'INFORM', 'REQUEST']);

/** Schema-Guided Dialogue: a user turn's topic is the service of its last informative frame. */
export const readSgd = (text: string): LabelledDialogue[] =>
  itemsOf(text, SgdDialogue).map(({ dialogue_id: id, turns }) => {
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

const TiageDialogues = z.record(z.string(), z.array(z.tuple([z.string(), z.enum(['-1', '0', '1'])])));

/** TIAGE: small talk between two people. Every utterance is a turn without a reply, and a shift opens a topic. */
export const readTiage = (text: string, part: string): LabelledDialogue[] =>
  itemsOf(text, TiageDialogues).flatMap((dialogues) =>
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

const TopiocqaTurn = z.object({
  Conversation_no: z.int(),
  Turn_no: z.int(),
  Question: z.string(),
  Answer: z.string(),
  Topic: z.string(),
});

/**
 * TopiOCQA (Adlakha et al. 2022), in the form of `topiocqa_train.json` and `topiocqa_dev.json`: a list of all turns of all
 * conversations. A turn's topic is the Wikipedia page it was answered from; its parent is the last turn on the same page.
 * The pages themselves are not part of the conversation, so answers are not measured here.
 */
export const readTopiocqa = (text: string, part: string): LabelledDialogue[] =>
  [...grouped(itemsOf(text, TopiocqaTurn), (item) => `${item.Conversation_no}`)].map(([number, items]) => {
    const newest = new Map<string, number>();
    const turns = items
      .toSorted((a, b) => a.Turn_no - b.Turn_no)
      .map((item, at): LabelledTurn => {
        const parent = newest.get(item.Topic) ?? null;
        newest.set(item.Topic, at);
        return { message: item.Question, reply: item.Answer, parent, disputed: false };
      });
    const id = `${part}-${number}`;
    return { set: 'topiocqa', id, group: id, labels: 'topics', turns };
  });

const RewrittenConversation = z.object({
  id: z.string(),
  turns: z.array(z.object({ message: z.string(), rewrite: z.string(), reply: z.nullable(z.string()) })),
});

/**
 * Conversations whose messages were rewritten by people to stand alone (TREC CAsT 2021, iKAT 2023), one JSON line each:
 * not in the form in which these were published, which differs between them, but converted to one form.
 * Parents are not labelled: each turn's parent is the previous turn, since each conversation covers a single subject.
 */
export const readRewrites = (text: string): LabelledDialogue[] =>
  itemsWithLines(text, RewrittenConversation).map(({ item: { id, turns: rounds }, broken }) => {
    if (rounds.length === 0) throw broken(`the conversation ${id} has no turns`);
    const turns = rounds.map(
      ({ message, rewrite, reply }, at): LabelledTurn => ({
        message,
        reply,
        rewrite,
        parent: at === 0 ? null : at - 1,
        disputed: false,
      }),
    );
    return { set: 'rewrites', id, group: id, language: 'en', labels: 'topics', turns };
  });
