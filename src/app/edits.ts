import { applyEntries } from '../domain/apply.ts';
import type { Reference, Target } from '../domain/decision.ts';
import { type Entry, LOG_VERSION } from '../domain/entry.ts';
import type { Refusal } from '../domain/event-kind.ts';
import {
  type BranchId,
  type Forest,
  GIVEN,
  type Node,
  type NodeId,
  PERSON,
  type PendingTurn,
  type ReplyId,
  type TreeId,
} from '../domain/forest.ts';
import { handle, type Intent, type IntentOutcome } from '../domain/handle.ts';
import { plural } from '../domain/numbers.ts';
import { childrenOf, familyOf, followingOnBranch, nodeOf, outermost } from '../domain/queries.ts';
import type { ReplySettings } from '../domain/reply.ts';
import { recordsOf } from '../domain/table.ts';
import { draftOf, draftText, isSameFile, joinDrafts } from './attachments.ts';
import { commitTo, purge } from './conversation-log.ts';
import {
  type Kernel,
  notify,
  pruneSelection,
  pruneUnfinished,
  reportingErrors,
  reportingWhetherKept,
  saveVectorsAgain,
  setSession,
  stillOpen,
} from './kernel.ts';
import type { Learning } from './learning.ts';
import { type Notice, paneInView } from './state.ts';
import type { Turns } from './turns.ts';

/** The effect of moving turns on the context of the next message. */
export interface MovePreview {
  /** Why it cannot be done, as text for the user; null if it can. */
  readonly refusal: string | null;
  /** Tokens in the context, not counting the message itself. */
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** Turns whose full text would enter or leave the context. */
  readonly entering: readonly NodeId[];
  readonly leaving: readonly NodeId[];
}

/**
 * Offers to take back what has just been done. Refused once another step has been taken or another conversation is open:
 * it would take back that.
 */
export const revertible = (kernel: Kernel, label: string, back: () => unknown): NonNullable<Notice['action']> => {
  const { store } = kernel;
  const steps = ({ past, future }: Forest['history']) => [past.at(-1)?.id, future.at(-1)?.id].join();
  const { conversationId, forest } = store.getState();
  const run = () => {
    const now = store.getState();
    const isLast = now.conversationId === conversationId && steps(now.forest.history) === steps(forest.history);
    if (isLast) back();
    else notify(kernel, 'Something else was done since then. To go back, use Undo or History.');
  };
  return { label, run, passes: true };
};

/**
 * Commits an intent to the open conversation. Null if there is nothing more to do: it was refused, which is shown, or
 * another conversation was opened meanwhile. `unsaid`: a refusal that is no news.
 */
export const commitHere = async (
  kernel: Kernel,
  intent: Intent,
  unsaid?: Refusal,
): Promise<(IntentOutcome & { ok: true }) | null> => {
  const isOpen = stillOpen(kernel);
  const outcome = await kernel.commit(intent);
  if (outcome.ok) return isOpen() ? outcome : null;
  if (outcome.refusal === unsaid) return null;
  if (isOpen()) notifyRefusal(kernel, outcome.refusal);
  else notify(kernel, 'Another conversation was opened before that could be done. Nothing was changed.');
  return null;
};

/** Whether the message was written here, and did not come with its reply from a file, a sample or another conversation. */
const isWritten = (sent: Node | PendingTurn): boolean =>
  'given' in sent
    ? sent.given === null
    : sent.decision.by !== 'import' && sent.replies.every(({ model }) => model !== GIVEN);

/** Where a message was to go when it was sent; null if that was left to the engine. */
const targetOf = (sent: Node | PendingTurn): Target | null => {
  if ('target' in sent) return sent.target;
  const { parentId, label, decision } = sent;
  if (decision.by !== 'person') return null;
  const chosen = label?.beforehand === true ? { chosen: true } : {};
  return parentId === null ? { kind: 'new-topic', ...chosen } : { kind: 'under', nodeId: parentId, ...chosen };
};

