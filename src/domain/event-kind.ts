import type * as z from 'zod/mini';
import type { Draft } from './changes.ts';
import type { Context } from './context.ts';
import type { Forest, NodeId, Reply, ReplyId, StepId, Summary } from './forest.ts';
import { decidedWithout, type Purge } from './purge.ts';
import { brokeOff } from './queries.ts';
import type { TurnArrangement } from './restructure.ts';
import { replyLength } from './stored-forest.ts';

/** Why an intent was not carried out. In that case nothing has changed. */
export type Refusal =
  | 'empty-message'
  | 'duplicate-id'
  | 'turn-pending' // a message is waiting for its place; edits wait for it
  | 'unknown-turn'
  | 'unknown-topic'
  | 'unknown-reply'
  | 'reply-not-open' // text for a reply that has ended
  | 'reply-open' // resuming a reply that did not break off
  | 'under-itself' // a turn cannot hang from its own descendant
  | 'already-there'
  | 'several-branches' // a first turn whose branches would have no root without it
  | 'on-its-path' // a reference to a turn that is sent anyway
  | 'already-labelled' // the person has said where the turn belongs
  | 'not-stored' // the app's: the conversation is in the storage no longer
  | 'step-over' // joining a step that was undone, or after which another one was taken
  | 'nothing-to-undo'
  | 'nothing-to-redo';

/** A turn and where an event puts it. */
export interface PlacedTurn extends TurnArrangement {
  /** Whether its descendants, which the event does not name, go with it. */
  readonly withSubtree: boolean;
}

/** `reply-reopened`: a reply that broke off; `withdrawn`: a message taken back before it had its place. */
type HandlingStep =
  | 'sent'
  | 'placed'
  | 'withdrawn'
  | 'reply-opened'
  | 'reply-grown'
  | 'reply-closed'
  | 'reply-reopened'
  | 'afterwards';

/** What defines a kind of event besides its payload. Undo needs nothing here: the draft records the inverse. */
interface Parts<E> {
  /** Its part in getting a message placed and answered; null for what is done apart from that. */
  readonly handling: HandlingStep | null;
  /** Writes it to the forest. It may arrive late: for a turn that is gone by then it changes nothing. */
  readonly apply: Methods<E>['apply'];
  /** The turns that it places, each of which may begin a topic or a branch; null for a kind that places none. */
  readonly placements: Methods<E>['placements'] | null;
  /** Omitted: what it writes with a step can be undone. */
  readonly undoable?: false;
  /** Whether a person did it, rather than the engine, to turns already placed: a re-run repeats it unchanged. */
  readonly byHand: boolean | Methods<E>['byHand'];
  /** Whether the forest looks different after it, making it a scene when the conversation is played back as a film. */
  readonly visible: boolean;
  /** Whether it changes what an overview says of turns (or has them summarised anew) or which it covers, so that a kept one no longer holds. */
  readonly restates: boolean;
  /** Which parts are a turn's own words or derived from them; null for none. Quotations are searched for in every event. */
  readonly words: {
    /** The words of the turn (`nodeId`) it is about. */
    readonly own: Methods<E>['own'];
    /** The event as it stays in the log after turns are purged. */
    readonly without: Methods<E>['without'];
  } | null;
}

/** Declared as methods so that an `EventKind` of one event can stand for any; the event's type says which one it is. */
interface Methods<E> {
  check(forest: Forest, event: E, step: StepId | null): Refusal | null;
  apply(draft: Draft, event: E, entry: { readonly at: number; readonly step: StepId | null }): void;
  placements(event: E): readonly PlacedTurn[];
  byHand(event: E, step: StepId | null): boolean;
  own(event: E): string[];
  without(event: E, purge: Purge): E;
}

export interface EventKind<E> extends Parts<E> {
  /** Returns why it cannot happen to a forest; null if it can. Without a check, only `handle` creates such events, from intents. */
  readonly check: Methods<E>['check'] | null;
}

