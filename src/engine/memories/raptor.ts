import { List } from 'immutable';
import type { NodeId } from '../../domain/forest.ts';
import { contentHash } from '../vectors/node-vectors.ts';
import { type Memory, type MemoryTools, turnText } from './memory.ts';
import { byNearness, clustersOf, vectorOf } from './similarity.ts';

/** Members of a cluster at most. */
const CLUSTER = 6;
/** Layers above the turns at most. */
const LAYERS = 4;
/** What its collapsed tree sends: nodes up to 2,000 tokens, which there are about the top 20 (§3). */
const MOST_RECALLED = 20;
const MOST_TOKENS = 2000;
const SENTENCES = 3;
/** The tree is built anew when this share of its turns has come since; until then they stand in it as leaves. */
const GROWTH = 0.2;

/** A turn, or the summary of a cluster. */
interface RaptorNode {
  readonly id: string;
  readonly text: string;
  readonly vector: Float32Array;
  /** 0 for a turn. */
  readonly layer: number;
  /** Ids. */
  readonly members: readonly string[];
  readonly from: readonly NodeId[];
}

export interface Raptor {
  readonly leaves: List<RaptorNode>;
  readonly summaries: readonly RaptorNode[];
  /** Turns that the summaries are about. */
  readonly built: number;
}

/**
 * RAPTOR (Sarthi et al., arXiv 2401.18059): everything is clustered and summarised from the bottom up, layer on layer,
 * and recall is over all layers at once. It is made for a collection that stands still. Here it is built anew when the
 * conversation has grown by a fifth; a cluster that is still the same keeps its summary. Its soft clusters by UMAP and a
 * Gaussian mixture are hard ones here.
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
    const ranked = byNearness([...leaves, ...summaries], vector, memoryK ?? MOST_RECALLED);
    const tokens = await count(ranked.map(({ item }) => item.text));
    const sums = tokens.map((_, at) => tokens.slice(0, at + 1).reduce((sum, one) => sum + one, 0));
    return {
      // The nearest one goes, however long.
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

/** The layers above the turns, lowest first. */
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
      // Named by what it holds: the same members, the same summary.
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
