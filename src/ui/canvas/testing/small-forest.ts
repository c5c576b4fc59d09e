import { fold } from '../../../domain/apply.ts';
import type { Decision } from '../../../domain/decision.ts';
import { type Entry, LOG_VERSION } from '../../../domain/entry.ts';
import type { Forest } from '../../../domain/forest.ts';
import { syntheticLog } from '../../../domain/testing/synthetic-forest.ts';

const DECISION: Decision = { topic: 'continue-topic', branch: 'continue-branch', by: 'engine', trace: null };

/** A forest from `id: parent` in order of time, null for a root; every root is a topic with the same id. */
export const smallForest = (parents: Readonly<Record<string, string | null>>): Forest => {
  const treeOf: Record<string, string> = {};
  const branchOf: Record<string, string> = {};
  const goneOn = new Set<string>();
  const entries: Entry[] = [];
  for (const [nodeId, parentId] of Object.entries(parents)) {
    const treeId = parentId === null ? nodeId : (treeOf[parentId] as string);
    const branchId = parentId === null || goneOn.has(parentId) ? `b-${nodeId}` : (branchOf[parentId] as string);
    if (parentId !== null) goneOn.add(parentId);
    treeOf[nodeId] = treeId;
    branchOf[nodeId] = branchId;
    const put = (event: Entry['event']) =>
      entries.push({ v: LOG_VERSION, seq: entries.length + 1, at: entries.length, step: nodeId, event });
    put({ type: 'message-sent', nodeId, message: `Message ${nodeId}`, given: null, target: null });
    put({ type: 'turn-placed', nodeId, placement: { treeId, branchId, parentId }, decision: DECISION });
  }
  return fold(entries);
};

/** A made-up forest; see `syntheticLog`. */
export const madeUpForest = (turns: number, seed: number): Forest => fold(syntheticLog(turns, seed));
