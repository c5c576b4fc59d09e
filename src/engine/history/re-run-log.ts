import { apply, settled } from '../../domain/apply.ts';
import { Own } from '../../domain/changes.ts';
import type { Placement } from '../../domain/decision.ts';
import { type Entry, LOG_VERSION } from '../../domain/entry.ts';
import { isPlain, kindOf } from '../../domain/event-kinds.ts';
import { emptyForest, type Forest, type TreeId } from '../../domain/forest.ts';
import { type FreshIds, type Handled, handle, type Intent } from '../../domain/handle.ts';
import { nodesOf } from '../../domain/queries.ts';
import { idsOf, recordsOf } from '../../domain/table.ts';
import type { LeftOut } from './what-if.ts';

/** A log in memory, and the forest that it makes: nothing of it is kept anywhere. */
export class MemoryLog {
  readonly entries: Entry[] = [];
  #forest: Forest = settled(emptyForest());
  /** What of it was written to since it was given last; null where that is nothing. */
  #own: Own | null = null;

  /** The forest as it is, to be read at once: what comes next changes it. */
  get now(): Forest {
    return this.#forest;
  }

  /** The forest as it is. It is never changed once it was given: see `Host.forest`. */
  get forest(): Forest {
    this.#own?.settle();
    this.#own = null;
    return this.#forest;
  }

  /** Takes an entry of another log as it is. */
  take({ at, step, event }: Entry): void {
    const entry: Entry = { v: LOG_VERSION, seq: this.entries.length + 1, at, step, event };
    if (this.#own === null) {
      this.#forest = { ...this.#forest };
      this.#own = new Own(this.#forest);
    }
    apply(this.#forest, entry, this.#own);
    this.entries.push(entry);
  }

  /** Carries an intent out as of a moment, in milliseconds since 1970. */
  commit(intent: Intent, at: number): Handled {
    const handled = handle(this.#forest, intent);
    if (!handled.ok) return handled;
    for (const event of handled.events) {
      this.take({ v: LOG_VERSION, seq: 0, at, step: handled.step, event });
    }
    return handled;
  }
}

/** Whether the person did it, to a forest whose turns had their places. */
export const isByHand = ({ event, step }: Entry): boolean => {
  const { byHand } = kindOf(event);
  return typeof byHand === 'boolean' ? byHand : byHand(event, step);
};

/** Either what there is to carry out, or why there is nothing. */
type Reapplication =
  | { readonly intent: Intent; readonly instead?: LeftOut['why'] }
  | { readonly intent: null; readonly why: LeftOut['why'] };

/**
 * An edit by hand as an intent for a forest that may have grown otherwise. `original`: the forest in which the person did
 * it. Ids of topics and branches say nothing here: a topic is the one with the same root, a branch the one with the
 * same first turn.
 */
export const reapply = (entry: Entry, original: Forest, forest: Forest, ids: ReusedIds): Reapplication => {
  const { event, step } = entry;
  if (step === null && event.type !== 'topic-titled') return { intent: null, why: 'not-there' };
  const own = step ?? '';
  switch (event.type) {
    case 'turn-moved': {
      const { nodeId, placement, label } = event;
      const node = forest.nodes[nodeId];
      const at = label?.at ?? entry.at;
      if (node !== undefined && node.parentId === placement.parentId) {
        // That the turn belongs there is what the person said, and is kept.
        return node.label === null
          ? { intent: { type: 'confirm', nodeId, at, step: own }, instead: 'not-needed' }
          : { intent: null, why: 'not-needed' };
      }
      const { parentId } = placement;
      return { intent: { type: 'move', nodeId, parentId, fresh: ids.like(placement), at, step: own } };
    }
    case 'turn-extracted': {
      const { nodeId, placement, label } = event;
      if (placement === null) return { intent: { type: 'delete', nodeIds: [nodeId], alone: true, step: own } };
      const at = label?.at ?? entry.at;
      return { intent: { type: 'extract', nodeId, fresh: ids.like(placement), at, step: own } };
    }
    case 'turns-deleted':
      return { intent: { type: 'delete', nodeIds: event.nodeIds, alone: false, step: own } };
    case 'turn-confirmed': {
      const { nodeId, label } = event;
      const here = forest.nodes[nodeId];
      if (here !== undefined && here.parentId !== label.person.parentId)
        return { intent: null, why: 'placed-otherwise' };
      return { intent: { type: 'confirm', nodeId, at: label.at, step: own } };
    }
    case 'topic-titled': {
      const rootId = original.trees[event.treeId]?.rootId;
      const root = rootId === undefined ? undefined : forest.nodes[rootId];
      if (root === undefined || root.parentId !== null) return { intent: null, why: 'not-there' };
      return { intent: { type: 'record', event: { ...event, treeId: root.treeId }, step } };
    }
    case 'branch-titled': {
      const headId = original.branches[event.branchId]?.headId;
      const branch = recordsOf(forest.branches).find((one) => one.headId === headId);
      if (branch === undefined) return { intent: null, why: 'not-there' };
      return { intent: { type: 'record', event: { ...event, branchId: branch.id }, step } };
    }
    default:
      return isPlain(event) ? { intent: { type: 'record', event, step } } : { intent: null, why: 'not-needed' };
  }
};

/** Whether a title of a topic that was made of its first two turns has the words of one that is not the second here. */
export const hasAnotherSecond = (original: Forest, forest: Forest, treeId: TreeId): boolean => {
  const second = nodesOf(original, treeId)[1];
  if (second === undefined) return false;
  const here = forest.nodes[second.id];
  return here === undefined || nodesOf(forest, here.treeId)[1]?.id !== second.id;
};

/** Ids for what placements make: those that the original made at the same place, where a re-run has not used them yet. */
export class ReusedIds {
  readonly #newId: () => string;
  readonly #used = new Set<string>();

  constructor(newId: () => string) {
    this.#newId = newId;
  }

  /** What the forest holds now is used. */
  note(forest: Forest): void {
    for (const id of idsOf(forest.trees)) this.#used.add(id);
    for (const id of idsOf(forest.branches)) this.#used.add(id);
  }

  /** `placement`: the original's; its ids may be new ones, or those of what was there. */
  like({ treeId, branchId }: Placement): FreshIds {
    return { treeId: this.#unused(treeId), branchId: this.#unused(branchId) };
  }

  #unused(id: string): string {
    return this.#used.has(id) ? this.#newId() : id;
  }
}
