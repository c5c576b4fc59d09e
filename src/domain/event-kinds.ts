import * as z from 'zod/mini';
import { Attachment } from './attachment.ts';
import { Context, Overview } from './context.ts';
import { Decision, Id, Label, Placement, Reference, Target, Timing } from './decision.ts';
import {
  always,
  authorsOf,
  checkReply,
  type EventKind,
  editReply,
  knownTurn,
  knownTurns,
  openReply,
  type PlacedTurn,
  placesSubtree,
  placesTurn,
  plain,
  resolved,
  startReply,
  wordsOfDecision,
  writeSummary,
} from './event-kind.ts';
import { PERSON, type StepId } from './forest.ts';
import { contextWithout, overviewWithout, PURGED, purgedOrNull } from './purge.ts';
import { brokeOff, isAncestor, pendingTurn } from './queries.ts';
import { ReplySettings, Usage } from './reply.ts';
import { activate, arrangeTurns, deleteTurns, extractTurn, moveTurn, placeTurn, purgeTurns } from './restructure.ts';
import { StoryScene } from './story.ts';

/**
 * Everything that can happen to a conversation. Events are append-only and never changed. A new kind needs one entry
 * here and its wording for the history (features/edits/history-dialog.tsx).
 */
const EVENT_KINDS = {
  'message-sent': plain(
    z.object({
      type: z.literal('message-sent'),
      nodeId: Id,
      message: z.string(),
      given: z.nullable(z.string()),
      target: z.nullable(Target),
      /** Files sent with it, whose bytes are already stored; omitted if there are none. */
      attachments: z.optional(z.array(Attachment)),
    }),
    {
      check: (forest, { nodeId, message, target }) => {
        if (message.trim() === '') return 'empty-message';
        if (pendingTurn(forest) !== null) return 'turn-pending';
        if (forest.nodes[nodeId]) return 'duplicate-id';
        return target?.kind === 'under' && !forest.nodes[target.nodeId] ? 'unknown-turn' : null;
      },
      apply: (draft, { nodeId: id, message, given, target, attachments }, { at, step }) => {
        const number = draft.forest.turnCount + 1;
        draft.set('turnCount', number);
        const sent = { id, number, message, at, step: step ?? id, given, target };
        draft.put('pending', id, attachments === undefined ? sent : { ...sent, attachments });
      },
      handling: 'sent',
      placements: null,
      byHand: false,
      visible: false,
      restates: false,
      words: {
        own: ({ message, given, attachments = [] }) => [
          message,
          given ?? '',
          ...attachments.map(({ text }) => text ?? ''),
        ],
        without: (event, { turns }) => {
          if (!turns.has(event.nodeId)) return event;
          const { attachments: _, ...rest } = event;
          return { ...rest, message: PURGED, given: purgedOrNull(event.given) };
        },
      },
    },
  ),

  'turn-placed': resolved(
    z.object({
      type: z.literal('turn-placed'),
      nodeId: Id,
      placement: Placement,
      decision: Decision,
      /** Set if the person chose the place beforehand; omitted otherwise. */
      label: z.optional(Label),
    }),
    {
      apply: placeTurn,
      handling: 'placed',
      placements: placesTurn,
      byHand: false,
      visible: true,
      restates: false,
      words: wordsOfDecision,
    },
  ),

  'overview-built': plain(z.object({ type: z.literal('overview-built'), overview: Overview }), {
    check: always,
    apply: (draft, { overview }) => draft.put('overviews', overview.id, overview),
    handling: null,
    placements: null,
    byHand: false,
    visible: false,
    restates: false,
    words: {
      own: () => [],
      without: (event, purge) => ({ ...event, overview: overviewWithout(event.overview, purge) }),
    },
  }),

  'reply-started': plain(
    z.object({
      type: z.literal('reply-started'),
      nodeId: Id,
      replyId: Id,
      model: z.string(),
      context: z.nullable(Context),
      /** A reply that broke off before its first word, which this one takes the place of; omitted otherwise. */
      replaces: z.optional(Id),
    }),
    {
      check: (forest, { nodeId, replyId }) => {
        const node = forest.nodes[nodeId];
        if (node === undefined) return 'unknown-turn';
        return node.replies.some(({ id }) => id === replyId) ? 'duplicate-id' : null;
      },
      apply: (draft, event, { at }) => startReply(draft, event, at),
      handling: 'reply-opened',
      placements: null,
      byHand: false,
      visible: false,
      restates: true,
      words: {
        own: () => [],
        without: (event, purge) => {
          if (event.context === null) return event;
          return { ...event, context: purge.turns.has(event.nodeId) ? null : contextWithout(event.context, purge) };
        },
      },
    },
  ),

  'reply-received': plain(z.object({ type: z.literal('reply-received'), nodeId: Id, replyId: Id, text: z.string() }), {
    check: openReply,
    apply: (draft, event) => editReply(draft, event, ({ text }) => ({ text: text + event.text })),
    handling: 'reply-grown',
    placements: null,
    byHand: false,
    visible: false,
    restates: false,
    words: {
      own: ({ text }) => [text],
      without: (event, { turns }) => (turns.has(event.nodeId) ? { ...event, text: '' } : event),
    },
  }),

  'reply-ended': plain(
    z.object({
      type: z.literal('reply-ended'),
      nodeId: Id,
      replyId: Id,
      state: z.enum(['done', 'stopped', 'interrupted', 'failed']),
      failure: z.nullable(z.string()),
      /** The kind of failure, as named by the model; omitted if it has none. */
      failureKind: z.optional(z.string()),
      timings: z.array(Timing),
      usage: z.optional(Usage),
    }),
    {
      check: openReply,
      apply: (draft, event) =>
        editReply(draft, event, ({ timings, usage }) => ({
          state: event.state,
          failure: event.failure,
          failureKind: event.failureKind,
          timings: [...timings, ...event.timings],
          usage: event.usage ?? usage,
        })),
      handling: 'reply-closed',
      placements: null,
      byHand: false,
      visible: true,
      restates: false,
      words: {
        own: () => [],
        without: (event, { turns }) =>
          turns.has(event.nodeId) ? { ...event, failure: purgedOrNull(event.failure) } : event,
      },
    },
  ),

  /** Resumes a reply that broke off, with the model named; omitted: the one that began it. */
  'reply-resumed': plain(
    z.object({ type: z.literal('reply-resumed'), nodeId: Id, replyId: Id, model: z.optional(z.string()) }),
    {
      check: checkReply((reply) => (brokeOff(reply) ? null : 'reply-open')),
      apply: (draft, event) =>
        editReply(draft, event, (reply) => ({
          state: 'streaming',
          failure: null,
          failureKind: undefined,
          usage: null,
          model: authorsOf(reply, event.model ?? reply.model),
        })),
      handling: 'reply-reopened',
      placements: null,
      byHand: false,
      visible: false,
      restates: false,
      words: null,
    },
  ),

  'reply-chosen': plain(z.object({ type: z.literal('reply-chosen'), nodeId: Id, replyId: Id }), {
    check: checkReply((reply, chosen) => (chosen === reply.id ? 'already-there' : null)),
    apply: (draft, { nodeId, replyId }) => draft.edit('nodes', nodeId, { replyId }),
    handling: null,
    placements: null,
    byHand: false,
    visible: false,
    restates: true,
    words: null,
  }),

  summarised: plain(
    z.object({
      type: z.literal('summarised'),
      nodeId: Id,
      text: z.string(),
      by: z.string(),
      /** How long it took; omitted if not measured. */
      ms: z.optional(z.number()),
    }),
    {
      check: (forest, event, step) => {
        // The person's own summary stays, unless they ask for another.
        const stays = step === null && event.by !== PERSON && forest.nodes[event.nodeId]?.summary?.by === PERSON;
        return stays ? 'already-there' : knownTurn(forest, event);
      },
      apply: writeSummary,
      handling: 'afterwards',
      placements: null,
      byHand: ({ by }: { by: string }, step: StepId | null) => by === PERSON || step !== null,
      visible: false,
      restates: true,
      words: {
        own: ({ text }) => [text],
        without: (event, { turns }) => (turns.has(event.nodeId) ? { ...event, text: PURGED } : event),
      },
    },
  ),

  'topic-titled': plain(
    z.object({ type: z.literal('topic-titled'), treeId: Id, title: z.string(), by: z.enum(['engine', 'person']) }),
    {
      check: (forest, { treeId, by }, step) => {
        const tree = forest.trees[treeId];
        if (tree === undefined) return 'unknown-topic';
        if (by === 'person') return null;
        if (step !== null && forest.history.past.at(-1)?.id !== step) return 'step-over';
        // A title given by a person stays; one from the engine is no longer wanted.
        return tree.titledBy === 'person' ? 'already-there' : null;
      },
      apply: (draft, { treeId, title, by }) => draft.edit('trees', treeId, { title, titledBy: by }),
      handling: 'afterwards',
      placements: null,
      byHand: ({ by }: { by: string }) => by === 'person',
      visible: true,
      restates: true,
      words: {
        own: () => [],
        without: (event, purge) => ({ ...event, title: purge.title(event.treeId, event.title) }),
      },
    },
  ),

  'turn-moved': resolved(
    z.object({
      type: z.literal('turn-moved'),
      nodeId: Id,
      placement: Placement,
      /** null: it was moved along by another edit, which says nothing about the decision. */
      label: z.nullable(Label),
    }),
    {
      apply: moveTurn,
      handling: null,
      placements: placesSubtree,
      byHand: true,
      visible: true,
      restates: true,
      words: null,
    },
  ),

  /** The engine moves imported turns to other places, all at once; not a person's judgement on a decision. */
  'turns-arranged': resolved(
    z.object({
      type: z.literal('turns-arranged'),
      turns: z.array(z.object({ nodeId: Id, placement: Placement })),
    }),
    {
      apply: (draft, { turns }) => arrangeTurns(draft, turns),
      handling: null,
      placements: ({ turns }) => turns.flatMap(placesTurn),
      byHand: false,
      visible: true,
      restates: true,
      words: null,
    },
  ),

  /** The engine moves a turn to where its reply shows that it belongs; not a person's judgement on a decision. */
  'turn-reconsidered': resolved(
    z.object({ type: z.literal('turn-reconsidered'), nodeId: Id, placement: Placement, decision: Decision }),
    {
      apply: (draft, { nodeId, placement, decision }) => {
        if (draft.forest.nodes[nodeId] === undefined) return;
        moveTurn(draft, { nodeId, placement, label: null });
        draft.edit('nodes', nodeId, { decision });
      },
      handling: null,
      placements: placesSubtree,
      byHand: false,
      visible: true,
      restates: true,
      words: wordsOfDecision,
    },
  ),

  /** The engine's decision about a turn that was placed without it. */
  'turn-decided': resolved(z.object({ type: z.literal('turn-decided'), nodeId: Id, decision: Decision }), {
    apply: (draft, { nodeId, decision }) => draft.edit('nodes', nodeId, { decision }),
    handling: null,
    placements: null,
    byHand: false,
    visible: false,
    restates: false,
    words: wordsOfDecision,
  }),

  /** Takes a turn out of its path; its children close the gap. If `placement` is null, the turn is deleted. */
  'turn-extracted': resolved(
    z.object({
      type: z.literal('turn-extracted'),
      nodeId: Id,
      placement: z.nullable(Placement),
      label: z.nullable(Label),
    }),
    {
      apply: extractTurn,
      handling: null,
      placements: ({ nodeId, placement }) => (placement === null ? [] : placesTurn({ nodeId, placement })),
      byHand: true,
      visible: true,
      restates: true,
      words: null,
    },
  ),

  /** Deletes turns with all their descendants. The words stay in the log, and undo restores them. */
  'turns-deleted': resolved(z.object({ type: z.literal('turns-deleted'), nodeIds: z.array(Id) }), {
    apply: (draft, { nodeIds }) => deleteTurns(draft, nodeIds),
    handling: null,
    placements: null,
    byHand: true,
    visible: true,
    restates: true,
    words: null,
  }),

  /**
   * Removes the words of these turns from the log as well, and with them the undo history. Children close the gap.
   * Turns that were deleted or undone before are not in the forest any more; their words still are in the log.
   */
  'turns-purged': plain(z.object({ type: z.literal('turns-purged'), nodeIds: z.array(Id) }), {
    check: (_, { nodeIds }) => (nodeIds.length > 0 ? null : 'unknown-turn'),
    apply: (draft, { nodeIds }) => purgeTurns(draft, nodeIds),
    undoable: false,
    handling: null,
    placements: null,
    byHand: false,
    visible: true,
    restates: false,
    words: null,
  }),

  /** Hidden turns stay in the log and on the canvas, and are never part of a context. */
  'turns-hidden': plain(z.object({ type: z.literal('turns-hidden'), nodeIds: z.array(Id), hidden: z.boolean() }), {
    check: knownTurns,
    apply: (draft, { nodeIds, hidden }) => {
      for (const id of nodeIds) {
        const node = draft.forest.nodes[id];
        if (node === undefined || node.hidden === hidden) continue;
        draft.edit('nodes', id, { hidden });
        draft.set('hiddenCount', draft.forest.hiddenCount + (hidden ? 1 : -1));
      }
    },
    handling: null,
    placements: null,
    byHand: true,
    visible: true,
    restates: true,
    words: null,
  }),

  /** A pinned turn is part of every context, in full, under policies that send by the forest. */
  'turn-pinned': plain(z.object({ type: z.literal('turn-pinned'), nodeId: Id, pinned: z.boolean() }), {
    check: knownTurn,
    apply: (draft, { nodeId, pinned }) => draft.edit('nodes', nodeId, { pinned }),
    handling: null,
    placements: null,
    byHand: true,
    visible: true,
    restates: false,
    words: null,
  }),

  'turn-noted': plain(z.object({ type: z.literal('turn-noted'), nodeId: Id, note: z.nullable(z.string()) }), {
    check: knownTurn,
    apply: (draft, { nodeId, note }) => draft.edit('nodes', nodeId, { note }),
    handling: null,
    placements: null,
    byHand: true,
    visible: true,
    restates: false,
    words: {
      own: ({ note }) => [note ?? ''],
      without: (event, { turns }) => (turns.has(event.nodeId) ? { ...event, note: purgedOrNull(event.note) } : event),
    },
  }),

  /** What a turn needs from a turn off its path. */
  'reference-added': plain(z.object({ type: z.literal('reference-added'), nodeId: Id, reference: Reference }), {
    check: (forest, { nodeId, reference: { to } }) => {
      if (!forest.nodes[nodeId] || !forest.nodes[to]) return 'unknown-turn';
      return to === nodeId || isAncestor(forest, to, nodeId) ? 'on-its-path' : null;
    },
    apply: (draft, { nodeId, reference }) => {
      const others = draft.forest.nodes[nodeId]?.references.filter(({ to }) => to !== reference.to) ?? [];
      draft.edit('nodes', nodeId, { references: [...others, reference] });
    },
    handling: null,
    placements: null,
    byHand: true,
    visible: true,
    restates: false,
    words: null,
  }),

  'reference-removed': plain(z.object({ type: z.literal('reference-removed'), nodeId: Id, to: Id }), {
    check: (forest, { nodeId, to }) =>
      forest.nodes[nodeId]?.references.some((reference) => reference.to === to) ? null : 'unknown-turn',
    apply: (draft, { nodeId, to }) => {
      const others = draft.forest.nodes[nodeId]?.references.filter((reference) => reference.to !== to) ?? [];
      draft.edit('nodes', nodeId, { references: others });
    },
    handling: null,
    placements: null,
    byHand: true,
    visible: true,
    restates: false,
    words: null,
  }),

  'branch-titled': plain(z.object({ type: z.literal('branch-titled'), branchId: Id, title: z.nullable(z.string()) }), {
    check: (forest, { branchId }) => (forest.branches[branchId] ? null : 'unknown-topic'),
    apply: (draft, { branchId, title }) => draft.edit('branches', branchId, { title }),
    handling: null,
    placements: null,
    byHand: true,
    visible: true,
    restates: true,
    words: {
      own: () => [],
      without: (event, { branchTitle }) =>
        event.title === null ? event : { ...event, title: branchTitle(event.branchId, event.title) },
    },
  }),

  /** The person confirms the place of a turn. */
  'turn-confirmed': resolved(z.object({ type: z.literal('turn-confirmed'), nodeId: Id, label: Label }), {
    apply: (draft, { nodeId, label }) => draft.edit('nodes', nodeId, { label }),
    handling: null,
    placements: null,
    byHand: true,
    visible: false,
    restates: false,
    words: null,
  }),

  activated: plain(z.object({ type: z.literal('activated'), nodeId: Id }), {
    check: (forest, { nodeId }) => {
      if (!forest.nodes[nodeId]) return 'unknown-turn';
      return forest.active?.nodeId === nodeId ? 'already-there' : null;
    },
    apply: (draft, { nodeId }) => activate(draft, nodeId),
    handling: null,
    placements: null,
    byHand: true,
    visible: true,
    restates: false,
    words: null,
  }),

  'conversation-titled': plain(z.object({ type: z.literal('conversation-titled'), title: z.nullable(z.string()) }), {
    check: always,
    apply: (draft, { title }) => draft.set('title', title),
    handling: null,
    placements: null,
    byHand: false,
    visible: false,
    restates: false,
    words: null,
  }),

  'reply-settings-set': plain(z.object({ type: z.literal('reply-settings-set'), settings: ReplySettings }), {
    check: always,
    apply: (draft, { settings }) => draft.set('replySettings', settings),
    handling: null,
    placements: null,
    byHand: false,
    visible: false,
    restates: false,
    words: null,
  }),

  /** The person edits how the conversation is presented to others. */
  'story-told': plain(z.object({ type: z.literal('story-told'), scenes: z.array(StoryScene) }), {
    check: always,
    apply: (draft, { scenes }) => draft.set('story', scenes),
    handling: null,
    placements: null,
    byHand: false,
    visible: false,
    restates: false,
    words: {
      own: () => [],
      // The text of a scene about such a turn may contain its words.
      without: (event, { turns }) => ({ ...event, scenes: event.scenes.filter(({ nodeId }) => !turns.has(nodeId)) }),
    },
  }),

  undone: resolved(z.object({ type: z.literal('undone'), step: Id }), {
    apply: (draft, { step }) => draft.shift('past', step),
    undoable: false,
    handling: 'withdrawn',
    placements: null,
    byHand: false,
    visible: true,
    restates: false,
    words: null,
  }),

  redone: resolved(z.object({ type: z.literal('redone'), step: Id }), {
    apply: (draft, { step }) => draft.shift('future', step),
    undoable: false,
    handling: null,
    placements: null,
    byHand: false,
    visible: true,
    restates: false,
    words: null,
  }),
};

