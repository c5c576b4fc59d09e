import type { Overview, OverviewLine } from '../../domain/context.ts';
import type { Forest, Node, NodeId } from '../../domain/forest.ts';
import { plural } from '../../domain/numbers.ts';
import { beginning, branchNodes, nodeOf, nodesOf, treesOf } from '../../domain/queries.ts';
import type { Parameters } from '../parameters.ts';
import type { TokenCache } from '../text/token-cache.ts';

interface OverviewInput {
  readonly id: string;
  readonly forest: Forest;
  /** The active path; its turns are sent in full and therefore not listed. */
  readonly path: readonly Node[];
  /** Cosine similarity of a node to the message; null if unknown. */
  readonly nearness: (nodeId: NodeId) => number | null;
  readonly tokens: TokenCache;
  readonly parameters: Parameters;
}

/** A branch or topic that could be listed, with its turns sent before the one being answered. */
interface Entry {
  readonly kind: 'branch' | 'topic';
  readonly id: string;
  readonly head: string;
  readonly nodes: readonly Node[];
}

/** The line that lists an entry. */
interface Line {
  readonly text: string;
  readonly tokens: number;
  /** The turns with a summary in it; absent if all have one. */
  readonly listed?: NodeId[];
}

/**
 * Summarises every other branch of the tree and every other tree (Context-Agent §3.3, step 4), as far as they were
 * there before the turn being answered, which may be replied to again much later. The nearest to the message get into the budget first; lines are in chronological order. A separate line counts what does not fit. Null
 * if the forest holds nothing else.
 */
export const buildOverview = async (input: OverviewInput): Promise<Overview | null> => {
  const { forest, path, tokens, parameters, nearness } = input;
  const tip = path.at(-1);
  if (tip === undefined) return null;
  const entries = [...otherBranches(forest, path, tip), ...otherTopics(forest, tip)];
  if (entries.length === 0) return null;
  await tokens.prepare(
    entries.flatMap(({ head, nodes }) => [head, more(nodes.length), only(nodes.length), ...nodes.map(summaryText)]),
  );

  const nearestFirst = (nodes: readonly Node[]): Node[] =>
    nodes
      .map((node) => ({ node, near: nearness(node.id) ?? -1 }))
      .sort((a, b) => b.near - a.near || b.node.number - a.node.number)
      .map(({ node }) => node);
  const ranked = entries
    .map((entry) => ({ entry, nodes: nearestFirst(entry.nodes) }))
    .sort((a, b) => {
      const [nearA, nearB] = [a.nodes[0] as Node, b.nodes[0] as Node];
      return (nearness(nearB.id) ?? -1) - (nearness(nearA.id) ?? -1) || nearB.number - nearA.number;
    });

  const chosen = new Map<Entry, Line>();
  let left = parameters.overviewBudget;
  for (const { entry, nodes } of ranked) {
    const most = Math.min(left, parameters.overviewLineBudget);
    const room = most - tokens.count(entry.head);
    let line = lineOf(entry, await fill(nodes, room, tokens), tokens);
    // The count of the rest costs tokens too.
    if (line.tokens > most) {
      const rest = tokens.count(more(nodes.length));
      line = lineOf(entry, await fill(nodes, room - rest, tokens), tokens);
    }
    if (line.tokens > left) continue;
    left -= line.tokens;
    chosen.set(entry, line);
  }
  return { id: input.id, branchId: tip.branchId, lines: await inOrder(entries, chosen, tokens) };
};

/** The summary of a node, or the start of its message if it has none yet. */
export const summaryText = (node: Node): string => node.summary?.text ?? beginning(node.message, 160);

const otherBranches = (forest: Forest, path: readonly Node[], tip: Node): Entry[] => {
  const onPath = new Set(path.map((node) => node.id));
  const found: Entry[] = [];
  const seen = new Set<string>();
  for (const node of nodesOf(forest, tip.treeId)) {
    if (onPath.has(node.id) || seen.has(node.branchId)) continue;
    seen.add(node.branchId);
    const branch = forest.branches[node.branchId];
    if (branch === undefined) continue;
    const nodes = branchNodes(forest, branch).filter(({ id, number }) => !onPath.has(id) && number < tip.number);
    const [first] = nodes;
    if (first === undefined) continue;
    const fork = first.parentId === null ? null : nodeOf(forest, first.parentId);
    const head = fork === null ? 'Branch:' : `Branch from turn ${fork.number}:`;
    found.push({ kind: 'branch', id: branch.id, head, nodes });
  }
  return found;
};

