import type { Forest, Node, NodeId, TreeId } from '../../../domain/forest.ts';
import { nodesOf } from '../../../domain/queries.ts';

/** Of each topic that may be meant, so many of the last turns are weighed. */
const LAST_TURNS = 16;

/** A turn that a message may go on from, and how it stands. */
export interface Landing {
  readonly node: Node;
  /** From it the message would go on if nothing forked: the last turn of its topic's active path. */
  readonly isTip: boolean;
  /** Turns from that one up to it; null where it is not on that path. */
  readonly steps: number | null;
  /** Its topic was the active one. */
  readonly here: boolean;
  readonly children: number;
  /** What the decider gave its topic, and going on from this very turn of it; null where that was not asked. */
  readonly topicChance: number;
  readonly placeChance: number | null;
}

/** Everything that a message may go on from: turns, or a new topic. */
export interface Landings {
  readonly turns: readonly Landing[];
  readonly newTopicChance: number;
}

/** A topic that is new by such a chance begins with nothing of what was said elsewhere. */
const SURELY_NEW = 0.95;
/** Least chance that anything is given: a decider that is sure may be wrong all the same. */
const LEAST = 0.002;

/**
 * The turns that a placed message may go on from by what its decisions left open: those of the topic it was put in, of the
 * one that was active, and of the next likely ones. Null where there is nothing to doubt: the person said where it
 * goes, or has spoken of it since, the topic is surely new, or the decider tells no probabilities of what it did not choose.
 */
export const landingsOf = (forest: Forest, node: Node): Landings | null => {
  const { decision, label, treeId } = node;
  const trace = decision.trace;
  const topic = trace?.topic.answer ?? null;
  if (decision.by === 'person' || label !== null || trace === null) return null;
  if (topic?.confidence == null || topic.alternatives === undefined) return null;
  if (decision.topic === 'create-topic' && topic.confidence >= SURELY_NEW) return null;
  const home = trace.topic.candidates.find(({ active }) => active)?.treeId ?? null;
  const chances = new Map<TreeId, number>();
  let newTopicChance = LEAST;
  const chosen = { target: decision.topic === 'create-topic' ? null : treeId, confidence: topic.confidence };
  for (const { target, confidence } of [chosen, ...topic.alternatives]) {
    if (target === null) newTopicChance = Math.max(newTopicChance, confidence);
    else chances.set(target, Math.max(LEAST, confidence));
  }
  if (home !== null && !chances.has(home)) chances.set(home, LEAST);
  const places = placeChances(node);
  const turns: Landing[] = [];
  for (const [id, topicChance] of chances) {
    const own = nodesOf(forest, id).filter((other) => other !== node);
    const steps = stepsUp(forest, tipBefore(forest, id, own, node));
    for (const turn of own.slice(-LAST_TURNS)) {
      const up = steps.get(turn.id) ?? null;
      turns.push({
        node: turn,
        isTip: up === 0,
        steps: up,
        here: id === home,
        children: (forest.children[turn.id] ?? []).filter((child) => child !== node.id).length,
        topicChance,
        placeChance: id !== treeId || places === null ? null : Math.max(LEAST, placeOf(places, turn.id, up === 0)),
      });
    }
  }
  return turns.length === 0 ? null : { turns, newTopicChance };
};

/** Where a topic's active path ended before the message was put under one of its turns. */
const tipBefore = (forest: Forest, treeId: TreeId, own: readonly Node[], placed: Node): NodeId | null => {
  const activeId = forest.trees[treeId]?.activeId;
  if (placed.treeId !== treeId) return activeId ?? null;
  return placed.decision.branch === 'continue-branch' ? placed.parentId : (own.at(-1)?.id ?? null);
};

/** The turns of the path that ends there, each with its distance from the end. */
const stepsUp = ({ nodes }: Forest, tip: NodeId | null): ReadonlyMap<NodeId, number> => {
  const steps = new Map<NodeId, number>();
  for (let id = tip; id !== null; id = nodes[id]?.parentId ?? null) steps.set(id, steps.size);
  return steps;
};

/** What the decider gave the turns of the chosen topic; going on with its tip stands under the empty name. */
type PlaceChances = ReadonlyMap<NodeId | '', number>;

const placeChances = ({ decision: { trace } }: Node): PlaceChances | null => {
  const answer = trace?.branch.answer ?? null;
  if (answer?.confidence == null) return null;
  const chances = new Map<NodeId | '', number>();
  for (const { action, point, confidence } of [
    { action: answer.action, point: answer.point ?? '', confidence: answer.confidence },
    ...(answer.alternatives ?? []),
  ]) {
    const at = action === 'continue-branch' ? '' : point;
    chances.set(at, Math.max(confidence, chances.get(at) ?? 0));
  }
  return chances;
};

const placeOf = (places: PlaceChances, id: NodeId, isTip: boolean): number =>
  Math.max(places.get(id) ?? 0, isTip ? (places.get('') ?? 0) : 0);
