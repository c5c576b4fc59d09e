import type { Overview, Segment } from '../../domain/context.ts';
import type { Forest, Node } from '../../domain/forest.ts';
import { nodeOf, pathTo, replyOf } from '../../domain/queries.ts';
import { OVERVIEW_HEAD, replyText } from '../context-text.ts';
import { fullHistoryTokens, turnTokens } from '../full-history.ts';
import { buildOverview, summaryText } from '../overview.ts';
import { INSTRUCTIONS } from '../parameters.ts';
import type { Policy } from '../policy.ts';
import type { TokenCache } from '../token-cache.ts';

/**
 * How many turns of a path too long for the window become summaries at a time. One at a time would
 * change the context's front, and so lose a chat model's cache, with every turn.
 */
const SUMMARISE_AT_ONCE = 4;

/** Context-Agent §3.3, step 4: the active path in full, every other branch and topic as its summary. */
export const contextAgent: Policy = {
  name: 'context-agent',
  build: async (input) => {
    const { forest, nodeId, tokens, window, parameters } = input;
    const node = nodeOf(forest, nodeId);
    const path = pathTo(forest, nodeId);
    const before = path.slice(0, -1);

    const kept = keptOverview(forest, path);
    const made = kept === null ? await buildOverview({ ...input, id: input.newId(), path }) : null;
    const overview = kept ?? made;
    const fullHistory = await fullHistoryTokens(forest, node, tokens);
    await tokens.prepare([INSTRUCTIONS]);

    const front: Segment[] = [{ kind: 'instructions', text: INSTRUCTIONS, tokens: tokens.count(INSTRUCTIONS) }];
    if (overview !== null) {
      await tokens.prepare([OVERVIEW_HEAD]);
      const lines = overview.lines.reduce((total, line) => total + line.tokens, tokens.count(OVERVIEW_HEAD));
      front.push({ kind: 'overview', overviewId: overview.id, tokens: lines });
    }
    const message: Segment = { kind: 'message', nodeId, tokens: tokens.count(node.message) };
    const room = window - parameters.replyReserve - sum([...front, message]);
    const segments = [...front, ...(await fitPath(before, room, tokens)), message];
    return {
      context: {
        policy: contextAgent.name,
        segments,
        tokens: sum(segments),
        fullHistoryTokens: fullHistory,
        unit: tokens.unit,
      },
      overview: made,
    };
  },
};

const sum = (segments: readonly Segment[]): number => segments.reduce((total, { tokens }) => total + tokens, 0);

/**
 * The overview of the turn before, if the conversation merely continued: same branch, and nothing that it
 * lists has come onto the path or been moved away meanwhile.
 */
const keptOverview = (forest: Forest, path: readonly Node[]): Overview | null => {
  const [parent, node] = path.slice(-2);
  if (parent === undefined || node === undefined || parent.branchId !== node.branchId) return null;
  const segment = replyOf(parent)?.context?.segments.find(({ kind }) => kind === 'overview');
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

/** The path in full where it fits; else its oldest turns as summaries, and what still does not fit counted. */
const fitPath = async (path: readonly Node[], room: number, tokens: TokenCache): Promise<Segment[]> => {
  const turns: Segment[] = path.map((node) => ({
    kind: 'turn',
    nodeId: node.id,
    replyId: node.replyId,
    replyLength: replyText(node).length,
    tokens: turnTokens(node, tokens),
  }));
  if (sum(turns) <= room) return turns;

  const summaries = path.map((node) => `Turn ${node.number}, in short: ${summaryText(node)}`);
  await tokens.prepare([...summaries, leftOut(path.length)]);
  const shortened: Segment[] = path.map((node, i) => {
    const text = summaries[i] as string;
    return { kind: 'turn-summary', nodeId: node.id, text, tokens: tokens.count(text) };
  });
  let inShort = 0;
  const cost = () => sum(shortened.slice(0, inShort)) + sum(turns.slice(inShort));
  while (inShort < turns.length && cost() > room) inShort = Math.min(inShort + SUMMARISE_AT_ONCE, turns.length);
  let dropped = 0;
  const note = tokens.count(leftOut(path.length));
  while (dropped < inShort && cost() - sum(shortened.slice(0, dropped)) + note > room) dropped += 1;
  if (dropped === 0) return [...shortened.slice(0, inShort), ...turns.slice(inShort)];

  await tokens.prepare([leftOut(dropped)]);
  const text = leftOut(dropped);
  return [
    { kind: 'path-left-out', turns: dropped, text, tokens: tokens.count(text) },
    ...shortened.slice(dropped, inShort),
    ...turns.slice(inShort),
  ];
};

const leftOut = (turns: number): string =>
  `The ${turns} oldest ${turns === 1 ? 'turn' : 'turns'} before these did not fit and ${turns === 1 ? 'is' : 'are'} left out.`;