/** The user's manual edits to the forest. */
export const createEdits = (kernel: Kernel, turns: Turns, learning: Learning) => {
  const { store, ports } = kernel;

  const undo = reportingErrors(kernel, 'Undo', async () => {
    const { forest } = store.getState();
    const undone = await commitHere(kernel, { type: 'undo' });
    if (undone === null) return;
    const { forest: now, session } = store.getState();
    // The text of an undone turn goes back into the draft, unless it came with its reply.
    const gone = [...recordsOf(forest.nodes), ...recordsOf(forest.pending)].find(
      (turn) => now.nodes[turn.id] === undefined && now.pending[turn.id] === undefined && isWritten(turn),
    );
    notify(kernel, 'Undone.', revertible(kernel, 'Reapply', redo));
    turns.followTarget(undone.events);
    if (gone !== undefined && draftText(session) === '') {
      const target = store.getState().session.target ?? targetOf(gone);
      setSession(kernel, { ...draftOf(gone), target });
    }
    await turns.followSteps(forest);
  });

  const redo = reportingErrors(kernel, 'Redo', async () => {
    const { forest } = store.getState();
    const redone = await commitHere(kernel, { type: 'redo' });
    if (redone === null) return;
    const { forest: now, session } = store.getState();
    const back = [...recordsOf(now.nodes), ...recordsOf(now.pending)].find(
      ({ id }) => forest.nodes[id] === undefined && forest.pending[id] === undefined,
    );
    if (back !== undefined && draftText(session) === back.message) {
      const sent = draftOf(back).attached;
      // Files attached since go with the next message.
      const attached = session.attached.filter((one) => !sent.some((file) => isSameFile(file, one)));
      setSession(kernel, { draft: '', attached, target: null });
    }
    notify(kernel, 'Redone.', revertible(kernel, 'Revert', undo));
    turns.followTarget(redone.events);
    await turns.followSteps(forest);
  });

  return {
    select: (nodeId: NodeId | null) => setSession(kernel, { selectedId: nodeId }),

    /** Makes a turn the active node. The next message continues from there as well: a user who navigates somewhere wants to talk there. */
    activate: reportingErrors(kernel, 'Activating the turn', async (nodeId: NodeId) => {
      if (store.getState().past !== null) return;
      const isOpen = stillOpen(kernel);
      const done = await kernel.record({ type: 'activated', nodeId });
      if (!isOpen()) return;
      if (!done.ok && done.refusal !== 'already-there') return notifyRefusal(kernel, done.refusal);
      setSession(kernel, { selectedId: nodeId });
      turns.continueFrom(nodeId, done.ok ? done.step : null);
      const { forest } = store.getState();
      const { number } = nodeOf(forest, nodeId);
      const forks = childrenOf(forest, nodeId).length > 0;
      notify(kernel, `The next message continues from turn ${number}${forks ? ', as a new branch' : ''}.`);
    }),

    /** Moves a turn with its subtree and keeps the correction as a label. */
    correct: reportingErrors(kernel, 'Moving the turn', async (nodeId: NodeId, to: Target) => {
      const before = store.getState().forest;
      const { engine } = kernel;
      const isOpen = stillOpen(kernel);
      const moved = await commitHere(kernel, {
        type: 'move',
        nodeId,
        parentId: to.kind === 'under' ? to.nodeId : null,
        fresh: { treeId: ports.newId(), branchId: ports.newId() },
        at: ports.now(),
        step: ports.newId(),
      });
      if (moved === null) return;
      turns.moveOn(before, moved.step);
      const { forest } = store.getState();
      const node = nodeOf(forest, nodeId);
      const where = to.kind === 'under' ? `under turn ${nodeOf(forest, to.nodeId).number}` : 'to a topic of its own';
      notify(kernel, `Turn ${node.number} moved ${where}.`, revertible(kernel, 'Revert', undo));
      await learning.follow(before, forest);
      // Last, because a language model may take its time, and the move may be undone meanwhile.
      if (isOpen()) await engine.titleSince(before);
    }),

    /** Confirms the placement of a turn and keeps that as a label. */
    confirm: reportingErrors(kernel, 'Confirming the turn', async (nodeId: NodeId) => {
      const before = store.getState().forest;
      const confirm = { type: 'confirm' as const, nodeId, at: ports.now(), step: ports.newId() };
      if ((await commitHere(kernel, confirm)) === null) return;
      const { forest } = store.getState();
      notify(
        kernel,
        `Turn ${nodeOf(forest, nodeId).number} confirmed in its place. Saved as a label.`,
        revertible(kernel, 'Revert', undo),
      );
      await learning.follow(before, forest);
    }),

    /** Shows another of a turn's replies, by which the turn is then summarised. */
    chooseReply: reportingErrors(kernel, 'Choosing the reply', async (nodeId: NodeId, replyId: ReplyId) => {
      const before = store.getState().forest;
      const { engine } = kernel;
      const event = { type: 'reply-chosen' as const, nodeId, replyId };
      const chosen = await commitHere(kernel, { type: 'record', event, step: ports.newId() }, 'already-there');
      if (chosen !== null) await engine.catchUpSince(before);
    }),

    titleTopic: reportingWhetherKept(kernel, 'Renaming the topic', async (treeId: TreeId, title: string) => {
      if (title.trim() === '') return true;
      const event = { type: 'topic-titled' as const, treeId, title: title.trim(), by: 'person' as const };
      return (await commitHere(kernel, { type: 'record', event, step: ports.newId() })) !== null;
    }),

    /** Applies to every reply of the conversation from now on. */
    setReplySettings: reportingErrors(kernel, 'Changing the reply settings', async (settings: ReplySettings) => {
      const event = { type: 'reply-settings-set' as const, settings };
      if ((await commitHere(kernel, { type: 'record', event, step: ports.newId() })) === null) return;
      notify(kernel, 'Reply settings saved for this conversation.', revertible(kernel, 'Revert', undo));
    }),

    undo,
    redo,
  };
};

