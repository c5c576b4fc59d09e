import { Draft, WritableParts } from '../../domain/changes.ts';
import type { Decision, Placement } from '../../domain/decision.ts';
import { emptyForest, type Forest, type Node, type NodeId } from '../../domain/forest.ts';
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
