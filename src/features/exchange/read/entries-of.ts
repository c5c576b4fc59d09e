import { apply, fold } from '../../../domain/apply.ts';
import type { Attachment } from '../../../domain/attachment.ts';
import type { Decision } from '../../../domain/decision.ts';
import { type Entry, LOG_VERSION } from '../../../domain/entry.ts';
import { type Event, type PlainEvent, placementsOf } from '../../../domain/event-kinds.ts';
import { emptyForest, type Forest, type NodeId, type ReplyId, type StepId } from '../../../domain/forest.ts';
import { handle } from '../../../domain/handle.ts';
import { PURGED } from '../../../domain/purge.ts';
import { pendingTurn } from '../../../domain/queries.ts';
import { defaultReplySettings } from '../../../domain/reply.ts';
import { contentHash } from '../../../engine/vectors/node-vectors.ts';
import { type MessageTree, mendTree } from './mend-tree.ts';
import { type SourceConversation, shortened } from './source.ts';
import { messageWithoutSpeaker, type SourceTurn, type TurnForest, turnsOf } from './turns-of-tree.ts';

/** A conversation from a file, repaired and split into turns; `newEntries` writes the log that builds its forest. */
export interface ImportedForest {
  /** `source:conversation`: the same for every import of it. */
  readonly key: string;
  readonly title: string;
  readonly tree: MessageTree;
  readonly turns: TurnForest;
  /** The instructions at its head; null if there are none, or if it is unclear which of several apply. */
  readonly instructions: string | null;
}

/** The conversation as it was: every turn in its place, alternative answers side by side. `now`: milliseconds since 1970. */
export const forestOf = (conversation: SourceConversation, now: number): ImportedForest => {
  const key = keyOf(conversation);
  const tree = mendTree(conversation, now);
  const turns = turnsOf(tree);
  const title = shortened(conversation.title?.trim() || openingOf(turns) || 'Untitled');
  const [first, ...more] = tree.instructions;
  return { key, title, tree, turns, instructions: more.length === 0 ? (first ?? null) : null };
};

const openingOf = ({ turns: [first] }: TurnForest): string => (first === undefined ? '' : messageWithoutSpeaker(first));

/**
 * Entries that an export adds to the log of its conversation, without new decisions: the turns and replies that are not in
 * the log yet, including deleted ones. All of them if `known` is empty. Throws, in words for the user, if a message waits for
 * its place there and turns are to be added.
 */
export const newEntries = (
  imported: Pick<ImportedForest, 'key' | 'title' | 'turns' | 'instructions'>,
  known: readonly Entry[],
  files: ImportedFiles = new Map(),
): Entry[] => {
  const { key, title, turns, instructions } = imported;
  const forest = known.length === 0 ? emptyForest() : fold(known);
  const last = known.at(-1)?.seq ?? 0;
  const { past, future } = forest.history;
  // Where steps can be undone or redone, what is added is one of them: the others only hold for the turns of their time.
  const step = past.length + future.length === 0 ? null : `${importStep(key)}${last + 1}`;
  const entries = entriesOf(key, title, turns, forest, { last, step }, importedIn(key, known), files);
  const before = entries.at(-1) ?? known.at(-1);
  if (before === undefined) return [];
  // Written last, so a conversation of which only a part was stored lacks them. What the user changed since stays.
  const undone = undoneImports(key, known);
  const isMissing = (type: Event['type']) =>
    known.every(({ event, step: of }) => event.type !== type || (of !== null && undone.has(of)));
  const settled: Event[] = [];
  // Users look for the title from the source, even if the conversation turns out to have several topics.
  if (title !== shortened(openingOf(turns)) && isMissing('conversation-titled'))
    settled.push({ type: 'conversation-titled', title });
  if (instructions !== null && isMissing('reply-settings-set')) {
    settled.push({ type: 'reply-settings-set', settings: { ...defaultReplySettings, systemPrompt: instructions } });
  }
  const { at, seq } = before;
  return [...entries, ...settled.map((event, i): Entry => ({ v: LOG_VERSION, seq: seq + 1 + i, at, step, event }))];
};

/** How the steps begin in which longer exports are added. */
const importStep = (key: string): string => `${key}:import `;

/** The kept files of the turns being written; the bytes of all other files are missing. */
type ImportedFiles = ReadonlyMap<SourceFile, Attachment>;

export type SourceFile = SourceTurn['attachments'][number];

