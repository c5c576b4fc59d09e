import type { Overview, Segment } from '../../domain/context.ts';
import type { Forest, Node } from '../../domain/forest.ts';
import { nodeOf, pathTo, replyOf } from '../../domain/queries.ts';
import { instructionsOf, OVERVIEW_HEAD } from '../context-text.ts';
import { fullHistoryTokens } from '../full-history.ts';
import { buildOverview } from '../overview.ts';
import type { BuiltContext, PolicyInput } from '../policy.ts';
import { fitPath } from './fit-path.ts';
import { sumTokens } from './sum-tokens.ts';
import { unsureTurns } from './unsure-turns.ts';

/**
 * Context-Agent §3.3, step 4: the active path in full, every other branch and topic as its summary, the
 * nearest to the message first to get into the overview's budget; of equally near ones the latest.
 */
export const treeContext = async (policy: string, input: PolicyInput): Promise<BuiltContext> => {
  const { forest, nodeId, tokens, window, parameters } = input;
  const node = nodeOf(forest, nodeId);
  const path = pathTo(forest, nodeId);
  const before = path.slice(0, -1);

  const kept = keptOverview(policy, forest, path);
  const made = kept === null ? await buildOverview({ ...input, id: input.newId(), path }) : null;
  const overview = kept ?? made;
  const fullHistory = await fullHistoryTokens(forest, node, tokens);

  const instructions = instructionsOf(forest);
  const front: Segment[] = [{ kind: 'instructions', text: instructions, tokens: tokens.count(instructions) }];
  if (overview !== null) {
    await tokens.prepare([OVERVIEW_HEAD]);
    const lines = overview.lines.reduce((total, line) => total + line.tokens, tokens.count(OVERVIEW_HEAD));
    front.push({ kind: 'overview', overviewId: overview.id, tokens: lines });
  }
  const message: Segment = { kind: 'message', nodeId, tokens: tokens.count(node.message) };
  const room = window - parameters.replyReserve - sumTokens([...front, message]);
  const inFull = await fitPath(before, room, tokens);
  const unsure = unsureTurns(forest, path, room - sumTokens(inFull), tokens, parameters);
  const segments = [...front, ...unsure, ...inFull, message];
  const context = {
    policy,
    segments,
    tokens: sumTokens(segments),
    fullHistoryTokens: fullHistory,
    unit: tokens.unit,
  };
  return { context, overview: made };
};

/**
 * The overview of the turn before, if the conversation merely continued under the same policy: same branch,
 * and nothing that it lists has come onto the path or been moved away meanwhile.
 */
const keptOverview = (policy: string, forest: Forest, path: readonly Node[]): Overview | null => {
  const [parent, node] = path.slice(-2);
  if (parent === undefined || node === undefined || parent.branchId !== node.branchId) return null;
  const context = replyOf(parent)?.context;
  // Another policy ranked its overview by something else.
  if (!context || context.policy !== policy) return null;
  const segment = context.segments.find(({ kind }) => kind === 'overview');
  const overview = segment?.kind === 'overview' ? forest.overviews[segment.overviewId] : undefined;
  if (overview === undefined || overview.branchId !== node.branchId) return null;
  const onPath = new Set(path.map(({ id }) => id));
  const stale = overview.lines.some(
    (line) =>
      line.kind !== 'left-out' &&
      line.nodeIds.some((id) => {
        const listed = forest.nodes[id];
        const home = line.kind === 'topic' ? listed?.treeId === line.treeId : listed?.branchId === line.branchId;
        return !home || onPath.has(id);
      }),
  );
  // A turn that answers right after other topics were visited has something new to list.
  return stale || leftMeanwhile(parent, node) ? null : overview;
};

/** Turns were sent elsewhere since the parent: the conversation came back rather than went on. */
const leftMeanwhile = (parent: Node, node: Node): boolean => node.number !== parent.number + 1;
