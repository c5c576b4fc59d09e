import { emptyForest, type Forest, type Node, newTurnDefaults } from '../src/domain/forest.ts';
import { randomFrom } from '../src/domain/numbers.ts';

const DIMENSIONS = 512;
/** Share of turns that do not continue the previous turn's topic. */
const CHANGES = 0.15;
/** Share of turns that fork from one of their topic's most recent turns. */
const FORKS = 0.09;
const FORKED_FROM = 24;
/** Weight of the topic in a vector: two turns of a topic have a cosine of about 0.5, like real texts. */
const TOPICAL = 0.7;

interface MadeForest {
  readonly forest: Forest;
  readonly vectors: readonly Float32Array[];
  /** Returns a message and its vector, which is close to some turn's. */
  message(): { readonly text: string; readonly vector: Float32Array; readonly nodeId: string };
}

/**
 * Creates a forest with vectors directly, since a log of this size takes minutes to fold and hours to embed. Topics
 * start at even intervals, are left and resumed, and have forks.
 */
export const madeForest = (turns: number, topics: number, seed: number): MadeForest => {
  const random = randomFrom(seed);
  const unit = (values: Float32Array): Float32Array => {
    const length = Math.hypot(...values);
    return values.map((value) => value / length);
  };
  const noise = () => unit(Float32Array.from({ length: DIMENSIONS }, () => random() + random() + random() - 1.5));
  const near = (centre: Float32Array) => {
    const other = noise();
    return unit(centre.map((value, i) => TOPICAL * value + Math.sqrt(1 - TOPICAL ** 2) * (other[i] as number)));
  };
  const below = (count: number) => Math.floor(random() * count);

  const forest = emptyForest();
  const centres: Float32Array[] = [];
  const members: Node[][] = [];
  const vectors: Float32Array[] = [];
  let topic = 0;
  for (let number = 1; number <= turns; number++) {
    const isNew = centres.length < topics && (number - 1) * topics >= centres.length * turns;
    if (isNew) topic = centres.push(noise()) - 1;
    else if (random() < CHANGES) topic = below(centres.length);
    members[topic] ??= [];
    const siblings = members[topic] as Node[];
    const fork = random() < FORKS;
    const parent = isNew ? undefined : siblings.at(fork ? -1 - below(Math.min(FORKED_FROM, siblings.length)) : -1);
    const goesOn = parent !== undefined && forest.children[parent.id] === undefined;
    const [id, treeId] = [`n${number}`, `t${topic}`];
    const node: Node = {
      id,
      number,
      treeId,
      branchId: goesOn ? parent.branchId : `b${number}`,
      parentId: parent?.id ?? null,
      message: `What of matter ${topic}, point ${number}?`,
      at: number,
      replies: [],
      replyId: null,
      summary: {
        text: `The user asked about point ${number} of matter ${topic}.`,
        by: 'made up',
        replyId: null,
        replyLength: 0,
      },
      decision: { topic: 'continue-topic', branch: null, by: 'engine', trace: null },
      label: null,
      ...newTurnDefaults,
    };
    forest.nodes[id] = node;
    if (parent !== undefined) forest.children[parent.id] = [...(forest.children[parent.id] ?? []), id];
    const title = `Matter ${topic}`;
    forest.trees[treeId] = {
      id: treeId,
      rootId: siblings[0]?.id ?? id,
      title,
      titledBy: 'engine',
      activeId: id,
      order: topic,
    };
    siblings.push(node);
    vectors.push(near(centres[topic] as Float32Array));
    forest.active = { treeId, branchId: node.branchId, nodeId: id };
  }
  forest.turnCount = turns;
  forest.topicCount = topics;
  return {
    forest,
    vectors,
    message: () => {
      const at = below(turns);
      const matter = (forest.nodes[`n${at + 1}`] as Node).treeId.slice(1);
      return {
        text: `And what of matter ${matter}?`,
        vector: near(vectors[at] as Float32Array),
        nodeId: `n${1 + below(turns)}`,
      };
    },
  };
};