/** What earlier imports have put into a log, including what was deleted since, but not what their step took with it as it was undone. */
interface Imported {
  /** Its turns, with the turn that each was placed under. */
  readonly parents: ReadonlyMap<NodeId, NodeId | null>;
  /** Turns of undone imports: they may come again, as other ones. */
  readonly undone: ReadonlySet<NodeId>;
  /** Its replies, with the turn that holds each. */
  readonly holders: ReadonlyMap<ReplyId, NodeId>;
  /** What they said when they were imported, by the id of the turn or reply; not what was purged. */
  readonly words: ReadonlyMap<NodeId | ReplyId, string>;
  /** The reply that each turn shows. */
  readonly shown: ReadonlyMap<NodeId, ReplyId>;
  /** Turns of which the person chose a reply or asked for one, or that they went on from; without deleted ones. */
  readonly chosen: ReadonlySet<NodeId>;
}

/** The imports into a log that are undone by now. */
const undoneImports = (key: string, known: readonly Entry[]): ReadonlySet<StepId> => {
  const undone = new Set<StepId>();
  for (const { event } of known) {
    if (event.type === 'redone') undone.delete(event.step);
    else if (event.type === 'undone' && event.step.startsWith(importStep(key))) undone.add(event.step);
  }
  return undone;
};

const importedIn = (key: string, known: readonly Entry[]): Imported => {
  const steps = undoneImports(key, known);
  const undone = new Set<NodeId>();
  const parents = new Map<NodeId, NodeId | null>();
  const holders = new Map<ReplyId, NodeId>();
  const words = new Map<NodeId | ReplyId, string>();
  const received = new Set<ReplyId>();
  const shown = new Map<NodeId, ReplyId>();
  const chosen = new Set<NodeId>();
  for (const { event, step } of known) {
    if (step !== null && steps.has(step)) {
      // A turn that was purged after it had been undone was not wanted.
      if (event.type === 'message-sent' && event.message === PURGED) parents.set(event.nodeId, null);
      else if (event.type === 'message-sent') undone.add(event.nodeId);
      continue;
    }
    const byImport = step === null || step.startsWith(importStep(key));
    if (event.type === 'message-sent') {
      parents.set(event.nodeId, null);
      if (event.message !== PURGED) words.set(event.nodeId, event.message);
    } else if (event.type === 'reply-received') {
      // An import records a reply in one piece: what follows was gone on with here.
      if (event.text !== '' && !received.has(event.replyId)) words.set(event.replyId, event.text);
      received.add(event.replyId);
    } else if (event.type === 'turn-placed') parents.set(event.nodeId, event.placement.parentId);
    else if (event.type === 'reply-started' || event.type === 'reply-chosen') {
      const { nodeId, replyId } = event;
      shown.set(nodeId, replyId);
      const isImported = event.type === 'reply-chosen' ? byImport : replyId.startsWith(`${key}:reply `);
      if (!isImported) chosen.add(nodeId);
      else if (event.type === 'reply-started') holders.set(replyId, nodeId);
    } else if (event.type === 'turns-deleted') for (const id of event.nodeIds) chosen.delete(id);
    for (const { nodeId, placement } of placementsOf(event)) {
      const isImported = byImport && nodeId.startsWith(`${key}:`);
      if (!isImported && placement.parentId !== null) chosen.add(placement.parentId);
    }
  }
  return { parents, undone, holders, words, shown, chosen };
};

/** A reply that is held by one turn of a message already, when another turn shows it as well. */
const copyOf = (replyId: ReplyId, nodeId: NodeId): ReplyId => `${replyId} in ${nodeId}`;

/**
 * The id of each turn in the log: of the turn that it was imported as, or a new one. Which of the turns of a duplicated
 * message has which suffix depends on what was shown last, so it is the turns below and the replies that tell them apart.
 */