interface Parts {
  readonly turns: Turns;
  readonly learning: Learning;
  readonly undo: () => Promise<void>;
}

/** The user's manual edits to the forest other than single corrections. Each is one undo step. */
export const createHandEdits = (kernel: Kernel, { turns, learning, undo }: Parts) => {
  const { store, ports } = kernel;

  /**
   * Commits an edit, with nothing in between, and shows a notice, or the reason it was refused; resolves to whether it was
   * done and its conversation is still open. `words` may depend on the intents that were carried out.
   */
  const edit = async <I extends Intent>(
    intents: readonly I[],
    words: string | ((done: readonly I[]) => string),
  ): Promise<boolean> => {
    const { conversationId, forest: before } = store.getState();
    const isOpen = stillOpen(kernel);
    const results = await kernel.inQueue(async () => {
      const outcomes: IntentOutcome[] = [];
      for (const intent of intents) outcomes.push(await commitTo(kernel, conversationId, intent));
      return outcomes;
    });
    if (!isOpen()) return false;
    const done = intents.filter((_, at) => results[at]?.ok);
    if (done.length === 0) {
      const [refused] = results;
      if (refused?.ok === false) notifyRefusal(kernel, refused.refusal);
      return false;
    }
    pruneSelection(kernel);
    const step = results.find((outcome) => outcome.ok)?.step;
    if (step !== undefined) turns.moveOn(before, step);
    notify(kernel, typeof words === 'string' ? words : words(done), revertible(kernel, 'Revert', undo));
    await learning.follow(before, store.getState().forest);
    return isOpen();
  };

  const record = (event: (Intent & { type: 'record' })['event'], words: string): Promise<boolean> =>
    edit([{ type: 'record', event, step: ports.newId() }], words);

  const numbers = (nodeIds: readonly NodeId[]): string => {
    const { nodes } = store.getState().forest;
    return turnsInWords(nodeIds.flatMap((id) => nodes[id] ?? []));
  };
  const fresh = () => ({ treeId: ports.newId(), branchId: ports.newId() });

  const pinTurns = async (nodeIds: readonly NodeId[], pinned: boolean): Promise<void> => {
    const { nodes } = store.getState().forest;
    const changing = nodeIds.filter((id) => nodes[id]?.pinned === !pinned);
    const step = ports.newId();
    const [is, has] = changing.length === 1 ? ['is', 'it'] : ['are', 'them'];
    const pin = `pinned: every context of focused and of the context-agent policies includes ${has}, in full if the model’s window has room`;
    await edit(
      changing.map((nodeId) => ({ type: 'record', event: { type: 'turn-pinned', nodeId, pinned }, step })),
      `${numbers(changing)} ${is} ${pinned ? pin : 'no longer pinned'}.`,
    );
  };

  return {
    /** Selects several turns; `primary` is the one shown in the inspector. */
    selectMany: (nodeIds: readonly NodeId[], primary: NodeId | null) =>
      setSession(kernel, { selection: nodeIds, selectedId: primary }),

    /** Moves several turns with their subtrees; turns that descend from another selected turn move along with it. */
    moveTurns: reportingErrors(kernel, 'Moving turns', async (nodeIds: readonly NodeId[], to: Target) => {
      const { forest } = store.getState();
      const moving = outermost(forest, nodeIds);
      const parentId = to.kind === 'under' ? to.nodeId : null;
      const at = ports.now();
      const step = ports.newId();
      const done = await edit(
        moving.map((nodeId) => ({ type: 'move' as const, nodeId, parentId, fresh: fresh(), at, step })),
        (moved) => {
          const own = moved.length === 1 ? 'to a topic of its own' : 'to topics of their own';
          const where = parentId === null ? own : `under turn ${nodeOf(forest, parentId).number}`;
          return `${numbers(moved.map(({ nodeId }) => nodeId))} moved ${where}.`;
        },
      );
      if (done) await kernel.engine.titleSince(forest);
    }),

    /** Returns the effect of a move on the next message's context, without moving anything. */
    previewMove: (nodeIds: readonly NodeId[], to: Target) => previewMove(kernel, nodeIds, to),

    /** Extracts a turn into its own topic; its children close the gap. */
    extractTurn: reportingErrors(kernel, 'Detaching the turn', async (nodeId: NodeId) => {
      const before = store.getState().forest;
      const words = `${numbers([nodeId])} detached into a topic of its own.`;
      const done = await edit(
        [{ type: 'extract', nodeId, fresh: fresh(), at: ports.now(), step: ports.newId() }],
        words,
      );
      if (done) await kernel.engine.titleSince(before);
    }),

    /** `alone`: keeps their children, which take their place. The text stays in the log until it is purged. */
    deleteTurns: reportingErrors(kernel, 'Deleting turns', async (nodeIds: readonly NodeId[], alone: boolean) => {
      const { forest } = store.getState();
      const all = alone ? nodeIds : familyOf(forest, nodeIds);
      const them = all.length === 1 ? 'it' : 'them';
      const words = `${numbers(all)} deleted. Undo brings ${them} back.`;
      if (await edit([{ type: 'delete', nodeIds, alone, step: ports.newId() }], words)) {
        await kernel.engine.titleSince(forest);
      }
    }),

    /** Hidden turns are never sent. */
    hideTurns: reportingErrors(kernel, 'Hiding turns', async (nodeIds: readonly NodeId[], hidden: boolean) => {
      const { forest } = store.getState();
      const words = `${numbers(nodeIds)} ${hidden ? 'hidden from all models' : 'shown again'}.`;
      const done = await record({ type: 'turns-hidden', nodeIds: [...nodeIds], hidden }, words);
      if (done && !hidden) await kernel.engine.catchUpSince(forest);
    }),

    /** Ends a branch at a turn: everything that follows on the branch is hidden, with its subtrees. */
    endBranch: reportingErrors(kernel, 'Ending the branch', async (nodeId: NodeId) => {
      const { forest } = store.getState();
      const nodeIds = followingOnBranch(forest, nodeId).map(({ id }) => id);
      if (nodeIds.length === 0) return notifyRefusal(kernel, 'already-there');
      const step = ports.newId();
      const intents: Intent[] = [{ type: 'record', event: { type: 'turns-hidden', nodeIds, hidden: true }, step }];
      const { active, trees } = forest;
      const { treeId } = nodeOf(forest, nodeId);
      const isHere = active?.treeId === treeId;
      const goesOn = isHere ? active.nodeId : trees[treeId]?.activeId;
      // The turn from which the next message in this topic continues must not be hidden.
      if (nodeIds.includes(goesOn ?? '')) {
        for (const id of isHere || active === null ? [nodeId] : [nodeId, active.nodeId]) {
          intents.push({ type: 'record', event: { type: 'activated', nodeId: id }, step });
        }
      }
      await edit(
        intents,
        `The branch ends at turn ${nodeOf(forest, nodeId).number}: ${hiddenInWords(nodeIds.length)}.`,
      );
    }),

    /**
     * Removes the text of turns, deleted ones too, from disk, along with the undo history; this cannot be undone.
     */
    purgeTurns: reportingErrors(kernel, 'Purging turns', async (nodeIds: readonly NodeId[]) => {
      const { conversationId, forest } = store.getState();
      const isOpen = stillOpen(kernel);
      const shown = nodeIds.filter((id) => forest.nodes[id] !== undefined);
      const gone = nodeIds.length - shown.length;
      const deleted = gone === 0 ? [] : [`${gone} deleted ${plural(gone, 'turn')}`];
      const what = [...(shown.length === 0 ? [] : [numbers(shown)]), ...deleted].join(' and ');
      const words = `${what} purged: the text is gone from this conversation.`;
      // It might bring words of these turns back.
      if (turns.isReplying && !(await turns.endReply())) return;
      const cancelled = 'Purging was cancelled, since another conversation was opened.';
      if (!isOpen()) return notify(kernel, cancelled);
      const filesOfOtherDrafts = async () =>
        (await import('./draft-files.ts')).createDraftFiles(kernel).named(conversationId);
      const purged = await kernel.inQueue(() => purge(kernel, conversationId, nodeIds, filesOfOtherDrafts));
      if (!purged.ok) return isOpen() ? notifyRefusal(kernel, purged.refusal) : notify(kernel, cancelled);
      saveVectorsAgain(kernel);
      pruneSelection(kernel, { texts: true });
      pruneUnfinished(kernel);
      notify(kernel, words);
      // What was learned from these turns went with them.
      await learning.refresh();
      // Last, as in `correct`: a topic that began with one of them, or was titled from it, has no title of its own now.
      if (isOpen()) await kernel.engine.titleSince(forest);
    }),

    /** Pinned turns are in every context of `focused` and of the `context-agent` policies, with their full text if it fits. */
    pinTurn: reportingErrors(kernel, 'Pinning the turn', (nodeId: NodeId, pinned: boolean) =>
      pinTurns([nodeId], pinned),
    ),
    /** Pins several turns in one step; those already in that state are left alone. */
    pinTurns: reportingErrors(kernel, 'Pinning turns', pinTurns),

    /** An empty text removes the note. */
    noteTurn: reportingWhetherKept(kernel, 'Saving the note', (nodeId: NodeId, text: string) => {
      const note = text.trim() === '' ? null : text.trim();
      const words = note === null ? `Removed the note on ${numbers([nodeId]).toLowerCase()}.` : 'Note saved.';
      return record({ type: 'turn-noted', nodeId, note }, words);
    }),

    /** No model overwrites the user's summary; an empty text regenerates it, which may take a while. */
    rewordSummary: reportingWhetherKept(kernel, 'Changing the summary', async (nodeId: NodeId, text: string) => {
      if (text.trim() !== '') {
        return record({ type: 'summarised', nodeId, text: text.trim(), by: PERSON }, 'Summary saved.');
      }
      const isOpen = stillOpen(kernel);
      const made = await kernel.engine.summariseAnew(nodeId, ports.newId());
      if (!made.ok && isOpen()) notifyRefusal(kernel, made.refusal);
      return made.ok;
    }),

    /** An empty title falls back to the first turn. */
    titleBranch: reportingWhetherKept(kernel, 'Renaming the branch', (branchId: BranchId, title: string) =>
      record({ type: 'branch-titled', branchId, title: title.trim() || null }, 'Branch renamed.'),
    ),

    addReference: reportingErrors(
      kernel,
      'Adding the reference',
      async (nodeId: NodeId, to: NodeId, as: Reference['as']) => {
        const { forest } = store.getState();
        const words = `Turn ${nodeOf(forest, nodeId).number} now refers to turn ${nodeOf(forest, to).number}.`;
        await record({ type: 'reference-added', nodeId, reference: { to, as, by: 'person' } }, words);
      },
    ),

    removeReference: reportingErrors(kernel, 'Removing the reference', async (nodeId: NodeId, to: NodeId) => {
      await record({ type: 'reference-removed', nodeId, to }, 'Reference removed.');
    }),

    /** Makes the next message continue from this turn, as a new branch. */
    forkFrom: (nodeId: NodeId): void => {
      const { forest, past, session } = store.getState();
      if (past !== null || forest.nodes[nodeId] === undefined) return;
      setSession(kernel, {
        target: { kind: 'under', nodeId, chosen: true },
        selectedId: nodeId,
        ...paneInView('chat', session),
      });
      const branch = childrenOf(forest, nodeId).length > 0 ? ', as a new branch' : '';
      notify(kernel, `The next message continues from turn ${nodeOf(forest, nodeId).number}${branch}.`);
    },

    /**
     * Edits a sent message. An edit already begun is continued; one of another message is not overwritten, and one of a
     * message that is gone by now goes into the draft.
     */
    editMessage: (nodeId: NodeId): void => {
      const { entries, forest, past, session } = store.getState();
      const node = forest.nodes[nodeId];
      if (past !== null || node === undefined) return;
      const begun = session.editing?.nodeId === nodeId ? session.editing : null;
      const left = begun === null ? session.editing : null;
      const other = forest.nodes[left?.nodeId ?? ''];
      if (other !== undefined && isChanged(left?.text ?? '', other)) {
        return notify(kernel, `Turn ${other.number} has an unsent edit. Send it or cancel it first.`);
      }
      const isLeft = left !== null && other === undefined;
      if (isLeft && isChanged(left.text, { message: messageSent(entries, left.nodeId) })) {
        setSession(kernel, { draft: joinDrafts(session.draft, left.text) });
        notify(kernel, 'The unsent edit of a deleted turn was put into the message box.');
      }
      setSession(kernel, {
        editing: { nodeId, text: begun?.text ?? node.message, takesFocus: true },
        ...paneInView('chat', session),
      });
    },
  };
};

