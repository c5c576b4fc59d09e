import { Draft, WritableParts } from '../../domain/changes.ts';
import type { Decision, Placement } from '../../domain/decision.ts';
import type { Entry } from '../../domain/entry.ts';
import { type EventOf, placementsOf } from '../../domain/event-kinds.ts';
import { emptyForest, type Forest, type Node, type NodeId, type StepId } from '../../domain/forest.ts';
import { type Arrangement, placementUnder } from '../../domain/handle.ts';
import { childrenOf, nodeOf, replyText, subtree, treesOf } from '../../domain/queries.ts';
import { activate, attach } from '../../domain/restructure.ts';
import { changedNode } from '../../domain/stored-forest.ts';
import { sizeOf } from '../../domain/table.ts';
import { EngineCore, type EngineParts } from '../core.ts';
import { Stopwatch } from '../tasks.ts';
import { decide } from '../turn/decide.ts';
import { titleFor } from '../turn/summarise.ts';
import { replyStart } from '../vectors/node-vectors.ts';
import { readInParts } from './fold-in-parts.ts';
import type { RerunWatch } from './what-if.ts';

/** Whether a turn is still where an import put it and has not been labelled. */
const isUnsorted = ({ decision, label }: Pick<Node, 'decision' | 'label'>): boolean =>
  decision.by === 'import' && label === null;

/**
 * Decides where the turns of an imported conversation belong, one after the other as if they were being said: for each,
 * the engine knows what came before it on its own path, and nothing of the other branches, which had not been seen
 * then. Messages written side by side stay together: they follow the first of them, and stay where they are if that
 * would open a topic. Hidden turns stay where they are. Changes nothing. Rejects if the signal fires.
 */
export const sortTopics = async (parts: EngineParts, forest: Forest, watch: RerunWatch): Promise<Arrangement[]> => {
  const sorting = new Sorting(parts, watch);
  for (const { rootId } of treesOf(forest)) await sorting.through(forest, rootId);
  return sorting.titled(forest);
};

class Sorting {
  readonly #core: EngineCore;
  readonly #watch: RerunWatch;
  readonly #arranged = new Map<NodeId, Arrangement>();
  /** The sorted path of a turn; only for turns with children still to be processed. */
  readonly #pathTo = new Map<NodeId, Forest>();
  #view: Forest = emptyForest();
  #done = 0;