const nodeIdsOf = (
  key: string,
  turns: readonly SourceTurn[],
  { parents, undone, holders, words, shown, chosen }: Imported,
): ReadonlyMap<string, NodeId> => {
  const idOf = (id: string): NodeId => `${key}:${id}`;
  const found = new Map<string, NodeId>();
  const taken = new Set<NodeId>();
  const used = (id: NodeId): boolean => parents.has(id) || undone.has(id) || taken.has(id);
  const below = new Map<string, NodeId[]>();
  for (const { parentId, messageId } of turns) {
    if (parentId !== null) below.set(parentId, [...(below.get(parentId) ?? []), idOf(messageId)]);
  }
  const shownIn = (nodeId: NodeId, { shownReplyId }: SourceTurn): ReplyId | null => {
    const replyId = idOf(`reply ${shownReplyId}`);
    return [replyId, copyOf(replyId, nodeId)].find((one) => holders.get(one) === nodeId) ?? null;
  };
  /** Whether the person chose another reply than the one that the file goes on from. */
  const hasOther = (nodeId: NodeId, turn: SourceTurn): boolean =>
    chosen.has(nodeId) && below.has(turn.id) && (shown.get(nodeId) ?? null) !== shownIn(nodeId, turn);
  const isUnder = (child: NodeId, nodeId: NodeId): boolean =>
    versionsOf(child, used).some((version) => parents.get(version) === nodeId);
  const signs: ((nodeId: NodeId, turn: SourceTurn) => boolean)[] = [
    (nodeId, { id }) => below.get(id)?.some((child) => isUnder(child, nodeId)) === true,
    (nodeId, turn) => shown.has(nodeId) && shown.get(nodeId) === shownIn(nodeId, turn),
    (nodeId, turn) => shownIn(nodeId, turn) !== null && !hasOther(nodeId, turn),
    (nodeId, turn) => !hasOther(nodeId, turn),
  ];
  const take = ({ id }: SourceTurn, nodeId: NodeId): void => {
    found.set(id, nodeId);
    taken.add(nodeId);
  };
  if (areNumbered(turns)) {
    for (const turn of turns) {
      const parentId = turn.parentId === null ? null : (found.get(turn.parentId) ?? null);
      const versions = versionsOf(idOf(turn.messageId), used).filter((nodeId) => parents.get(nodeId) === parentId);
      const same =
        versions.find((nodeId) => words.get(nodeId) === turn.message) ??
        versions.find((nodeId) => isScrubbed(words.get(nodeId), turn.message));
      take(turn, same ?? nextVersion(idOf(turn.id), used));
    }
    return found;
  }
  for (const sign of signs) {
    for (const turn of turns) {
      const there = found.has(turn.id) ? [] : versionsOf(idOf(turn.messageId), used);
      const own = there.find((nodeId) => parents.has(nodeId) && !taken.has(nodeId) && sign(nodeId, turn));
      if (own !== undefined) take(turn, own);
    }
  }
  for (const turn of turns) {
    if (found.has(turn.id)) continue;
    const own = idOf(turn.id);
    take(turn, used(own) ? nextVersion(idOf(turn.messageId), used) : own);
  }
  return found;
};

const versionsOf = (id: NodeId, has: (id: NodeId) => boolean): NodeId[] => {
  const versions: NodeId[] = [];
  for (let n = 1, one = id; has(one); one = `${id}~${++n}`) versions.push(one);
  return versions;
};

const nextVersion = (id: NodeId, has: (id: NodeId) => boolean): NodeId => {
  const { length } = versionsOf(id, has);
  return length === 0 ? id : `${id}~${length + 1}`;
};

/**
 * Whether the messages are only known by their places, as in LM Studio and in lists: where one was rewritten, another message
 * has its id, so words and the turn above tell whether it is the same. Tools with real ids keep those of edited messages.
 */
const areNumbered = (turns: readonly SourceTurn[]): boolean =>
  turns.every(({ id, messageId }) => id === messageId && /^(message \d{1,9}|\d{1,9}\.\d{1,9})$/.test(id));

/**
 * Whether this may be what a purge has left of a text: of what it quoted, only the mark is there. Of what was purged itself
 * nothing is known.
 */
const isScrubbed = (left: string | undefined, text: string): boolean => {
  if (left === undefined) return true;
  const [start = '', ...pieces] = left.split(PURGED);
  const end = pieces.pop();
  if (end === undefined || !text.startsWith(start)) return false;
  let from = start.length;
  for (const piece of pieces) {
    const at = text.indexOf(piece, from);
    if (at === -1) return false;
    from = at + piece.length;
  }
  return text.slice(from).endsWith(end);
};