/** What was sent as a turn's message, which may be gone from the forest. */
const messageSent = (entries: readonly Entry[], nodeId: NodeId): string => {
  const sent = entries.find(({ event }) => event.type === 'message-sent' && event.nodeId === nodeId);
  return sent?.event.type === 'message-sent' ? sent.event.message : '';
};

/** Whether the edited text is worth sending: neither empty nor what was sent before. */
export const isChanged = (text: string, { message }: Pick<Node, 'message'>): boolean =>
  text.trim() !== '' && text.trim() !== message.trim();

const hiddenInWords = (count: number): string => `${count} ${plural(count, 'turn')} hidden`;

/** `Turn 3`, or `4 turns`. */
export const turnsInWords = (turns: readonly Node[]): string =>
  turns.length === 1 ? `Turn ${turns[0]?.number}` : `${turns.length.toLocaleString('en')} turns`;

/** Computes the effect of moving turns on the context of the next message; nothing is moved. */
const previewMove = async (kernel: Kernel, nodeIds: readonly NodeId[], to: Target): Promise<MovePreview> => {
  const { forest } = kernel.store.getState();
  const moved = forestAfter(kernel, forest, outermost(forest, nodeIds), to.kind === 'under' ? to.nodeId : null);
  if (typeof moved === 'string') {
    return { refusal: moved, tokensBefore: 0, tokensAfter: 0, entering: [], leaving: [] };
  }
  const [before, after] = [await kernel.engine.nextContext(forest), await kernel.engine.nextContext(moved)];
  return {
    refusal: null,
    tokensBefore: before.tokens,
    tokensAfter: after.tokens,
    entering: [...after.inFull].filter((id) => !before.inFull.has(id)),
    leaving: [...before.inFull].filter((id) => !after.inFull.has(id)),
  };
};

