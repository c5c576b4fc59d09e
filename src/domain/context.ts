import * as z from 'zod/mini';
import type { Attachment } from './attachment.ts';
import { Fallback, Id, SettingsUsed } from './decision.ts';

/** Why a turn is in a context, or why it has the form it has there. `words`: the ones it shares with the message. */
const InclusionReason = z.object({
  reason: z.enum([
    'last-exchange',
    'recent',
    'same-words',
    'alike',
    'unsure',
    'pinned',
    'referred-to',
    'whole-is-shorter',
    'constraint',
    'newest-version',
    'older-version',
    'pasted-in-parts',
    'pointed-at',
  ]),
  words: z.optional(z.array(z.string())),
});
export type InclusionReason = z.infer<typeof InclusionReason>;

/**
 * The parts of a turn that are sent reworded or not at all: omitted if not sent; null if sent in full, as found in the
 * log.
 */
const Shortened = {
  message: z.optional(z.nullable(z.string())),
  reply: z.optional(z.nullable(z.string())),
};

/** What the need model says about a turn: how likely the message needs it (0–1; omitted if a rule decided), and why. */
const Needed = {
  need: z.optional(z.number()),
  why: z.optional(z.array(InclusionReason)),
};

/**
 * A piece of a context, in the order sent. Text found elsewhere in the log is referenced; text that exists nowhere else
 * (instructions, summaries as they were) is stored here.
 */
const Segment = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('instructions'), text: z.string(), tokens: z.number() }),
  z.object({ kind: z.literal('overview'), overviewId: Id, tokens: z.number() }),
  z.object({
    kind: z.literal('turn'),
    nodeId: Id,
    /** The reply that was sent with it; null if the turn had none. */
    replyId: z.nullable(z.string()),
    /** How much of the reply had arrived when it was sent, in UTF-16 units. */
    replyLength: z.number(),
    /** Its reply only quoted earlier turns, for lack of a language model; a marker saying there was no answer is sent instead. */
    unanswered: z.optional(z.literal(true)),
    tokens: z.number(),
    /**
     * Off the path, and sent because the message may need it: a decision may be wrong, at this turn or at one on the
     * path, or the message mentions something that was said there.
     */
    unsure: z.optional(z.literal(true)),
    /** Off the path, and sent because the person pinned it. */
    pinned: z.optional(z.literal(true)),
    /** Off the path, and sent because this turn of the path refers to it or to a turn that follows it. */
    neededBy: z.optional(Id),
    ...Needed,
  }),
  /** A turn of the path sent only in part, in its place: passages, or a digest of its reply. */
  z.object({
    kind: z.literal('shortened'),
    nodeId: Id,
    replyId: z.nullable(z.string()),
    replyLength: z.number(),
    ...Shortened,
    /** Number of its words that are not sent. */
    wordsLeftOut: z.number(),
    tokens: z.number(),
    ...Needed,
  }),
  /** A turn of the path in one line, in its place. */
  z.object({ kind: z.literal('turn-line'), nodeId: Id, text: z.string(), tokens: z.number(), ...Needed }),
  /** Turns of the path that are not sent, represented by a count in their place. */
  z.object({ kind: z.literal('turns-left-out'), nodeIds: z.array(z.string()), text: z.string(), tokens: z.number() }),
  /** What the message needs from a turn that is off the path or no longer sent as part of it; placed before the message. */
  z.object({
    kind: z.literal('fetched'),
    nodeId: Id,
    replyId: z.nullable(z.string()),
    replyLength: z.number(),
    ...Shortened,
    /** Says where the text comes from. */
    head: z.string(),
    /** The topic whose title is in the head; omitted if there is none. */
    treeId: z.optional(z.string()),
    wordsLeftOut: z.number(),
    tokens: z.number(),
    ...Needed,
  }),
  /** Turns elsewhere in the conversation that are not sent; `text` is empty if the request does not mention them. */
  z.object({
    kind: z.literal('elsewhere'),
    /** Runs of turn numbers, first and last: every message may list all of a very long conversation. */
    numbers: z.optional(z.array(z.tuple([z.number(), z.number()]))),
    /** Turn ids, as stored by older versions. */
    nodeIds: z.optional(z.array(z.string())),
    text: z.string(),
    tokens: z.number(),
  }),
  /** A turn of the path that no longer fits the window, as its summary. */
  z.object({ kind: z.literal('turn-summary'), nodeId: Id, text: z.string(), tokens: z.number() }),
  /** A turn off the path that a turn of the path refers to, as its summary, or one that is pinned and does not fit. */
  z.object({
    kind: z.literal('reference-summary'),
    nodeId: Id,
    neededBy: Id,
    pinned: z.optional(z.literal(true)),
    text: z.string(),
    tokens: z.number(),
  }),
  /** Says how many of the oldest turns of the path did not fit even as summaries. */
  z.object({ kind: z.literal('path-left-out'), turns: z.number(), text: z.string(), tokens: z.number() }),
  /** Says how many earlier turns of the conversation, or memories of them, were not sent, by a policy without a tree. */
  z.object({
    kind: z.literal('history-left-out'),
    turns: z.number(),
    /** What `turns` counts, if not turns. Older logs do not say. */
    of: z.optional(z.literal('memories')),
    text: z.string(),
    tokens: z.number(),
  }),
  /** What a memory other than the forest recalled, in the wording it stores. */
  z.object({
    kind: z.literal('memory'),
    text: z.string(),
    /** The turns it was made from. */
    from: z.array(z.string()),
    /** The memory's score for it against the message; null if the memory has no scores. */
    score: z.nullable(z.number()),
    /** It is one turn, verbatim. */
    whole: z.optional(z.literal(true)),
    /** The memory's name for it at the time it was sent: “slot 2”, “depth 1, 3 turns”. */
    name: z.optional(z.string()),
    tokens: z.number(),
  }),
  z.object({
    kind: z.literal('message'),
    nodeId: Id,
    /** Sent in its place if the attached content is too long for the window; omitted if it is sent in full. */
    text: z.optional(z.string()),
    tokens: z.number(),
  }),
]);
export type Segment = z.infer<typeof Segment>;

