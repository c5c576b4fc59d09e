import type { BranchAction, BranchRule, Decision, TopicAction } from '../../../domain/decision.ts';
import type { Forest, NodeId } from '../../../domain/forest.ts';
import { childrenOf } from '../../../domain/queries.ts';
import type { Policy } from '../../../engine/context/policy.ts';
import { unsureOf } from '../../../engine/place/unsure.ts';
import type { Decider } from '../../../engine/ports.ts';
import { USE_LITE_THETA } from '../../../models/runtimes/embedding.ts';
import { type LabelledDialogue, type LabelledTurn, type Relation, topicsOf } from '../datasets/dialogues.ts';
import type { VectorOf } from './embedded-texts.ts';
import { nodeIdOf, Replay, turnIndexOf } from './replay.ts';

/** The history before a turn: as labelled, or as the engine itself placed it. */
export const EVALUATION_MODES = ['teacher-forced', 'free-running'] as const;
export type EvaluationMode = (typeof EVALUATION_MODES)[number];

/** What places turns: a decider, and a policy that defines how fork points are found. */
export interface PlacementSubject {
  readonly subject: string;
  readonly deciderFor: (dialogue: LabelledDialogue) => Decider;
  readonly policy: Policy;
  /** θ, if it differs from the encoder's own. */
  readonly theta?: number;
}

/** One decision: the label and the answer. */
export interface DecisionRecord {
  readonly dataset: string;
  readonly mode: EvaluationMode;
  readonly subject: string;
  readonly dialogue: string;
  /** Whether parents are labelled, or only topics. */
  readonly labels: LabelledDialogue['labels'];
  /** Index of the turn in its dialogue, from 0. */
  readonly turn: number;
  readonly gold: TurnPlacement;
  readonly predicted: TurnPlacement;
  /** Index of the first turn of the labelled topic: for this turn, and for the turn it was placed under. */
  readonly home: number;
  readonly predictedHome: number | null;
  /** The same once the turn has been replied to, which may have moved it. */
  readonly settled: Pick<TurnPlacement, 'topic' | 'parent'>;
  readonly settledHome: number | null;
  /** For the topic decision and the branch decision, 0–1; null if the decider gave none or was not asked. */
  readonly confidence: number | null;
  readonly branchConfidence: number | null;
  /** Whether the interface marks it as unsure and offers other places. */
  readonly unsure: boolean;
  /** The rule that settled the branch. */
  readonly rule: BranchRule | null;
  readonly disputed: boolean;
  /** Whether the turn's place is labelled; otherwise it is shown but not measured. */
  readonly labelled: boolean;
  readonly relation: Relation | null;
}

export interface Placements {
  readonly records: readonly DecisionRecord[];
  /** Where each turn, including the first, was placed when its message arrived. */
  readonly placed: readonly PlacedTurn[];
  /** The same once each turn had been replied to. */
  readonly settled: readonly PlacedTurn[];
}

interface PlacedTurn {
  /** The parent turn; null if it opens a topic. */
  readonly parent: number | null;
  /** The decision that placed it; null for the first turn. */
  readonly decision: Decision | null;
}

const FIRST: PlacedTurn = { parent: null, decision: null };

