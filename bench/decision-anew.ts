import { byNumber, type Forest, type Node, type NodeId } from '../src/domain/forest.ts';
import { mean } from '../src/domain/numbers.ts';
import { activePath, nodesOf, treesOf } from '../src/domain/queries.ts';
import { recordsOf } from '../src/domain/table.ts';
import { summaryText } from '../src/engine/context/overview.ts';
import type { Decider, NodeView, TopicQuestion, TopicView } from '../src/engine/ports.ts';
import { unseenTopic } from '../src/engine/testing/plain-models.ts';

/** Number of recent turns shown to a topic decision. */
const RECENT = 10;

/**
 * Does the engine's work for a decision up to the branch question, without caching: computes every similarity one
 * by one, builds every view in full, sorts every node of the topic.
 */
export const decideAnew = async (
  forest: Forest,
  message: { readonly text: string; readonly vector: Float32Array },
  vectors: ReadonlyMap<NodeId, Float32Array>,
  decider: Decider,
): Promise<readonly NodeView[]> => {
  const known = new Map<NodeId, number>();
  const view = (node: Node): NodeView => {
    let similarity = known.get(node.id);
    if (similarity === undefined) {
      const vector = vectors.get(node.id) as Float32Array;
      similarity = 0;
      for (let i = 0; i < vector.length; i++) similarity += (vector[i] as number) * (message.vector[i] as number);
      known.set(node.id, similarity);
    }
    return { node, nodeId: node.id, similarity };
  };
  const topicView = (treeId: string): TopicView => {
    const nodes = nodesOf(forest, treeId);
    const similarities = nodes.map((node) => view(node).similarity);
    const { title = '', activeId } = forest.trees[treeId] ?? {};
    return {
      treeId,
      title,
      active: forest.active?.treeId === treeId,
      similarity: similarities.reduce((a, b) => Math.max(a, b), -1),
      meanSimilarity: mean(similarities),
      ...unseenTopic,
      activeSimilarity: nodes.filter(({ id }) => id === activeId).map(view)[0]?.similarity ?? 0,
      turns: nodes,
      size: nodes.length,
      age: forest.turnCount - 1 - (nodes.at(-1)?.number ?? 0),
      get summary() {
        return nodes.map(summaryText).join(' ');
      },
    };
  };
  const question: TopicQuestion = {
    message: message.text,
    embedding: null,
    spoken: null,
    topics: treesOf(forest).map(({ id }) => topicView(id)),
    path: activePath(forest).map(view),
    recent: recordsOf(forest.nodes)
      .filter(({ number }) => number > forest.turnCount - 1 - RECENT)
      .sort(byNumber)
      .map(view),
  };
  const { target } = await decider.topic(question);
  return nodesOf(forest, target ?? forest.active?.treeId ?? '')
    .map(view)
    .sort((a, b) => b.similarity - a.similarity || b.node.number - a.node.number);
};
