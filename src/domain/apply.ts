import { extracted, hidden, moved, referred, removed } from './apply-edits.ts';
import { replace, revert } from './changes.ts';
import type { Entry, EventOf } from './events.ts';
import { emptyForest, type Forest, type Node, type NodeId, type Reply, type Step, untouched } from './forest.ts';
import { activate, hang, type Write } from './shape.ts';

/**
 * Applies one entry of the log to a draft, in place: a replay folds a plain object, a live commit
 * wraps it in Immer. Expects entries that `handle` let through. What a model still delivers for a
 * turn that has been undone meanwhile changes nothing.
 */
export const apply = (forest: Forest, entry: Entry): void => {
  const { event } = entry;
  if (event.type === 'undone') return shift(forest, 'past', 'future');
  if (event.type === 'redone') return shift(forest, 'future', 'past');
  const write = entry.step === null ? writer(forest) : recorder(forest, entry.step, event.type);
  switch (event.type) {
    case 'message-sent':
      return sent(forest, write, entry, event);
    case 'turn-placed':
      return placed(forest, write, event);
    case 'turn-moved':
      return moved(forest, write, event);
    case 'turn-extracted':
      return extracted(forest, write, event);
    case 'turns-deleted':
      return removed(forest, write, event.nodeIds);
    case 'turns-purged':
      // The last ones first: where everything under a turn goes with it, nothing has to close a gap.
      for (const nodeId of event.nodeIds.toReversed()) {
        extracted(forest, write, { type: 'turn-extracted', nodeId, placement: null, label: null });
      }
      forest.history.past = [];
      forest.history.future = [];
      return;
    case 'turns-hidden':
      return hidden(forest, write, event);
    case 'turn-pinned':
      return write(['nodes', event.nodeId, 'pinned'], event.pinned);
    case 'turn-noted':
      return write(['nodes', event.nodeId, 'note'], event.note);
    case 'reference-added':
    case 'reference-removed':
      return referred(forest, write, event);
    case 'branch-titled':
      return write(['branches', event.branchId, 'title'], event.title);
    case 'turn-confirmed':
      return write(['nodes', event.nodeId, 'label'], event.label);
    case 'overview-built':
      return write(['overviews', event.overview.id], event.overview);
    case 'reply-started':
      return started(forest, write, entry.at, event);
    case 'reply-received':
      return editReply(forest, write, event, (reply) => ({ ...reply, text: reply.text + event.text }));
    case 'reply-ended':
      return editReply(forest, write, event, (reply) => ({
        ...reply,
        state: event.state,
        failure: event.failure,
        failureKind: event.failureKind,
        timings: [...reply.timings, ...event.timings],
        usage: event.usage ?? reply.usage,
      }));
    case 'reply-resumed':
      return editReply(forest, write, event, (reply) => ({
        ...reply,
        state: 'streaming',
        failure: null,
        failureKind: undefined,
        usage: null,
        model: authorsOf(reply, event.model ?? reply.model),
      }));
    case 'reply-chosen':
      return write(['nodes', event.nodeId, 'replyId'], event.replyId);
    case 'summarised':
      return write(['nodes', event.nodeId, 'summary'], { text: event.text, by: event.by, ms: event.ms });
    case 'topic-titled':
      write(['trees', event.treeId, 'title'], event.title);
      return write(['trees', event.treeId, 'titledBy'], event.by);
    case 'activated':
      return activate(forest, write, event.nodeId);
    case 'conversation-titled':
      return write(['title'], event.title);
    case 'reply-settings-set':
      return write(['replySettings'], event.settings);
    default:
      event satisfies never;
  }
};

/** The forest after the first `count` entries (all, if left out). */
export const fold = (entries: readonly Entry[], count = entries.length): Forest => {
  const forest = emptyForest();
  for (const entry of entries.slice(0, count)) apply(forest, entry);
  return forest;
};

const writer =
  (forest: Forest): Write =>
  (path, value) => {
    replace(forest, path, value);
  };

const recorder = (forest: Forest, id: string, type: string): Write => {
  const { history } = forest;
  // Only the newest step can still grow: `handle` lets nothing undoable in between a message and its place.
  if (history.past.at(-1)?.id !== id) {
    history.past.push({ id, type, changes: [] });
    history.future = [];
  }
  const at = history.past.length - 1;
  return (path, value) => {
    const step = history.past[at] as Step;
    history.past[at] = { ...step, changes: [...step.changes, replace(forest, path, value)] };
  };
};

/** Takes the newest step of one side back and lays what brings it back on the other side. */
const shift = (forest: Forest, from: 'past' | 'future', to: 'past' | 'future'): void => {
  const step = forest.history[from].pop();
  if (step === undefined) return;
  forest.history[to].push({ ...step, changes: revert(forest, step.changes) });
};

const sent = (
  forest: Forest,
  write: Write,
  { at, step }: Entry,
  { nodeId, message, given, target }: EventOf<'message-sent'>,
): void => {
  const number = forest.turnCount + 1;
  write(['turnCount'], number);
  write(['pending', nodeId], { id: nodeId, number, message, at, step: step ?? nodeId, given, target });
};

const placed = (forest: Forest, write: Write, { nodeId, placement, decision, label }: EventOf<'turn-placed'>): void => {
  const pending = forest.pending[nodeId];
  if (pending === undefined) return;
  const { id, number, message, at } = pending;
  const node: Node = {
    id,
    number,
    ...placement,
    message,
    at,
    replies: [],
    replyId: null,
    summary: null,
    decision,
    label: label ?? null,
    ...untouched,
  };
  write(['pending', id], undefined);
  write(['nodes', id], node);
  hang(forest, write, node);
  activate(forest, write, id);
};

const started = (
  forest: Forest,
  write: Write,
  at: number,
  { nodeId, replyId, model, context }: EventOf<'reply-started'>,
): void => {
  const node = forest.nodes[nodeId];
  if (node === undefined) return;
  const reply: Reply = {
    id: replyId,
    text: '',
    state: 'streaming',
    model,
    at,
    failure: null,
    context,
    timings: [],
    usage: null,
  };
  write(['nodes', nodeId, 'replies'], [...node.replies, reply]);
  write(['nodes', nodeId, 'replyId'], replyId);
};

/** Who wrote a reply that another model goes on with: both, unless nothing had come yet. */
const authorsOf = ({ text, model }: Reply, next: string): string => {
  if (text === '') return next;
  return model === next || model.endsWith(`, then ${next}`) ? model : `${model}, then ${next}`;
};

const editReply = (
  forest: Forest,
  write: Write,
  { nodeId, replyId }: { nodeId: NodeId; replyId: string },
  edit: (reply: Reply) => Reply,
): void => {
  const node = forest.nodes[nodeId];
  if (node === undefined) return;
  const replies = node.replies.map((reply) => (reply.id === replyId ? edit(reply) : reply));
  write(['nodes', nodeId, 'replies'], replies);
};