/** A kind of event that an intent can carry as it is. `H` keeps in its type whether it is done by hand: see `HandEdit`. */
export const plain = <S extends z.ZodMiniObject, H extends Parts<z.infer<S>>['byHand']>(
  schema: S,
  parts: Parts<z.infer<S>> & { readonly byHand: H; readonly check: Methods<z.infer<S>>['check'] },
) => ({ schema, ...parts });

/** A kind of event that `handle` creates from an intent, which it checks against the forest. */
export const resolved = <S extends z.ZodMiniObject, H extends Parts<z.infer<S>>['byHand']>(
  schema: S,
  parts: Parts<z.infer<S>> & { readonly byHand: H },
) => ({
  schema,
  ...parts,
  check: null,
});

/* Shared by several kinds. */

export const always = () => null;

export const knownTurn = (forest: Forest, { nodeId }: { nodeId: NodeId }): Refusal | null =>
  forest.nodes[nodeId] ? null : 'unknown-turn';

export const knownTurns = (forest: Forest, { nodeIds }: { nodeIds: readonly NodeId[] }): Refusal | null =>
  nodeIds.some((id) => forest.nodes[id] !== undefined) ? null : 'unknown-turn';

interface OfReply {
  readonly nodeId: NodeId;
  readonly replyId: ReplyId;
}

export const checkReply =
  (refusalFor: (reply: Reply, chosen: ReplyId | null) => Refusal | null) =>
  (forest: Forest, { nodeId, replyId }: OfReply): Refusal | null => {
    const node = forest.nodes[nodeId];
    if (node === undefined) return 'unknown-turn';
    const reply = node.replies.find(({ id }) => id === replyId);
    return reply === undefined ? 'unknown-reply' : refusalFor(reply, node.replyId);
  };

export const openReply = checkReply(({ state }) => (state === 'streaming' ? null : 'reply-not-open'));

export const editReply = (draft: Draft, { nodeId, replyId }: OfReply, edit: (reply: Reply) => Partial<Reply>): void => {
  const node = draft.forest.nodes[nodeId];
  if (node === undefined) return;
  const replies = node.replies.map((reply) => (reply.id === replyId ? { ...reply, ...edit(reply) } : reply));
  draft.edit('nodes', nodeId, { replies });
};

interface ReplyStart extends OfReply {
  readonly model: string;
  readonly context: Context | null;
  readonly replaces?: ReplyId | undefined;
}

export const startReply = (
  draft: Draft,
  { nodeId, replyId: id, model, context, replaces }: ReplyStart,
  at: number,
): void => {
  const node = draft.forest.nodes[nodeId];
  if (node === undefined) return;
  // By now it may have been begun after all.
  const others = node.replies.filter((one) => one.id !== replaces || one.text !== '' || !brokeOff(one));
  const started: Reply = {
    id,
    text: '',
    state: 'streaming',
    model,
    at,
    failure: null,
    context,
    timings: [],
    usage: null,
  };
  draft.edit('nodes', nodeId, { replies: [...others, started], replyId: id });
};

/** Writes a turn's summary, and what it tells of: another reply may be chosen later, or this one go on. */
export const writeSummary = (
  draft: Draft,
  { nodeId, text, by, ms }: Pick<Summary, 'text' | 'by' | 'ms'> & { readonly nodeId: NodeId },
): void => {
  const node = draft.forest.nodes[nodeId];
  if (node === undefined) return;
  const summary = { text, by, ms, replyId: node.replyId, replyLength: replyLength(node) };
  draft.edit('nodes', nodeId, { summary });
};

export const placesTurn = ({ nodeId, placement }: TurnArrangement): PlacedTurn[] => [
  { nodeId, placement, withSubtree: false },
];

export const placesSubtree = ({ nodeId, placement }: TurnArrangement): PlacedTurn[] => [
  { nodeId, placement, withSubtree: true },
];

export const wordsOfDecision = { own: () => [], without: decidedWithout };

/** Names the authors of a reply that another model continues: both, unless no text had arrived yet. */
export const authorsOf = ({ text, model }: Reply, next: string): string => {
  if (text === '') return next;
  return model === next || model.endsWith(`, then ${next}`) ? model : `${model}, then ${next}`;
};