const otherTopics = (forest: Forest, tip: Node): Entry[] =>
  treesOf(forest)
    .filter((tree) => tree.id !== tip.treeId)
    .map((tree) => ({
      kind: 'topic' as const,
      id: tree.id,
      head: `Topic “${tree.title}”:`,
      nodes: nodesOf(forest, tree.id).filter(({ number }) => number < tip.number),
    }))
    .filter(({ nodes }) => nodes.length > 0);

/** A node with its summary, or as much of it as fits. */
interface OverviewEntry {
  readonly node: Node;
  readonly text: string;
  /** Stands for all other nodes as well: counting them would take up its room. */
  readonly isCut?: true;
}

/** Returns as many nodes, in the given order, as fit the budget; if none fits, the first one cut to size. */
const fill = async (nodes: readonly Node[], budget: number, tokens: TokenCache): Promise<OverviewEntry[]> => {
  const listed: OverviewEntry[] = [];
  let left = budget;
  for (const node of nodes) {
    const text = summaryText(node);
    const cost = tokens.count(text);
    if (cost > left) break;
    left -= cost;
    listed.push({ node, text });
  }
  const [first] = nodes;
  if (listed.length > 0 || first === undefined) return listed;
  const text = await cut(summaryText(first), budget, tokens);
  return text === null ? [] : [{ node: first, text, isCut: true }];
};

/** Tokens below which the start of a summary says nothing. */
const SAYS_NOTHING = 8;

/** Returns the start of a text within `most` tokens; null if that would say nothing. */
const cut = async (text: string, most: number, tokens: TokenCache): Promise<string | null> => {
  if (most < SAYS_NOTHING) return null;
  let length = Math.floor((text.length * most) / tokens.count(text));
  for (; length > 0; length = Math.floor(length * 0.9)) {
    const short = `${text.slice(0, length).replace(/[^\p{L}\p{N}]+[\p{L}\p{N}]*$/u, '')} …`;
    await tokens.prepare([short]);
    if (tokens.count(short) <= most) return short;
  }
  return null;
};

/** Counts each part separately so that nothing is tokenised twice. */
const lineOf = ({ head, nodes }: Entry, listed: readonly OverviewEntry[], tokens: TokenCache): Line => {
  const kept = new Map(listed.map(({ node, text }) => [node, text]));
  const summaries = nodes.flatMap((node) => kept.get(node) ?? []);
  const ids = nodes.flatMap((node) => (kept.has(node) ? [node.id] : []));
  const missing = listed[0]?.isCut ? 0 : nodes.length - listed.length;
  // Counted as if all were missing, since the wording is the same.
  const rest = missing === 0 ? 0 : tokens.count(listed.length === 0 ? only(nodes.length) : more(nodes.length));
  return {
    text: [`- ${head}`, ...summaries, ...(missing === 0 ? [] : [restOf(listed.length, missing)])].join(' '),
    tokens: summaries.reduce((sum, summary) => sum + tokens.count(summary), tokens.count(head) + rest),
    ...(ids.length < nodes.length && { listed: ids }),
  };
};

const more = (turns: number): string => `(and ${turns} more ${plural(turns, 'turn')})`;
/** Stands for a branch or topic with no summary that fits its line. */
const only = (turns: number): string => `(${turns} ${plural(turns, 'turn')})`;
const restOf = (listed: number, missing: number): string => (listed === 0 ? only(missing) : more(missing));

const inOrder = async (
  entries: readonly Entry[],
  chosen: ReadonlyMap<Entry, Line>,
  tokens: TokenCache,
): Promise<OverviewLine[]> => {
  const lines: OverviewLine[] = [];
  const leftOut = { branches: 0, topics: 0 };
  for (const entry of entries) {
    const line = chosen.get(entry);
    if (line === undefined) {
      leftOut[entry.kind === 'branch' ? 'branches' : 'topics']++;
      continue;
    }
    const rest = { nodeIds: entry.nodes.map(({ id }) => id), ...line };
    lines.push(
      entry.kind === 'branch'
        ? { kind: 'branch', branchId: entry.id, ...rest }
        : { kind: 'topic', treeId: entry.id, ...rest },
    );
  }
  if (leftOut.branches + leftOut.topics > 0) {
    const text = `- Not listed here: ${leftOutText(leftOut)}.`;
    await tokens.prepare([text]);
    lines.push({ kind: 'left-out', ...leftOut, text, tokens: tokens.count(text) });
  }
  return lines;
};

const leftOutText = ({ branches, topics }: { branches: number; topics: number }): string =>
  [
    branches > 0 ? `${branches} ${plural(branches, 'branch', 'branches')}` : null,
    topics > 0 ? `${topics} ${plural(topics, 'topic')}` : null,
  ]
    .filter((part) => part !== null)
    .join(' and ');
