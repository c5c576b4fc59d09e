import type { Label, Parent, Placement } from './study.ts';

/*
 * What labels make of a dialogue: topics, and branches in them. Turns without a label hang nowhere.
 */

export type LabelledParent = Pick<Label, 'parent'> | null | undefined;

/** The turn that opens the topic of a turn. */
const rootOf = (labels: readonly LabelledParent[], turn: number): number => {
  let at = turn;
  // A parent comes before its turn, so this ends.
  for (let parent = labels[at]?.parent; typeof parent === 'number' && parent < at; parent = labels[at]?.parent) {
    at = parent;
  }
  return at;
};

const hasChildren = (labels: readonly LabelledParent[], turn: number): boolean =>
  labels.some((label) => label?.parent === turn);

/**
 * The placement that follows from what a turn goes on from. `labels`: of the turns before it. Going on from the turn just before continues its
 * branch; from another tip of the topic switches to that branch; from a turn that something goes on from already opens one.
 */
export const placementFor = (labels: readonly LabelledParent[], parent: Parent): Placement => {
  if (parent === 'new-topic') return 'create-topic';
  const last = labels.length - 1;
  if (parent === 'elsewhere' || rootOf(labels, parent) !== rootOf(labels, last)) return 'switch-topic';
  if (parent === last) return 'continue-branch';
  return hasChildren(labels, parent) ? 'create-branch' : 'switch-branch';
};

/** What a placement can mean, the likeliest first: ends of branches before turns that something goes on from, the newest before older ones. */
export const parentsFor = (labels: readonly LabelledParent[], placement: Placement): Parent[] => {
  if (placement === 'create-topic') return ['new-topic'];
  const found = [...labels.keys()].reverse().filter((turn) => placementFor(labels, turn) === placement);
  const isEnd = (turn: number) => !hasChildren(labels, turn);
  return [...found.filter(isEnd), ...found.filter((turn) => !isEnd(turn))];
};

/** A turn as it stands in the drawing: how far to the right, and which topic it is in, by order of creation. */
export interface Place {
  readonly lane: number;
  readonly topic: number;
}

/** Branches side by side: the first that goes on from a turn stays in its lane, others open one. Turns without a label have none. */
export const placesOf = (labels: readonly LabelledParent[]): (Place | null)[] => {
  const places: (Place | null)[] = [];
  const wentOn = new Set<number>();
  let [lanes, topics] = [0, 0];
  for (const label of labels) {
    const parent = label?.parent;
    const from = typeof parent === 'number' ? places[parent] : undefined;
    if (label == null) places.push(null);
    else if (from == null || typeof parent !== 'number') places.push({ lane: lanes++, topic: topics++ });
    else if (wentOn.has(parent)) places.push({ lane: lanes++, topic: from.topic });
    else places.push(from);
    if (typeof parent === 'number') wentOn.add(parent);
  }
  return places;
};