/** The id of a reply in a numbered chat: of the one in this turn that begins with its text, or a new one. */
const numberedReplyId = (own: ReplyId, text: string, nodeId: NodeId, { holders, words }: Imported): ReplyId => {
  const versions = versionsOf(own, (id) => holders.has(id));
  const here = versions.filter((id) => holders.get(id) === nodeId);
  return (
    here.find((id) => words.get(id)?.startsWith(text)) ??
    here.find((id) => isScrubbed(words.get(id), text)) ??
    nextVersion(own, (id) => holders.has(id))
  );
};

/** The files of turns that are not in the log yet. */
export const newFiles = (
  { key, turns: { turns } }: Pick<ImportedForest, 'key' | 'turns'>,
  known: readonly Entry[],
): SourceFile[] => {
  const imported = importedIn(key, known);
  const nodeIds = nodeIdsOf(key, turns, imported);
  return turns.flatMap(({ id, attachments }) => (imported.parents.has(nodeIds.get(id) ?? '') ? [] : attachments));
};

const kept = (file: SourceFile, files: ImportedFiles): Attachment => {
  const { name, text, madeIn } = file;
  const found = files.get(file) ?? { id: null, name, mediaType: '', size: 0, ...(text !== null && { text }) };
  return madeIn === null ? found : { ...found, made: true };
};

/**
 * How many files came with replies that these entries add to turns which are in the log already. They have no place there:
 * the files of a turn are in the log with its message. Not counted are those whose text is part of the reply.
 */
export const filesWithoutPlace = (
  { key, turns: { turns } }: Pick<ImportedForest, 'key' | 'turns'>,
  added: readonly Entry[],
): number => {
  const sent = new Set(added.flatMap(({ event }) => (event.type === 'message-sent' ? [event.nodeId] : [])));
  const late = new Set<ReplyId>();
  const isNumbered = areNumbered(turns);
  for (const { event } of added) {
    if (event.type !== 'reply-started' || sent.has(event.nodeId)) continue;
    late.add(isNumbered ? event.replyId.replace(/~\d+$/, '') : event.replyId);
  }
  const isLate = (replyId: string): boolean => late.has(`${key}:reply ${replyId}`);
  const files = turns.flatMap(({ attachments }) => attachments);
  return files.filter(({ madeIn, text }) => madeIn !== null && text === null && isLate(madeIn)).length;
};

/**
 * A conversation without an id is identified by its content. A small number may count the conversations of its file, as it does
 * where messages are only numbered: then the opening message is part of the key, which a longer export has as well.
 */
const keyOf = ({ source, id, messages }: SourceConversation): string => {
  if (id === null) {
    const said = messages.flatMap(({ by, text, ownText = text }) => (ownText === null ? [] : `${by}\u0000${ownText}`));
    return `${source}:${contentHash(said.join('\u0001'))}`;
  }
  if (!SMALL.test(id) || !messages.some((message) => NUMBERED.test(message.id))) return `${source}:${id}`;
  const opening = messages.find(({ by }) => by === 'user') ?? messages[0];
  return `${source}:${id}:${contentHash(opening?.text ?? '')}`;
};

/** `12`, and `1_00012` as data sets number their dialogues. */
const SMALL = /^(\d{1,4}_)?\d{1,9}$/;
/** `12`, and `message 12` as readers name a message without an id. */
const NUMBERED = /^([a-z]+ )?\d{1,9}$/;

/** Each turn stands where the file has it, without a decision. */
const AS_IT_WAS: Pick<Decision, 'by' | 'trace'> = { by: 'import', trace: null };