type Kinds = typeof EVENT_KINDS;
export type EventOf<T extends keyof Kinds> = z.infer<Kinds[T]['schema']>;
export type Event = { [T in keyof Kinds]: EventOf<T> }[keyof Kinds];

/** An event that is complete without being resolved against the forest. */
export type PlainEvent = EventOf<{ [T in keyof Kinds]: Kinds[T]['check'] extends null ? never : T }[keyof Kinds]>;

/** An event of a kind that a person does by hand, at least at times (`byHand`). */
export type HandEdit = EventOf<{ [T in keyof Kinds]: Kinds[T]['byHand'] extends false ? never : T }[keyof Kinds]>;

export const kindOf = (event: Event): EventKind<Event> => EVENT_KINDS[event.type];

export const placementsOf = (event: Event): readonly PlacedTurn[] => kindOf(event).placements?.(event) ?? [];

/** Whether an event of this kind changes what the overview says or covers. */
export const restatesOverview = (type: string): boolean =>
  type in EVENT_KINDS && EVENT_KINDS[type as Event['type']].restates;

export const isPlain = (event: Event): event is PlainEvent => kindOf(event).check !== null;

type Schema = Kinds[keyof Kinds]['schema'];
export const Event = z.discriminatedUnion(
  'type',
  Object.values(EVENT_KINDS).map(({ schema }): Schema => schema) as [Schema, ...Schema[]],
);
