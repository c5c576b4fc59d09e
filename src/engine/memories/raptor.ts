import { List } from 'immutable';
import type { NodeId } from '../../domain/forest.ts';
import { sum } from '../../domain/numbers.ts';
import { contentHash } from '../vectors/node-vectors.ts';
import { clustersOf } from './clusters.ts';
import { type Memory, type MemoryTools, turnText } from './memory.ts';
import { mostSimilar, vectorOf } from './similarity.ts';

/** Maximum members of a cluster. */
const CLUSTER = 6;
/** Maximum layers above the turns. */
const LAYERS = 4;
/** What its collapsed tree sends: nodes up to 2,000 tokens, which is about the top 20 in the paper (§3). */
const MOST_RECALLED = 20;
const MOST_TOKENS = 2000;
const SENTENCES = 3;
/** The tree is rebuilt once it has grown by this fraction; until then new turns are leaves in it. */
const GROWTH = 0.2;

/** A turn, or the summary of a cluster. */
interface RaptorNode {
  readonly id: string;
  readonly text: string;
  readonly vector: Float32Array;
  /** 0 for a turn. */
  readonly layer: number;
  /** Ids of its members. */
  readonly members: readonly string[];
  readonly from: readonly NodeId[];
}

export interface Raptor {
  readonly leaves: List<RaptorNode>;
  readonly summaries: readonly RaptorNode[];
  /** Number of turns covered by the summaries. */
  readonly built: number;
}

/**
 * RAPTOR (Sarthi et al., arXiv 2401.18059): everything is clustered and summarised from the bottom up, layer by
 * layer, and recall searches all layers at once. It is designed for a static collection. Here it is rebuilt when
 * the conversation has grown by a fifth; an unchanged cluster keeps its summary. Its soft clusters by UMAP and a
 * Gaussian mixture are hard clusters here.
 */
export const raptor: Memory<Raptor> = {
  name: 'raptor',
  empty: { leaves: List(), summaries: [], built: 0 },
  take: async ({ leaves, summaries, built }, turn, tools) => {
    const text = turnText(turn);
    const vector = await vectorOf(tools, text);
    const leaf: RaptorNode = { id: turn.nodeId, text, vector, layer: 0, members: [], from: [turn.nodeId] };
    const all = leaves.push(leaf);
    if (all.size < Math.max(2, built * (1 + GROWTH))) return { leaves: all, summaries, built };
    return { leaves: all, summaries: await layersOver([...all], summaries, tools), built: all.size };
  },
  recall: async ({ leaves, summaries }, { vector }, { parameters: { memoryK }, count }) => {
    const ranked = mostSimilar([...leaves, ...summaries], vector, memoryK ?? MOST_RECALLED);
    const tokens = await count(ranked.map(({ item }) => item.text));
    const sums = tokens.map((_, at) => sum(tokens.slice(0, at + 1)));
    return {
      // The nearest one is always sent, however long.
      items: ranked
        .filter((_, at) => at === 0 || (sums[at] as number) <= MOST_TOKENS)
        .map(({ item, score }) => ({
          cell: item.id,
          name: nameOf(item),
          text: item.text,
          from: item.from,
          score,
          ...(item.layer === 0 && { whole: true as const }),
        })),
    };
  },
  cells: ({ leaves, summaries }) => {
    const parents = new Map(summaries.flatMap(({ id, members }) => members.map((member) => [member, id] as const)));
    return [...summaries.toReversed(), ...leaves].map((node) => ({
      id: node.id,
      parent: parents.get(node.id) ?? null,
      name: nameOf(node),
      text: node.text,
      from: node.from,
    }));
  },
};

const nameOf = ({ layer, from }: RaptorNode): string => (layer === 0 ? 'turn' : `layer ${layer}, ${from.length} turns`);

/** Builds the layers above the turns, lowest first. */
const layersOver = async (
  leaves: readonly RaptorNode[],
  before: readonly RaptorNode[],
  tools: MemoryTools,
): Promise<RaptorNode[]> => {
  const kept = new Map(before.map((node) => [node.id, node]));
  const made: RaptorNode[] = [];
  let below = leaves;
  for (let layer = 1; layer <= LAYERS && below.length > 1; layer++) {
    const clusters = clustersOf(
      below.map(({ vector }) => vector),
      CLUSTER,
    );
    const above: RaptorNode[] = [];
    for (const cluster of clusters) {
      const members = cluster.map((at) => below[at] as RaptorNode);
      // Identified by its contents: the same members keep the same summary.
      const id = contentHash(members.map((member) => member.id).join(' '));
      above.push(kept.get(id) ?? (await summarised(id, members, layer, tools)));
    }
    made.push(...above);
    below = above;
  }
  return made;
};

const summarised = async (id: string, members: readonly RaptorNode[], layer: number, tools: MemoryTools) => {
  const text = await tools.condense({
    instructions:
      'Summarise these parts of a conversation in one short paragraph with as many key details as possible. Write only the summary.',
    texts: members.map((member) => member.text),
    sentences: SENTENCES,
  });
  const vector = await vectorOf(tools, text);
  return {
    id,
    text,
    vector,
    layer,
    members: members.map((member) => member.id),
    from: members.flatMap((member) => member.from),
  };
};