const entriesOf = (
  key: string,
  title: string,
  { turns, currentId }: TurnForest,
  forest: Forest,
  { last, step }: { readonly last: number; readonly step: StepId | null },
  imported: Imported,
  files: ImportedFiles,
): Entry[] => {
  const entries: Entry[] = [];
  const { parents, holders, chosen } = imported;
  const nodeIds = nodeIdsOf(key, turns, imported);
  const idOf = (turnId: string): NodeId => nodeIds.get(turnId) ?? '';
  const isNew = ({ id }: SourceTurn): boolean => !parents.has(idOf(id));
  const isNumbered = areNumbered(turns);
  let at = 0;
  const append = (event: Event): void => {
    const entry: Entry = { v: LOG_VERSION, seq: last + entries.length + 1, at, step, event };
    apply(forest, entry);
    entries.push(entry);
  };
  const record = (event: PlainEvent): void => {
    const handled = handle(forest, { type: 'record', event, step: null });
    // The user's changes since may make some events impossible: their changes win.
    if (handled.ok) for (const one of handled.events) append(one);
  };
  // An edited first message is not a topic of its own: the versions share the title.
  const roots = new Set(turns.flatMap((one) => (one.parentId === null && one.editOf === null ? [one.messageId] : [])));
  const messages = new Map(turns.map(({ id, message }) => [id, message]));
  for (const turn of turns) {
    const nodeId = idOf(turn.id);
    at = turn.at;
    if (isNew(turn)) place(turn, nodeId);
    const shownBefore = forest.nodes[nodeId]?.replyId;
    if (shownBefore === undefined) continue;
    let shown: ReplyId | null = null;
    for (const reply of turn.replies) {
      const isShown = reply.id === turn.shownReplyId;
      const first = `${key}:reply ${reply.id}`;
      const own = isNumbered ? numberedReplyId(first, reply.text, nodeId, imported) : first;
      const isElsewhere = (holders.get(own) ?? nodeId) !== nodeId;
      if (isElsewhere && !isShown) continue;
      const replyId = isElsewhere ? copyOf(own, nodeId) : own;
      if (isShown) shown = replyId;
      if (holders.has(replyId)) continue;
      at = Math.max(turn.at, reply.at);
      record({
        type: 'reply-started',
        nodeId,
        replyId,
        model: reply.model ?? key.slice(0, key.indexOf(':')),
        context: null,
      });
      record({ type: 'reply-received', nodeId, replyId, text: reply.text });
      record({ type: 'reply-ended', nodeId, replyId, state: 'done', failure: null, timings: [] });
    }
    // A new reply is shown at first, also above what follows another one.
    const replyId = chosen.has(nodeId) ? shownBefore : shown;
    if (replyId !== null) record({ type: 'reply-chosen', nodeId, replyId });
  }
  at = entries.reduce((latest, entry) => Math.max(latest, entry.at), 0);
  for (const turn of turns) {
    for (const to of isNew(turn) ? turn.references : []) {
      record({ type: 'reference-added', nodeId: idOf(turn.id), reference: { to: idOf(to), as: 'path', by: 'engine' } });
    }
  }
  for (const turn of turns) {
    if (turn.editOf === null || !isNew(turn)) continue;
    const reference = { to: idOf(turn.editOf), as: 'summary' as const, by: 'engine' as const };
    record({ type: 'reference-added', nodeId: idOf(turn.id), reference });
  }
  if (currentId !== null && entries.length > 0) record({ type: 'activated', nodeId: idOf(currentId) });
  return entries;

  function topicTitle({ message, editOf }: SourceTurn): string {
    const own = roots.size === 1 ? title : shortened(messages.get(editOf ?? '') ?? message);
    return editOf === null ? own : `${own} (edited)`;
  }

  function place(turn: SourceTurn, nodeId: NodeId): void {
    const { parentId, message, attachments } = turn;
    const parent = parentId === null ? null : idOf(parentId);
    // The user deleted its parent, so everything below it is gone too.
    if (parent !== null && forest.nodes[parent] === undefined) return;
    if (pendingTurn(forest) !== null) {
      const where = `A message in “${title}” is still waiting for its place.`;
      throw new Error(`${where} Open that conversation, and import again once the message has been placed.`);
    }
    const before = forest.active?.treeId ?? null;
    const sent = { type: 'message-sent' as const, nodeId, message, given: null, target: null };
    record(attachments.length === 0 ? sent : { ...sent, attachments: attachments.map((file) => kept(file, files)) });
    const fresh = { treeId: `${nodeId}:topic`, branchId: `${nodeId}:branch` };
    const topic =
      parent === null ? 'create-topic' : forest.nodes[parent]?.treeId === before ? 'continue-topic' : 'switch-topic';
    const decision: Decision = { ...AS_IT_WAS, topic, branch: parent === null ? null : 'continue-branch' };
    const placed = handle(forest, { type: 'place', nodeId, parentId: parent, fresh, decision });
    if (!placed.ok) throw new Error(`a turn of a sound tree has no place: ${placed.refusal}`);
    for (const event of placed.events) {
      const isFork = event.type === 'turn-placed' && event.placement.branchId === fresh.branchId && parent !== null;
      append(isFork ? { ...event, decision: { ...decision, branch: 'create-branch' } } : event);
    }
    if (parent === null)
      record({
        type: 'topic-titled',
        treeId: fresh.treeId,
        title: topicTitle(turn),
        by: 'engine',
      });
  }
};
