import { applyEntries, fold, frozen } from '../src/domain/apply.ts';
import { type Entry, LOG_VERSION } from '../src/domain/entry.ts';
import type { Forest, NodeId } from '../src/domain/forest.ts';
import { handle, type Intent } from '../src/domain/handle.ts';
import { isAncestor } from '../src/domain/queries.ts';
import { idsOf } from '../src/domain/table.ts';
import { syntheticLog } from '../src/domain/testing/synthetic-forest.ts';
import { layoutForest } from '../src/ui/canvas/layout.ts';
import { type Figure, median } from './figure.ts';

const TURNS = 2_000;
const SEED = 7;
const GOAL_MS = 100;
/** Number of edits measured per kind, on turns spread over the forest. */
const MEASURED = 40;
/** Number of full folds and layouts for the baseline. */
const ANEW = 7;

type Edit = (forest: Forest, nodeId: NodeId, other: NodeId, id: () => string) => Intent;

const record = (event: (Intent & { type: 'record' })['event'], step: string): Intent => ({
  type: 'record',
  event,
  step,
});

const EDITS: Readonly<Record<string, Edit>> = {
  'Moving a turn': (forest, nodeId, other, id) => ({
    type: 'move',
    nodeId,
    parentId: other === nodeId || isAncestor(forest, nodeId, other) ? null : other,
    fresh: { treeId: id(), branchId: id() },
    at: 0,
    step: id(),
  }),
  'Taking a turn out': (_, nodeId, __, id) => ({
    type: 'extract',
    nodeId,
    fresh: { treeId: id(), branchId: id() },
    at: 0,
    step: id(),
  }),
  'Deleting a turn with all under it': (_, nodeId, __, id) => ({
    type: 'delete',
    nodeIds: [nodeId],
    alone: false,
    step: id(),
  }),
  'Hiding a turn': (_, nodeId, __, id) => record({ type: 'turns-hidden', nodeIds: [nodeId], hidden: true }, id()),
  'Pinning a turn': (_, nodeId, __, id) => record({ type: 'turn-pinned', nodeId, pinned: true }, id()),
  Undo: () => ({ type: 'undo' }),
};

/**
 * Measures the cost of a manual edit before it is drawn, on a forest of 2,000 turns: validating the intent,
 * applying its events and laying out the canvas. The baseline folds the whole log again and lays everything out.
 */
export const edits = async (): Promise<Figure[]> => {
  const entries = syntheticLog(TURNS, SEED);
  const whole = frozen(fold(entries));
  const plan = layoutForest(whole, null);
  const ids = idsOf(whole.nodes);
  let made = 0;
  const id = (): string => `edit${++made}`;

  const anew = median(
    Array.from({ length: ANEW }, () => {
      const start = performance.now();
      layoutForest(fold(entries), null);
      return performance.now() - start;
    }),
  );
  const timed = (edit: Edit, at: number): number | null => {
    const nodeId = ids[(at * 47) % ids.length] as NodeId;
    const other = ids[(at * 131 + 17) % ids.length] as NodeId;
    const start = performance.now();
    const handled = handle(whole, edit(whole, nodeId, other, id));
    if (!handled.ok) return null;
    const next = applyEntries(
      whole,
      handled.events.map((event) => entry(event, handled.step)),
    );
    layoutForest(next, plan);
    return performance.now() - start;
  };
  return Object.entries(EDITS).map(([name, edit]) => {
    for (let at = 0; at < 5; at++) timed(edit, at + MEASURED);
    const times = Array.from({ length: MEASURED }, (_, at) => timed(edit, at)).filter((ms) => ms !== null);
    return {
      name: `${name} among ${TURNS.toLocaleString('en')}, median of ${times.length}`,
      value: median(times),
      unit: 'ms',
      goal: GOAL_MS,
      baseline: { name: 'folded and laid out anew', value: anew },
    };
  });
};

const entry = (event: Entry['event'], step: string | null): Entry => ({ v: LOG_VERSION, seq: 1, at: 0, step, event });