/** The turns of a branch or topic in the overview, in chronological order. */
const Summarised = {
  nodeIds: z.array(z.string()),
  /** Those whose summaries it lists; the others are only counted. Omitted if it lists all, and by older versions. */
  listed: z.optional(z.array(z.string())),
};

/** One line of the overview. */
const OverviewLine = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('branch'),
    branchId: z.string(),
    ...Summarised,
    text: z.string(),
    tokens: z.number(),
  }),
  z.object({
    kind: z.literal('topic'),
    treeId: z.string(),
    ...Summarised,
    text: z.string(),
    tokens: z.number(),
  }),
  /** Says how many branches and topics the budget left out: nothing is dropped silently. */
  z.object({
    kind: z.literal('left-out'),
    branches: z.number(),
    topics: z.number(),
    text: z.string(),
    tokens: z.number(),
  }),
]);
export type OverviewLine = z.infer<typeof OverviewLine>;

/**
 * Summaries of the other branches and topics (Context-Agent §3.3, step 4), within a budget. Stays the same, verbatim,
 * while the conversation continues, so that a chat model can reuse its cache.
 */
export const Overview = z.object({
  id: Id,
  /** The branch it was built for. */
  branchId: z.string(),
  lines: z.array(OverviewLine),
});
export type Overview = z.infer<typeof Overview>;

/** The turns that an overview says anything of. */
export const listedTurns = ({ lines }: Overview): string[] =>
  lines.flatMap((line) => (line.kind === 'left-out' ? [] : (line.listed ?? line.nodeIds)));

/** What was sent to the chat model for a turn. */
export const Context = z.object({
  policy: z.string(),
  segments: z.array(Segment),
  /** Sum over the segments and the pictures. */
  tokens: z.number(),
  /** The pictures shown to the model, by id (repeated if shown twice), and their estimated tokens; omitted if there are none. */
  pictures: z.optional(z.object({ ids: z.array(z.string()), tokens: z.number() })),
  /** What the full history would have cost, in the same unit. */
  fullHistoryTokens: z.number(),
  /** What a plain chat would have sent: the part of that history that fits its window. Omitted if all of it fits. */
  plainChatTokens: z.optional(z.number()),
  /** Name of the tokenizer used for counting. */
  unit: z.string(),
  /** The engine settings it was built with; omitted if they are those that the turn was decided with. */
  settings: z.optional(SettingsUsed),
  /** Models that failed while it was built, and their fallbacks; omitted if none did. */
  fallbacks: z.optional(z.array(Fallback)),
  /** It was built by a what-if, beside a reply that was written from another one; nothing was sent. */
  simulated: z.optional(z.literal(true)),
});
export type Context = z.infer<typeof Context>;

/** The baseline for every saving: what a plain chat could have sent. For contexts stored by older versions, the full history. */
export const baselineOf = ({ plainChatTokens, fullHistoryTokens }: Context): number =>
  plainChatTokens ?? fullHistoryTokens;

export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
  /** Pictures sent with it to a vision model; omitted if there are none. */
  readonly pictures?: readonly Attachment[];
}
