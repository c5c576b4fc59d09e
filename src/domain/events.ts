import * as z from 'zod/mini';
import { Context, Overview } from './context.ts';
import { Decision, Label, Placement, Timing } from './decision.ts';
import { ReplySettings, Usage } from './generation.ts';
import { Id } from './id.ts';
import { Reference } from './reference.ts';

/** `chosen`: the person says that the message belongs there; left out where it only follows from something else that they did. */
const Target = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('under'), nodeId: Id, chosen: z.optional(z.boolean()) }),
  z.object({ kind: z.literal('new-topic'), chosen: z.optional(z.boolean()) }),
]);

/** Everything that can happen to a conversation. Events are never changed, only added to. */
export const Event = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('message-sent'),
    nodeId: Id,
    message: z.string(),
    given: z.nullable(z.string()),
    target: z.nullable(Target),
  }),
  /** `label`: where the person chose the place beforehand; left out elsewhere. */
  z.object({
    type: z.literal('turn-placed'),
    nodeId: Id,
    placement: Placement,
    decision: Decision,
    label: z.optional(Label),
  }),
  z.object({ type: z.literal('overview-built'), overview: Overview }),
  z.object({
    type: z.literal('reply-started'),
    nodeId: Id,
    replyId: Id,
    model: z.string(),
    context: z.nullable(Context),
  }),
  z.object({ type: z.literal('reply-received'), nodeId: Id, replyId: Id, text: z.string() }),
  z.object({
    type: z.literal('reply-ended'),
    nodeId: Id,
    replyId: Id,
    state: z.enum(['done', 'stopped', 'interrupted', 'failed']),
    failure: z.nullable(z.string()),
    /** The kind of the failure, as the model names it; left out where it has none. */
    failureKind: z.optional(z.string()),
    timings: z.array(Timing),
    usage: z.optional(Usage),
  }),
  /** A reply that broke off is gone on with, by the model named; left out: by the one that began it. */
  z.object({ type: z.literal('reply-resumed'), nodeId: Id, replyId: Id, model: z.optional(z.string()) }),
  z.object({ type: z.literal('reply-chosen'), nodeId: Id, replyId: Id }),
  /** `ms`: how long it took; left out where nobody measured. */
  z.object({
    type: z.literal('summarised'),
    nodeId: Id,
    text: z.string(),
    by: z.string(),
    ms: z.optional(z.number()),
  }),
  z.object({ type: z.literal('topic-titled'), treeId: Id, title: z.string(), by: z.enum(['engine', 'person']) }),
  /** `label` null: it was carried along by another edit, which says nothing about the decision. */
  z.object({ type: z.literal('turn-moved'), nodeId: Id, placement: Placement, label: z.nullable(Label) }),
  /** A turn is taken out of its path and its children close the gap. `placement` null: it is deleted. */
  z.object({
    type: z.literal('turn-extracted'),
    nodeId: Id,
    placement: z.nullable(Placement),
    label: z.nullable(Label),
  }),
  /** With every turn under them. The words stay in the log, and undo brings them back. */
  z.object({ type: z.literal('turns-deleted'), nodeIds: z.array(Id) }),
  /** The words of these turns are gone from the log, too, and with them what could be undone. Children close the gap. */
  z.object({ type: z.literal('turns-purged'), nodeIds: z.array(Id) }),
  /** Hidden turns stay in the log and on the canvas, and are never in a context. */
  z.object({ type: z.literal('turns-hidden'), nodeIds: z.array(Id), hidden: z.boolean() }),
  /** A pinned turn is in every context in full. */
  z.object({ type: z.literal('turn-pinned'), nodeId: Id, pinned: z.boolean() }),
  z.object({ type: z.literal('turn-noted'), nodeId: Id, note: z.nullable(z.string()) }),
  /** What a turn needs of a turn off its path. */
  z.object({ type: z.literal('reference-added'), nodeId: Id, reference: Reference }),
  z.object({ type: z.literal('reference-removed'), nodeId: Id, to: Id }),
  z.object({ type: z.literal('branch-titled'), branchId: Id, title: z.nullable(z.string()) }),
  /** The person says that a turn is where it belongs. */
  z.object({ type: z.literal('turn-confirmed'), nodeId: Id, label: Label }),
  z.object({ type: z.literal('activated'), nodeId: Id }),
  z.object({ type: z.literal('conversation-titled'), title: z.nullable(z.string()) }),
  z.object({ type: z.literal('reply-settings-set'), settings: ReplySettings }),
  z.object({ type: z.literal('undone'), step: Id }),
  z.object({ type: z.literal('redone'), step: Id }),
]);
export type Event = z.infer<typeof Event>;
export type EventOf<T extends Event['type']> = Extract<Event, { type: T }>;

/** The newest version of the log's format. A change to an event's meaning raises it and adds a migration. */
export const LOG_VERSION = 1;

/** An event in its place in the log. */
export const Entry = z.object({
  v: z.literal(LOG_VERSION),
  /** Position in the conversation's log, from 1, without gaps. */
  seq: z.int().check(z.positive()),
  /** Milliseconds since 1970. */
  at: z.number(),
  /** The undo step it belongs to; null for what is not undone by itself (streamed text, summaries, undo). */
  step: z.nullable(Id),
  event: Event,
});
export type Entry = z.infer<typeof Entry>;
