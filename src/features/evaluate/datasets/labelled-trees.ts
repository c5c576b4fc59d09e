import * as z from 'zod/mini';
import {
  itemsOf,
  itemsWithLines,
  type LabelledDialogue,
  type LabelledTurn,
  type Need,
  type Relation,
} from './dialogues.ts';

const Needs = z.array(z.object({ turn: z.int(), part: z.enum(['message', 'reply']) }));
const EverydayConversation = z.object({
  id: z.string(),
  lang: z.string(),
  turns: z.array(
    z.object({
      message: z.string(),
      reply: z.nullable(z.string()),
      parent: z.int(),
      needs: z.optional(Needs),
      orNeeds: z.optional(z.array(Needs)),
    }),
  ),
});

/** Everyday talk, written for Coppice: every turn has a parent (from 1; 0 opens a topic), and some also list what the answer needs. */
export const readEveryday = (text: string): LabelledDialogue[] =>
  itemsWithLines(text, EverydayConversation).map(({ item: { id, lang, turns: rounds }, broken }) => {
    const turns = rounds.map(({ message, reply, parent, needs, orNeeds }, at): LabelledTurn => {
      const earlier = (turn: number, what: string): number => {
        if (turn >= 1 && turn <= at) return turn - 1;
        throw broken(`turn ${at + 1} of ${id} ${what} turn ${turn}, which is not an earlier turn`);
      };
      const indexed = (list: readonly Need[]) =>
        list.map(({ turn, part }): Need => {
          const needed = earlier(turn, 'needs');
          // It would count as sent under every policy, at any size.
          if ((rounds[needed]?.[part] ?? '').trim() === '') {
            throw broken(`turn ${at + 1} of ${id} needs the ${part} of turn ${turn}, which has none`);
          }
          return { turn: needed, part };
        });
      return {
        message,
        reply,
        parent: parent === 0 ? null : earlier(parent, 'hangs from'),
        disputed: false,
        ...(needs && { needs: indexed(needs) }),
        ...(orNeeds && { orNeeds: orNeeds.map(indexed) }),
      };
    });
    return { set: 'everyday', id, group: id, language: languageOf(lang), labels: 'parents', turns };
  });

/** The language of a code with a region or script: `pt` of `pt-BR`. */
const languageOf = (lang: string): string => lang.toLowerCase().replace(/[-_].*$/, '');

const CastTree = z.object({
  number: z.number(),
  turn: z.array(
    z.object({
      number: z.string(),
      participant: z.enum(['User', 'System']),
      parent: z.optional(z.string()),
      utterance: z.optional(z.string()),
      response: z.optional(z.string()),
    }),
  ),
});

/**
 * TREC CAsT 2022: trees with human-labelled parents. A user turn and the system turn below it form one turn; a question that
 * the system opens with belongs to the turn before it.
 */
export const readCast = (text: string): LabelledDialogue[] =>
  itemsWithLines(text, CastTree).map(({ item: { number, turn: entries }, broken }) => {
    const turns: LabelledTurn[] = [];
    const turnOf = new Map<string, number>();
    for (const entry of entries) {
      const above = entry.parent === undefined ? undefined : turnOf.get(entry.parent);
      if (entry.parent !== undefined && above === undefined) {
        throw broken(`turn ${entry.number} of tree ${number} hangs from ${entry.parent}, which is not an earlier turn`);
      }
      if (entry.participant === 'System') {
        if (above !== undefined) turnOf.set(entry.number, above);
        continue;
      }
      turnOf.set(entry.number, turns.length);
      const answer = entries.find((other) => other.participant === 'System' && other.parent === entry.number);
      turns.push({
        message: entry.utterance ?? '',
        reply: answer?.response ?? null,
        parent: above ?? (turns.length === 0 ? null : 0),
        disputed: false,
      });
    }
    return { set: 'cast2022', id: `${number}`, group: `${number}`, labels: 'parents', turns };
  });

const NtmConversation = z.object({
  conversation_id: z.string(),
  user_turns: z.array(z.object({ content: z.string() })),
});
const TurnNumbers = z.array(z.int());
const NtmLabels = z.object({
  conversation_id: z.string(),
  parent: TurnNumbers,
  also: z.optional(z.record(z.string(), TurnNumbers)),
  disputed: TurnNumbers,
});

/** The dialogues of the NTM benchmark (Context-Agent §4), labelled or not: user messages by conversation. */
export const readNtmMessages = (text: string): Map<string, string[]> =>
  new Map(
    itemsOf(text, NtmConversation).map(({ conversation_id: id, user_turns: turns }) => [
      id,
      turns.map(({ content }) => content),
    ]),
  );

/** The labelled dialogues of NTM, user turns only. Skips labels whose conversation is missing. */
export const readNtm = (messagesOf: ReadonlyMap<string, readonly string[]>, labels: string): LabelledDialogue[] =>
  itemsWithLines(labels, NtmLabels).flatMap(({ item, broken }) => {
    const { conversation_id: id, parent: parents, also = {}, disputed } = item;
    const messages = messagesOf.get(id);
    if (messages === undefined) return [];
    const earlier = (turn: number, from: number): number => {
      if (turn >= 1 && turn <= from) return turn - 1;
      throw broken(`turn ${from + 1} of ${id} points at turn ${turn}, which is not an earlier turn`);
    };
    if (parents.length > messages.length) {
      throw broken(`${id} has ${messages.length} turns, but labels for ${parents.length}`);
    }
    const turns = parents.map(
      (parent, at): LabelledTurn => ({
        message: messages[at] ?? '',
        reply: null,
        parent: parent === 0 ? null : earlier(parent, at),
        also: (also[at + 1] ?? []).map((turn) => earlier(turn, at)),
        disputed: disputed.includes(at + 1),
      }),
    );
    return [{ set: 'ntm', id, group: id, labels: 'parents', turns }];
  });