  constructor(parts: EngineParts, watch: RerunWatch) {
    this.#watch = watch;
    this.#core = new EngineCore(parts, {
      forest: () => this.#view,
      commit: async () => ({ ok: false, refusal: 'unknown-turn' }),
      received: () => undefined,
      phase: () => undefined,
      time: () => 0,
    });
  }

  async through(forest: Forest, rootId: NodeId): Promise<void> {
    const of = sizeOf(forest.nodes);
    for (const node of subtree(forest, rootId)) {
      const before = node.parentId === null ? emptyForest() : (this.#pathTo.get(node.parentId) ?? emptyForest());
      // As when it was sent: how long ago a topic was talked about is counted from there.
      this.#view = { ...before, turnCount: node.number };
      const place = await this.#placeOf(forest, node);
      const siblings = node.parentId === null ? [] : childrenOf(forest, node.parentId);
      if (node.parentId !== null && siblings.at(-1) === node.id) this.#pathTo.delete(node.parentId);
      if (childrenOf(forest, node.id).length > 0)
        this.#pathTo.set(node.id, await this.#with(before, forest, node, place));
      this.#watch.progress(++this.#done, of);
      await this.#watch.breathe();
      this.#watch.signal.throwIfAborted();
    }
  }

  /** Titles new topics by their first two turns. */
  async titled(forest: Forest): Promise<Arrangement[]> {
    const parentOf = (node: Node): NodeId | null => {
      const arranged = this.#arranged.get(node.id);
      return arranged === undefined ? node.parentId : arranged.parentId;
    };
    const rootOf = new Map<NodeId, NodeId>();
    const seconds = new Map<NodeId, Node>();
    for (const { rootId } of treesOf(forest)) {
      for (const node of subtree(forest, rootId)) {
        const parentId = parentOf(node);
        const root = parentId === null ? node.id : (rootOf.get(parentId) ?? parentId);
        rootOf.set(node.id, root);
        const second = seconds.get(root);
        if (parentId === null || node.hidden) continue;
        if (second === undefined || node.number < second.number) seconds.set(root, node);
      }
    }
    const titled: Arrangement[] = [];
    for (const one of this.#arranged.values()) {
      this.#watch.signal.throwIfAborted();
      const opens = one.parentId === null && nodeOf(forest, one.nodeId).parentId !== null;
      const second = seconds.get(one.nodeId) ?? null;
      const title = opens ? await titleFor(this.#core, nodeOf(forest, one.nodeId), second, this.#watch.signal) : null;
      titled.push({ ...one, title });
    }
    return titled;
  }

  async #placeOf(forest: Forest, node: Node): Promise<{ parentId: NodeId | null; decision: Decision | null }> {
    const stays = { parentId: node.parentId, decision: null };
    if (node.parentId === null || node.hidden || !isUnsorted(node)) return stays;
    const [first, ...others] = childrenOf(forest, node.parentId).filter((id) => !nodeOf(forest, id).hidden);
    if (first !== undefined && first !== node.id) {
      // A sibling of another turn: follows it wherever it went.
      const parentId = this.#arranged.get(first)?.parentId ?? node.parentId;
      if (parentId !== node.parentId) this.#arrange(node, parentId, null);
      return { parentId, decision: null };
    }
    const { id, number, message, at, attachments } = node;
    const pending = {
      id,
      number,
      message,
      at,
      step: id,
      given: null,
      target: null,
      ...(attachments && { attachments }),
    };
    const { place, reconsider: reconsiderPlace } = await decide(
      this.#core,
      pending,
      new Stopwatch(this.#core.parts.now),
      this.#watch.signal,
    );
    const { parentId, decision } = (await this.#onceReplied(node, reconsiderPlace)) ?? place;
    if (others.length > 0 && parentId === null) return stays;
    this.#arrange(node, parentId, decision);
    return { parentId, decision };
  }

  /** Decides again with the reply, which already exists and says more about the message's subject. */
  async #onceReplied(node: Node, reconsiderPlace: Awaited<ReturnType<typeof decide>>['reconsider']) {
    const { vectors } = this.#core;
    const start = replyStart(node);
    if (start === '') return null;
    await vectors.ensureReplies([node], await this.#core.languageOfTurns(node.message), this.#watch.signal);
    const vector = vectors.replies.meanOf([node.id]);
    return vector && reconsiderPlace(start, vector);
  }

  #arrange({ id: nodeId }: Node, parentId: NodeId | null, decision: Decision | null): void {
    const { newId } = this.#core.parts;
    this.#arranged.set(nodeId, {
      nodeId,
      parentId,
      decision,
      title: null,
      fresh: { treeId: newId(), branchId: newId() },
    });
  }

  /** Returns the forest with the turn in its place. The forest before it is not modified. */
  async #with(
    before: Forest,
    forest: Forest,
    node: Node,
    { parentId, decision }: { parentId: NodeId | null; decision: Decision | null },
  ): Promise<Forest> {
    const fresh = this.#arranged.get(node.id)?.fresh ?? { treeId: node.treeId, branchId: node.id };
    const placement: Placement = placementUnder(before, parentId, fresh);
    const next: Forest = { ...before };
    const own = new WritableParts(next);
    const draft = new Draft(next, null, own);
    const placed = changedNode(node, { ...placement, ...(decision !== null && { decision }) });
    draft.put('nodes', node.id, placed);
    draft.set('turnCount', node.number);
    if (node.hidden) draft.set('hiddenCount', next.hiddenCount + 1);
    attach(draft, placed);
    activate(draft, node.id);
    if (parentId === null) {
      const known = node.parentId === null ? forest.trees[node.treeId]?.title : undefined;
      const turn = { message: node.message, reply: replyText(node) };
      const title = known ?? (await this.#core.parts.embedded.summarise.title(turn));
      draft.edit('trees', placement.treeId, { title });
    }
    own.freeze();
    return next;
  }
}

