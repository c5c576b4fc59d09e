import * as z from 'zod/mini';
import type { Attachment } from './attachment.ts';
import { Fallback, Id } from './decision.ts';

/** Why a turn is in a context, or stands there in the form it does. `words`: those that it shares with the message. */
const Why = z.object({
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
export type Why = z.infer<typeof Why>;

/**
 * What of a turn is sent in other words than its own, or not at all: left out where nothing of it is sent; null where it
 * goes whole, and is found in the log.
 */
const Shortened = {
  message: z.optional(z.nullable(z.string())),
  reply: z.optional(z.nullable(z.string())),
};

/** What the model of need says of a turn: how likely the message needs it (0–1; left out where a rule spoke), and why. */
const Needed = {
  need: z.optional(z.number()),
  why: z.optional(z.array(Why)),
};

/**
 * A piece of a context, in the order sent. Text that stands elsewhere in the log is referred to;
 * text that stands nowhere else (instructions, summaries as they were) is kept here.
 */
const Segment = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('instructions'), text: z.string(), tokens: z.number() }),
  z.object({ kind: z.literal('overview'), overviewId: z.string(), tokens: z.number() }),
  z.object({
    kind: z.literal('turn'),
    nodeId: z.string(),
    /** The reply that was sent along; null if the turn had none. */
    replyId: z.nullable(z.string()),
    /** How much of the reply had come when it was sent, in UTF-16 units. */
    replyLength: z.number(),
    /** Its reply only quoted earlier turns, for want of a language model: a mark that there was no answer is sent in its place. */
    unanswered: z.optional(z.literal(true)),
    tokens: z.number(),
    /** It is off the path, and sent because the message may need it: a decision may be wrong, at this turn or at one of the path, or what it speaks of was said there. */
    unsure: z.optional(z.literal(true)),
    /** It is off the path, and sent because the person pinned it. */
    pinned: z.optional(z.literal(true)),
    /** It is off the path, and sent because this turn of the path refers to it or to a turn that goes on from it. */
    neededBy: z.optional(z.string()),
    ...Needed,
  }),
  /** A turn of the path of which less than the whole goes in, in its place: passages, or a digest of its reply. */
  z.object({
    kind: z.literal('shortened'),
    nodeId: z.string(),
    replyId: z.nullable(z.string()),
    replyLength: z.number(),
    ...Shortened,
    /** Words of it that are not sent. */
    wordsLeftOut: z.number(),
    tokens: z.number(),
    ...Needed,
  }),
  /** A turn of the path in one line, in its place. */
  z.object({ kind: z.literal('turn-line'), nodeId: z.string(), text: z.string(), tokens: z.number(), ...Needed }),
  /** Turns of the path that are not sent: counted, in their place. */
  z.object({ kind: z.literal('turns-left-out'), nodeIds: z.array(z.string()), text: z.string(), tokens: z.number() }),
  /** What the message needs of a turn that is not on the path, or no longer sent as part of it; stands before the message. */
  z.object({
    kind: z.literal('fetched'),
    nodeId: z.string(),
    replyId: z.nullable(z.string()),
    replyLength: z.number(),
    ...Shortened,
    /** What says where it comes from. */
    head: z.string(),
    /** The topic whose title stands in the head; left out where none does. */
    treeId: z.optional(z.string()),
    wordsLeftOut: z.number(),
    tokens: z.number(),
    ...Needed,
  }),
  /** Turns elsewhere in the conversation of which nothing is sent; `text` is empty where the request does not say so. */
  z.object({
    kind: z.literal('elsewhere'),
    /** Runs of their numbers, first and last: it may be all of a very long conversation, at every message. */
    numbers: z.optional(z.array(z.tuple([z.number(), z.number()]))),
    /** Their ids, as older versions kept them. */
    nodeIds: z.optional(z.array(z.string())),
    text: z.string(),
    tokens: z.number(),
  }),
  /** A turn of the path that no longer fits the window, as its summary. */
  z.object({ kind: z.literal('turn-summary'), nodeId: z.string(), text: z.string(), tokens: z.number() }),
  /** A turn off the path that a turn of the path refers to, as its summary. */
  z.object({
    kind: z.literal('reference-summary'),
    nodeId: z.string(),
    neededBy: z.string(),
    text: z.string(),
    tokens: z.number(),
  }),
  /** Says how many of the path's oldest turns did not fit even as summaries. */
  z.object({ kind: z.literal('path-left-out'), turns: z.number(), text: z.string(), tokens: z.number() }),
  /** Says how many of the conversation's earlier turns were not sent, by a policy without a tree. */
  z.object({ kind: z.literal('history-left-out'), turns: z.number(), text: z.string(), tokens: z.number() }),
  /** What a memory other than the forest recalled, in the words in which it keeps it. */
  z.object({
    kind: z.literal('memory'),
    text: z.string(),
    /** The turns that it was made of. */
    from: z.array(z.string()),
    /** How the memory rated it for the message; null where it rates nothing. */
    score: z.nullable(z.number()),
    /** It is one turn, word for word. */
    whole: z.optional(z.literal(true)),
    /** What the memory calls it, as it was when it was sent: “slot 2”, “depth 1, 3 turns”. */
    name: z.optional(z.string()),
    tokens: z.number(),
  }),
  z.object({
    kind: z.literal('message'),
    nodeId: z.string(),
    /** What is sent in its place where what came with it is too long for the window; left out where it goes whole. */
    text: z.optional(z.string()),
    tokens: z.number(),
  }),
]);
export type Segment = z.infer<typeof Segment>;

/** One line of the overview. `nodeIds` are the nodes whose summaries it lists, in order of time. */
const OverviewLine = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('branch'),
    branchId: z.string(),
    nodeIds: z.array(z.string()),
    text: z.string(),
    tokens: z.number(),
  }),
  z.object({
    kind: z.literal('topic'),
    treeId: z.string(),
    nodeIds: z.array(z.string()),
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
 * Summaries of the other branches and topics (Context-Agent §3.3, step 4), within a budget. Stays the
 * same, word for word, while the conversation continues, so that a chat model can reuse its cache.
 */
export const Overview = z.object({
  id: Id,
  /** The branch it was built for. */
  branchId: z.string(),
  lines: z.array(OverviewLine),
});
export type Overview = z.infer<typeof Overview>;

/** What was sent to the chat model for a turn. */
export const Context = z.object({
  policy: z.string(),
  segments: z.array(Segment),
  /** Sum over the segments, and of the pictures. */
  tokens: z.number(),
  /** The pictures that the model is shown, by id (twice where one is shown twice), and what they are reckoned at; left out where it is shown none. */
  pictures: z.optional(z.object({ ids: z.array(z.string()), tokens: z.number() })),
  /** What the whole history would have cost, in the same unit. */
  fullHistoryTokens: z.number(),
  /** What a plain chat would have sent: of that history what fits its window. Left out where all of it does. */
  plainChatTokens: z.optional(z.number()),
  /** Name of the tokenizer that counted. */
  unit: z.string(),
  /** Models that failed while it was built, and what stood in; left out where none did. */
  fallbacks: z.optional(z.array(Fallback)),
});
export type Context = z.infer<typeof Context>;

/** What every saving is measured against: what a plain chat could have sent. Of contexts that older versions kept, the whole history. */
export const baselineOf = ({ plainChatTokens, fullHistoryTokens }: Context): number =>
  plainChatTokens ?? fullHistoryTokens;

export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
  /** Pictures that go with it, to a model that sees; left out where there are none. */
  readonly pictures?: readonly Attachment[];
}
