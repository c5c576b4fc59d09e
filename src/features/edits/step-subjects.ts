import type { Change } from '../../domain/changes.ts';
import type { Entry } from '../../domain/events.ts';
import type { Forest, NodeId, Step, StepId, TreeId } from '../../domain/forest.ts';

/** What the words about a step need to know of what it was about, also where that is gone by now. */
export interface Subjects {
  readonly turn: (id: NodeId) => { readonly number: number; readonly message: string } | undefined;
  readonly topic: (id: TreeId) => string | undefined;
  /** What was recorded as one step, in order. */
  readonly entriesOf: (step: StepId) => readonly Entry[];
}

/** Looks a history's subjects up in the forest, and where they are gone from it in what the steps would bring back. */
export const subjectsOf = (forest: Forest, entries: readonly Entry[]): Subjects => {
  const turns = new Map<NodeId, { number: number; message: string }>();
  const topics = new Map<TreeId, string>();
  const note = ({ path, from }: Change) => {
    const [table, id] = path;
    if (path.length !== 2 || id === undefined || typeof from !== 'object' || from === null) return;
    if ((table === 'nodes' || table === 'pending') && 'number' in from && 'message' in from) {
      turns.set(id, from as { number: number; message: string });
    }
    if (table === 'trees' && 'title' in from) topics.set(id, String(from.title));
  };
  for (const step of [...forest.history.past, ...forest.history.future]) step.changes.map(note);
  const byStep = new Map<StepId, Entry[]>();
  for (const entry of entries) {
    if (entry.step === null) continue;
    const events = byStep.get(entry.step);
    if (events === undefined) byStep.set(entry.step, [entry]);
    else events.push(entry);
  }
  return {
    turn: (id) => forest.nodes[id] ?? forest.pending[id] ?? turns.get(id),
    topic: (id) => forest.trees[id]?.title ?? topics.get(id),
    entriesOf: (step) => byStep.get(step) ?? [],
  };
};

/** Turns that a step took out of the forest, or would bring back to it. */
export const turnsOf = ({ changes }: Step): NodeId[] => [
  ...new Set(changes.flatMap(({ path }) => (path.length === 2 && path[0] === 'nodes' ? [path[1]] : []))),
];
