import type { NodeId, StepId } from '../../domain/forest.ts';
import type { FreshIds } from '../../domain/handle.ts';
import { childrenOf, replyOf } from '../../domain/queries.ts';
import type { EngineCore } from '../core.ts';
import type { decide } from '../place/decide.ts';
import { withPatience } from '../tasks.ts';
import { replyStart } from '../vectors/node-vectors.ts';

/**
 * Moves a turn to where its reply shows it to belong, as a step of its own. Where it stands otherwise by now (`parentId`: where it was put), the
 * person has spoken; what `recall` quotes, and a reply that failed, say nothing. Where it cannot be looked at
 * again the turn stays: the next decision, by the same models, tells of the failure.
 */
export const reconsider = async (
  core: EngineCore,
  nodeId: NodeId,
  parentId: NodeId | null,
  again: Awaited<ReturnType<typeof decide>>['again'],
  { step, fresh }: { readonly step: StepId; readonly fresh: FreshIds },
): Promise<void> => {
  const { host, vectors } = core;
  const forest = host.forest();
  const node = forest.nodes[nodeId];
  if (node === undefined || node.parentId !== parentId || childrenOf(forest, nodeId).length > 0) return;
  const start = replyStart(node);
  const isWhole = ['done', 'stopped'].includes(replyOf(node)?.state ?? '');
  if (start === '' || !isWhole || node.label !== null || node.decision.by !== 'engine') return;
  const lookAgain = async (signal: AbortSignal) => {
    await vectors.ensureReplies([node], await core.spoken(), signal);
    const vector = vectors.replies.meanOf([nodeId]);
    return vector && again(start, vector);
  };
  const lasting = new AbortController().signal;
  const moved = await withPatience(lookAgain, core.parameters.patience, lasting).catch(() => null);
  if (!moved) return;
  // Refused where the place is gone meanwhile: then the turn stays.
  await host.commit({ type: 'reconsider', nodeId, fresh, step, ...moved });
};
