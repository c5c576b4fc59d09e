import type { Overview, Segment } from '../../../domain/context.ts';
import type { Event } from '../../../domain/event-kinds.ts';
import type { Forest, Node } from '../../../domain/forest.ts';
import { nodeOf, pathTo, replyOf } from '../../../domain/queries.ts';
import { instructionsOf, OVERVIEW_HEAD } from '../context-text.ts';
import { placingCost } from '../cost.ts';
import { fullHistoryTokens } from '../full-history.ts';
import { buildOverview } from '../overview.ts';
import type { BuiltContext, PolicyInput } from '../policy.ts';
import { visibleForest } from '../visible-forest.ts';
import { fitPath } from './fit-path.ts';
import { sumTokens } from './sum-tokens.ts';
import { wantedTurns } from './wanted-turns.ts';

/** Of a budget for the whole context, what the overview may take at most: the path is what it is there for. */
const OVERVIEW_SHARE = 0.25;

/**
 * Context-Agent §3.3, step 4: the active path in full, every other branch and topic as its summary, the
 * nearest to the message first to get into the overview's budget; of equally near ones the latest.
 */
export const treeContext = async (policy: string, input: PolicyInput): Promise<BuiltContext> => {
  const { nodeId, tokens, window, parameters } = input;
  const forest = visibleForest(input.forest, nodeId);
  const node = nodeOf(forest, nodeId);
  const path = pathTo(forest, nodeId);
  const before = path.slice(0, -1);

  const budget = parameters.contextBudget ?? Number.POSITIVE_INFINITY;
  const overviewBudget = Math.min(parameters.overviewBudget, Math.floor(budget * OVERVIEW_SHARE));
  const kept = keptOverview(policy, forest, path, overviewBudget);
  const bounded = { ...parameters, overviewBudget };
  const made =
    kept === null ? await buildOverview({ ...input, parameters: bounded, forest, id: input.newId(), path }) : null;
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
  const room = Math.min(
    window - parameters.replyReserve - sumTokens([...front, message]),
    budget - sumTokens(front.filter(({ kind }) => kind === 'overview')),
  );
  const wanted = await wantedTurns(forest, path, room, tokens);
  const inFull = await fitPath(before, room - sumTokens(wanted), tokens);
  const segments = [...front, ...wanted, ...inFull, message];
  const context = {
    policy,
    segments,
    tokens: sumTokens(segments),
    fullHistoryTokens: fullHistory,
    unit: tokens.unit,
  };
  return { context, overview: made, cost: () => placingCost(forest, nodeId, tokens) };
};

/**
 * The overview of the turn before, if the conversation merely continued under the same policy: same branch,
 * nothing that it lists has come onto the path or been moved away meanwhile, and it fits what an overview may take (tokens) now.
 */
const keptOverview = (policy: string, forest: Forest, path: readonly Node[], most: number): Overview | null => {
  const [parent, node] = path.slice(-2);
  if (parent === undefined || node === undefined || parent.branchId !== node.branchId) return null;
  const context = replyOf(parent)?.context;
  // Another policy ranked its overview by something else.
  if (!context || context.policy !== policy) return null;
  const segment = context.segments.find(({ kind }) => kind === 'overview');
  const overview = segment?.kind === 'overview' ? forest.overviews[segment.overviewId] : undefined;
  if (overview === undefined || overview.branchId !== node.branchId) return null;
  const listed = overview.lines.filter(({ kind }) => kind !== 'left-out');
  if (listed.reduce((total, line) => total + line.tokens, 0) > most) return null;
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
  return stale || leftMeanwhile(parent, node) || editedMeanwhile(forest) ? null : overview;
};

/** Edits by hand that change what an overview says, or of what. */
const EDITS = new Set<string>([
  'summarised',
  'topic-titled',
  'branch-titled',
  'turn-moved',
  'turn-extracted',
  'turns-deleted',
  'turns-hidden',
] satisfies Event['type'][]);

/** The person edited something between the last message and the one before. */
const editedMeanwhile = ({ history: { past } }: Forest): boolean => {
  const before = past.slice(0, -1);
  const message = before.findLastIndex(({ type }) => type === 'message-sent');
  return before.slice(message + 1).some(({ type }) => EDITS.has(type));
};

/** Turns were sent elsewhere since the parent: the conversation came back rather than went on. */
const leftMeanwhile = (parent: Node, node: Node): boolean => node.number !== parent.number + 1;