const forestAfter = (
  { ports }: Kernel,
  forest: Forest,
  nodeIds: readonly NodeId[],
  parentId: NodeId | null,
): Forest | string => {
  let next = forest;
  for (const nodeId of nodeIds) {
    const fresh = { treeId: ports.newId(), branchId: ports.newId() };
    const handled = handle(next, { type: 'move', nodeId, parentId, fresh, at: 0, step: 'preview' });
    if (!handled.ok) return refusalInWords(handled.refusal);
    const { step, events } = handled;
    next = applyEntries(
      next,
      events.map((event): Entry => ({ v: LOG_VERSION, seq: 1, at: 0, step, event })),
    );
  }
  return next;
};

const REFUSALS: Partial<Record<Refusal, string>> = {
  'turn-pending': 'A message is still being placed. Try again in a moment.',
  'under-itself': 'A turn cannot be moved under one of its own descendants.',
  'already-there': 'It is already there.',
  'already-labelled': 'You have already confirmed or corrected this turn.',
  'several-branches':
    'Several branches begin at this first turn. Move them elsewhere first, or delete it with all under it.',
  'on-its-path': 'That turn is already sent, because it is on the path.',
  'unknown-turn': 'That turn no longer exists.',
  'unknown-topic': 'That topic no longer exists.',
  'not-stored': 'Nothing was changed: this conversation is no longer stored.',
  'nothing-to-undo': 'There is nothing to undo.',
  'nothing-to-redo': 'There is nothing to redo.',
};

/** Why an intent was refused, as text for the user. */
export const refusalInWords = (refusal: Refusal): string => REFUSALS[refusal] ?? `Not possible (${refusal}).`;

export const notifyRefusal = (kernel: Kernel, refusal: Refusal): void => notify(kernel, refusalInWords(refusal));