/** Lets the engine place every turn of a dialogue. The first turn involves no decision. */
export const placeDialogue = async (
  dataset: string,
  dialogue: LabelledDialogue,
  { subject, deciderFor, policy, theta = USE_LITE_THETA }: PlacementSubject,
  mode: EvaluationMode,
  vectorOf: VectorOf,
): Promise<Placements> => {
  const { turns, id, labels } = dialogue;
  const decider = deciderFor(dialogue);
  const replay = new Replay(vectorOf, policy);
  const gold = goldPlaces(turns);
  const homes = topicsOf(turns);
  const records: DecisionRecord[] = [];
  const placed: PlacedTurn[] = [];
  const settled: PlacedTurn[] = [];
  for (const [turn, labelled] of turns.entries()) {
    if (turn === 0) {
      placed.push(FIRST);
      settled.push(FIRST);
      replay.place(labelled, null);
      continue;
    }
    const route = await replay.route(labelled.message, decider, theta);
    const { parentId, decision } = route;
    const [failed] = decision.trace?.fallbacks ?? [];
    // Falling back to the current place would be measured as a decision.
    if (failed !== undefined)
      throw new Error(`${subject} failed at turn ${turn + 1} of ${dataset} ${id}: ${failed.why}`);
    const once = await replay.routeOnceReplied(labelled, route, decider, theta);
    const parent = parentId === null ? null : turnIndexOf(parentId);
    const settledParent = once.parentId === null ? null : turnIndexOf(once.parentId);
    const fork = parentId !== null && childrenOf(replay.forest, parentId).length > 0;
    const right = gold[turn] as TurnPlacement;
    placed.push({ parent, decision });
    settled.push({ parent: settledParent, decision: once.decision });
    records.push({
      dataset,
      mode,
      subject,
      dialogue: id,
      labels,
      turn,
      gold: right,
      predicted: { topic: decision.topic, branch: decision.branch, parent, fork },
      home: homes[turn] as number,
      predictedHome: parent === null ? null : (homes[parent] as number),
      settled: { topic: once.decision.topic, parent: settledParent },
      settledHome: settledParent === null ? null : (homes[settledParent] as number),
      confidence: decision.trace?.topic.answer?.confidence ?? null,
      branchConfidence: decision.trace?.branch.answer?.confidence ?? null,
      unsure: isUnsure(replay.forest, turn, parentId, decision),
      rule: decision.trace?.branch.rule ?? null,
      disputed: labelled.disputed,
      labelled: labelled.unlabelled !== true,
      relation: labelled.relation ?? null,
    });
    const goldParent = right.parent === null ? null : nodeIdOf(right.parent);
    replay.place(labelled, mode === 'teacher-forced' ? goldParent : once.parentId);
  }
  return { records, placed, settled };
};

/** The node to attach a turn to in a replay, and the decision behind it. */
export const placeIn = (turns: Placements['placed'], turn: number): [NodeId | null, Decision | undefined] => {
  const { parent, decision } = turns[turn] ?? FIRST;
  return [parent === null ? null : nodeIdOf(parent), decision ?? undefined];
};

/** Whether the interface would mark the turn as unsure if it were placed. */
const isUnsure = (forest: Forest, turn: number, parentId: NodeId | null, decision: Decision): boolean => {
  const treeId = parentId === null ? '' : (forest.nodes[parentId]?.treeId ?? '');
  return unsureOf(forest, { decision, parentId, treeId, number: turn + 1, label: null }) !== null;
};

/** A turn's place in terms of turns: according to the labels, or as the engine decided. */
export interface TurnPlacement {
  readonly topic: TopicAction;
  /** null if the turn opens a topic. */
  readonly branch: BranchAction | null;
  /** Index of the turn it builds on; null if it opens a topic. */
  readonly parent: number | null;
  /** Whether its parent already has a child. */
  readonly fork: boolean;
}

/** The labelled place of each turn of a dialogue. */
export const goldPlaces = (turns: readonly Pick<LabelledTurn, 'parent'>[]): TurnPlacement[] => {
  const topics = topicsOf(turns);
  const newest = new Map<number, number>();
  const parents = new Set<number>();
  return turns.map(({ parent }, turn): TurnPlacement => {
    const topic = topics[turn] ?? turn;
    const current = newest.get(topic);
    newest.set(topic, turn);
    if (parent === null) return { topic: 'create-topic', branch: null, parent, fork: false };
    const fork = parents.has(parent);
    parents.add(parent);
    return {
      topic: topic === topics[turn - 1] ? 'continue-topic' : 'switch-topic',
      branch: fork ? 'create-branch' : parent === current ? 'continue-branch' : 'switch-branch',
      parent,
      fork,
    };
  });
};

/** The ancestors of a turn, nearest first. */
export const ancestorsOf = (turns: readonly Pick<LabelledTurn, 'parent'>[], turn: number): number[] => {
  const found: number[] = [];
  for (let at = turns[turn]?.parent ?? null; at !== null; at = turns[at]?.parent ?? null) found.push(at);
  return found;
};