/** A sorting into topics as a log has it. */
interface LoggedSorting {
  readonly placements: EventOf<'turns-arranged'>['turns'];
  readonly decisions: EventOf<'turn-decided'>[];
  readonly titles: EventOf<'topic-titled'>[];
  /** Whether the turns it moved could have been placed there at once: nothing else had moved or removed turns since they were placed. */
  readonly isPlain: boolean;
  isUndone: boolean;
}

/**
 * Returns a log as if turns had been sorted into topics as they were placed: each of them is placed where the sorting put
 * it, by its decision. The sorting itself comes at the end of an import, so a moment before it knows nothing of the topics.
 * One that was undone does not count. One that came after edits by hand of the same turns is left where it is, because
 * the edits were made to the forest as it was before. Returns the same log if nothing changes.
 */
export const asSorted = async (entries: readonly Entry[], breathe: () => Promise<void>): Promise<readonly Entry[]> => {
  const sortings = await sortingsIn(entries, breathe);
  const standing = [...sortings.values()].filter(({ isPlain, isUndone }) => isPlain && !isUndone);
  if (standing.length === 0) return entries;
  const placements = new Map(
    standing.flatMap(({ placements: turns }) => turns.map(({ nodeId, placement }) => [nodeId, placement] as const)),
  );
  const decisions = new Map(
    standing.flatMap(({ decisions: all }) => all.map(({ nodeId, decision }) => [nodeId, decision] as const)),
  );
  const titles = new Map(standing.flatMap(({ titles: all }) => all.map((event) => [event.treeId, event] as const)));
  const sorted: Entry[] = [];
  await readInParts(entries, breathe, (entry) => {
    const { event, step } = entry;
    const own = step === null ? undefined : sortings.get(step);
    // An undone one is dropped as well: it would move turns from where the others have put them.
    if (own !== undefined && (own.isPlain || own.isUndone)) return;
    if (event.type !== 'turn-placed') {
      sorted.push(entry);
      return;
    }
    const { nodeId } = event;
    const placement = placements.get(nodeId) ?? event.placement;
    const decision = decisions.get(nodeId) ?? event.decision;
    sorted.push({ ...entry, event: { ...event, placement, decision } });
    const title = placement.parentId === null ? titles.get(placement.treeId) : undefined;
    if (title !== undefined) sorted.push({ ...entry, event: title });
  });
  return sorted;
};

/** The sortings of a log by their steps, in order. */
const sortingsIn = async (
  entries: readonly Entry[],
  breathe: () => Promise<void>,
): Promise<ReadonlyMap<StepId, LoggedSorting>> => {
  const found = new Map<StepId, LoggedSorting>();
  const placedAt = new Map<NodeId, number>();
  /** The last entry that changed places and stays in the log. */
  let lastEdit = -1;
  await readInParts(entries, breathe, ({ event, step }, at) => {
    const sorting = step === null ? undefined : found.get(step);
    switch (event.type) {
      case 'turn-placed':
        placedAt.set(event.nodeId, at);
        break;
      case 'turns-arranged': {
        const { turns: placements } = event;
        const isPlain =
          step !== null &&
          placements.every(({ nodeId, placement: { parentId } }) => {
            const own = placedAt.get(nodeId) ?? -1;
            return own > lastEdit && (parentId === null || (placedAt.get(parentId) ?? at) < own);
          });
        if (!isPlain) lastEdit = at;
        if (step !== null) found.set(step, { placements, decisions: [], titles: [], isPlain, isUndone: false });
        break;
      }
      case 'turn-decided':
        sorting?.decisions.push(event);
        break;
      case 'topic-titled':
        sorting?.titles.push(event);
        break;
      case 'undone':
      case 'redone': {
        const meant = found.get(event.step);
        if (meant !== undefined) meant.isUndone = event.type === 'undone';
        break;
      }
      case 'turns-deleted':
      case 'turn-extracted':
      case 'turns-purged':
        lastEdit = at;
        break;
      default:
        if (placementsOf(event).length > 0) lastEdit = at;
    }
  });
  return found;
};