const StudyGold = z.object({
  format: z.literal('coppice-gold'),
  version: z.literal(1),
  study: z.string(),
  id: z.string(),
  turns: z.array(
    z.object({
      message: z.string(),
      speaker: z.optional(z.string()),
      reply: z.nullable(z.string()),
      parent: z.nullable(z.union([z.int(), z.literal('elsewhere')])),
      also: TurnNumbers,
      disputed: z.boolean(),
    }),
  ),
});

/**
 * The gold labels of a study: parents count from 1, and 0 opens a topic. A turn that continues something outside the
 * dialogue also opens a topic.
 */
export const readStudyGold = (text: string): LabelledDialogue[] =>
  itemsWithLines(text, StudyGold).map(({ item: { study, id, turns: labelled }, broken }) => {
    const earlier = (turn: number, from: number): number => {
      if (turn >= 1 && turn <= from) return turn - 1;
      throw broken(`turn ${from + 1} of ${id} points at turn ${turn}, which is not an earlier turn`);
    };
    const turns = labelled.map(({ message, speaker, reply, parent, also, disputed }, at): LabelledTurn => {
      if (parent === null) {
        throw broken(`turn ${at + 1} of ${id} is open: settle it in Studies, or take the dialogue out`);
      }
      return {
        message: speaker === undefined ? message : `${speaker}: ${message}`,
        reply,
        parent: parent === 0 || parent === 'elsewhere' ? null : earlier(parent, at),
        also: also.map((turn) => earlier(turn, at)),
        disputed,
      };
    });
    return { set: 'study', id: `${study}: ${id}`, group: `${study}: ${id}`, labels: 'parents', turns };
  });

interface OasstMessage {
  readonly text: string;
  readonly replies: readonly OasstMessage[];
}
const OasstMessage: z.ZodMiniType<OasstMessage> = z.lazy(() =>
  z.object({ text: z.string(), replies: z.array(OasstMessage) }),
);
const OasstTree = z.object({ message_tree_id: z.string(), prompt: OasstMessage });

/**
 * OpenAssistant message trees, one per line. Among the answers to a message, the one with the most replies becomes its
 * turn's reply; further messages below the same answer fork.
 */
export const readOasst = (text: string): LabelledDialogue[] =>
  itemsOf(text, OasstTree).map(({ message_tree_id: id, prompt }) => {
    const turns: LabelledTurn[] = [];
    const visit = ({ text: message, replies }: OasstMessage, parent: number | null) => {
      const answer = replies.reduce<OasstMessage | undefined>(
        (best, reply) => (best === undefined || reply.replies.length > best.replies.length ? reply : best),
        undefined,
      );
      const at = turns.push({ message, reply: answer?.text ?? null, parent, disputed: false }) - 1;
      for (const next of answer?.replies ?? []) visit(next, at);
    };
    visit(prompt, null);
    return { set: 'oasst', id, group: id, labels: 'parents', turns };
  });

const StructflowEdge = z.object({ source: z.array(z.string()), target: z.array(z.string()), relation: z.string() });
const StructflowConversation = z.object({
  structure: z.array(StructflowEdge),
  whole_conv: z.array(
    z.object({ name: z.string(), 'user prompt': z.string(), 'assistant answer': z.optional(z.string()) }),
  ),
});

/** The relations that determine where a branch goes, in order of precedence when a turn has several. */
const BRANCHING: readonly Relation[] = ['recall', 'unrelatedness', 'refinement'];

/** StructFlowBench: a turn's parent is the latest turn it has an edge from; an unrelated turn opens a topic. */
export const readStructflow = (text: string): LabelledDialogue[] =>
  itemsOf(text, StructflowConversation).map(({ structure, whole_conv: rounds }, at) => {
    const names = rounds.map(({ name }) => name);
    const turns = rounds.map((round, index): LabelledTurn => {
      const edges = structure.filter(({ target }) => target.includes(round.name));
      const sources = edges
        .filter(({ relation }) => relation !== 'unrelatedness')
        .flatMap(({ source }) => source.map((name) => names.indexOf(name)))
        .filter((source) => source >= 0 && source < index);
      const opens = index === 0 || (sources.length === 0 && edges.length > 0);
      const relation = BRANCHING.find((name) => edges.some((edge) => edge.relation === name));
      return {
        message: round['user prompt'],
        reply: round['assistant answer'] ?? null,
        parent: opens ? null : sources.length === 0 ? index - 1 : Math.max(...sources),
        disputed: false,
        ...(relation === undefined || index === 0 ? {} : { relation }),
      };
    });
    return { set: 'structflow', id: `${at}`, group: `structflow-${at}`, labels: 'parents', turns };
  });
