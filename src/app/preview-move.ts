import { produce } from 'immer';
import { apply } from '../domain/apply.ts';
import { LOG_VERSION } from '../domain/events.ts';
import type { Forest, NodeId, Target } from '../domain/forest.ts';
import { handle } from '../domain/handle.ts';
import { outermost } from '../domain/queries.ts';
import type { MovePreview } from './actions.ts';
import type { Kernel } from './kernel.ts';
import { refusalInWords } from './refusals.ts';

/** What moving turns would do to the context of the next message; nothing is moved. */
export const previewMove = async (kernel: Kernel, nodeIds: readonly NodeId[], to: Target): Promise<MovePreview> => {
  const { forest } = kernel.store.getState();
  const moved = forestAfter(kernel, forest, outermost(forest, nodeIds), to.kind === 'under' ? to.nodeId : null);
  if (typeof moved === 'string') {
    return { refusal: moved, tokensBefore: 0, tokensAfter: 0, entering: [], leaving: [] };
  }
  const [before, after] = [await kernel.engine.nextContext(forest), await kernel.engine.nextContext(moved)];
  return {
    refusal: null,
    tokensBefore: before.tokens,
    tokensAfter: after.tokens,
    entering: [...after.inFull].filter((id) => !before.inFull.has(id)),
    leaving: [...before.inFull].filter((id) => !after.inFull.has(id)),
  };
};

const forestAfter = (
  { ports }: Kernel,
  forest: Forest,
  nodeIds: readonly NodeId[],
  parentId: NodeId | null,
): Forest | string => {
  let next = forest;
  for (const nodeId of nodeIds) {
    const fresh = { treeId: ports.newId(), branchId: ports.newId() };
    const handled = handle(next, { type: 'move', nodeId, parentId, fresh, at: 0, step: 'preview' });
    if (!handled.ok) return refusalInWords(handled.refusal);
    next = produce(next, (draft) => {
      for (const event of handled.events) apply(draft, { v: LOG_VERSION, seq: 1, at: 0, step: handled.step, event });
    });
  }
  return next;
};
