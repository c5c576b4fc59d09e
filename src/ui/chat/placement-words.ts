import type { DraftPreview } from '../../app/state.ts';
import { baselineOf } from '../../domain/context.ts';
import { type Decision, forkedFrom, type Target, wordOf } from '../../domain/decision.ts';
import type { Forest, Node, NodeId, Tree } from '../../domain/forest.ts';
import { branchTaken, childrenOf, fallbacksOf, nodeOf, replyOf, subtree } from '../../domain/queries.ts';
import { counted, similarity } from '../parts/format.ts';

/** A piece of the line under a message: words, or a link to a turn or topic. */
export type WhyPart =
  | { readonly kind: 'words'; readonly words: string }
  | { readonly kind: 'turn'; readonly node: Node }
  | { readonly kind: 'topic'; readonly tree: Tree };

/** Where a turn went and why, for the quiet line under its message. */
export interface PlacementReason {
  readonly shape: 'continue' | 'branch' | 'switch' | 'topic';
  readonly parts: readonly WhyPart[];
  /** Cosine to the turn or topic that drew the message there; null if nothing did. */
  readonly similarity: number | null;
  readonly tokens: { readonly sent: number; readonly full: number } | null;
  /** What replaced a model that failed. */
  readonly fallback: string | null;
}

export const whyOf = (forest: Forest, node: Node): PlacementReason => {
  const { label } = node;
  const context = replyOf(node)?.context ?? null;
  const word = label === null ? null : wordOf(label);
  const moved = word === 'corrected';
  return {
    shape: moved ? shapeNow(forest, node) : shapeOf(forest, node),
    parts: moved ? movedParts(forest, node) : [...decidedParts(forest, node), ...(word === 'confirmed' ? [RIGHT] : [])],
    similarity: moved ? null : similarityOf(node),
    tokens: context === null ? null : { sent: context.tokens, full: baselineOf(context) },
    fallback: fallbackOf(node),
  };
};

/** The line as a sentence, for screen readers and descriptions. */
export const whyWords = (why: PlacementReason): string =>
  why.parts
    .map((part) =>
      part.kind === 'words' ? part.words : part.kind === 'turn' ? `turn ${part.node.number}` : part.tree.title,
    )
    .join('');

/** Equal for reasons that are shown the same and link to the same turns. */
export const whyKey = ({ parts, ...facts }: PlacementReason): string =>
  JSON.stringify([
    facts,
    parts.map((part) => {
      if (part.kind === 'words') return part.words;
      return part.kind === 'turn' ? [part.node.number, part.node.id] : [part.tree.title, part.tree.rootId];
    }),
  ]);

const words = (text: string): WhyPart => ({ kind: 'words', words: text });
const RIGHT = words(', confirmed by you');

const shapeOf = (forest: Forest, node: Node): PlacementReason['shape'] => {
  const { topic } = node.decision;
  const branch = branchTaken(forest, node);
  if (topic === 'create-topic') return 'topic';
  if (branch === 'create-branch') return 'branch';
  return topic === 'switch-topic' || branch === 'switch-branch' ? 'switch' : 'continue';
};

const shapeNow = (forest: Forest, node: Node): PlacementReason['shape'] => {
  if (node.parentId === null) return 'topic';
  return forest.nodes[node.parentId]?.branchId === node.branchId ? 'continue' : 'branch';
};

const decidedParts = (forest: Forest, node: Node): WhyPart[] => {
  const { topic, by } = node.decision;
  const branch = branchTaken(forest, node);
  const parent = node.parentId === null ? undefined : forest.nodes[node.parentId];
  const chosen = by === 'engine' ? [] : [words(by === 'person' ? ', as you chose' : ', as imported')];
  // The user saw it placed elsewhere while the reply was streaming.
  if (node.decision.trace?.beforeReply !== undefined) chosen.push(words(', as its reply showed'));
  if (topic === 'create-topic') return [words('new topic'), ...chosen];

  const parts: WhyPart[] = [];
  const tree = forest.trees[node.treeId];
  if (topic === 'switch-topic') parts.push(words('returned to '), tree ? { kind: 'topic', tree } : words('a topic'));
  const lead = parts.length > 0 ? ', ' : '';
  if (branch === 'create-branch') {
    const point = forkedFrom(node.decision);
    parts.push(words(`${lead}new branch from `), turnPart(point === null ? parent : forest.nodes[point]));
  } else if (branch === 'switch-branch') {
    const point = drewBranch(node);
    parts.push(
      words(`${lead}switched to the branch of `),
      turnPart(point === null ? parent : (forest.nodes[point] ?? parent)),
    );
  } else if (topic === 'continue-topic') parts.push(words('continued here'));
  return [...parts, ...chosen];
};

/** n*, where the decider chose the branch; null where the path that the message continues determined it. */
const drewBranch = ({ decision: { trace } }: Node): NodeId | null =>
  trace?.topic.rule === 'asked-by-path' && trace.branch.answer?.action !== 'switch-branch'
    ? null
    : (trace?.fork.point ?? null);

const turnPart = (node: Node | undefined): WhyPart => (node ? { kind: 'turn', node } : words('an earlier turn'));

const movedParts = (forest: Forest, node: Node): WhyPart[] => {
  const parent = node.parentId === null ? undefined : forest.nodes[node.parentId];
  const to = node.parentId === null ? [words(' to a new topic')] : [words(' under '), turnPart(parent)];
  const engine = node.decision.by === 'engine' ? [words(` (engine: ${engineWords(node.decision)})`)] : [];
  return [words('moved by you'), ...to, ...engine];
};

const engineWords = ({ topic, branch }: Decision): string => {
  if (topic === 'create-topic') return 'new topic';
  if (branch === 'create-branch') return 'new branch';
  if (branch === 'switch-branch') return 'switched branch';
  return topic === 'switch-topic' ? 'returned to a topic' : 'continued';
};

/** Similarity to the fork point for a branch, to the topic for a return; continuing and new topics need none. */
const similarityOf = (node: Node): number | null => {
  const { decision, parentId, treeId } = node;
  const { trace, topic, branch } = decision;
  if (trace === null) return null;
  if (branch === 'create-branch' || branch === 'switch-branch') {
    // A new branch may also start where the active turn had others after it, whatever was the nearest.
    const drew = branch === 'create-branch' ? forkedFrom(decision) : drewBranch(node);
    return trace.fork.candidates.find((candidate) => candidate.nodeId === (drew ?? parentId))?.similarity ?? null;
  }
  if (topic !== 'switch-topic') return null;
  return trace.topic.candidates.find((candidate) => candidate.treeId === treeId)?.similarity ?? null;
};

const fallbackOf = (node: Node): string | null => {
  const [first] = fallbacksOf(node);
  return first === undefined ? null : `${first.to} was used instead of ${first.from}: ${first.why}`;
};

/** Where a previewed turn would go, worded like the line under its message; `trees`: the topics as they are by now. */
export const previewedPlaceWords = (
  { forest, node }: NonNullable<DraftPreview['shown']>,
  trees: Forest['trees'],
): string => {
  const tree = trees[node.treeId];
  const why = whyOf(tree === undefined ? forest : { ...forest, trees: { [tree.id]: tree } }, node);
  const near = why.similarity === null ? '' : ` · similarity ${similarity(why.similarity)}`;
  return `${whyWords({ ...why, parts: why.parts.map(previewedPart) })}${near}`;
};

/** Worded as something that has not happened yet; a topic's title stays as it is. */
const previewedPart = (part: WhyPart): WhyPart =>
  part.kind === 'words'
    ? words(
        part.words
          .replace('continued here', 'continues here')
          .replace('returned', 'returns')
          .replace('switched', 'switches'),
      )
    : part;

/** Where the next message goes, in words; without a target, where it would go regardless of its text. */
export const targetWords = (forest: Forest, target: Target | null): string => {
  if (target?.kind === 'new-topic') return 'new topic';
  const node = forest.nodes[target?.nodeId ?? forest.active?.nodeId ?? ''];
  if (node === undefined) return 'starts the first topic';
  if (node.id === forest.active?.nodeId) return `continues from turn ${node.number}`;
  const forks = childrenOf(forest, node.id).length > 0;
  const tree = forest.trees[node.treeId];
  if (tree === undefined || tree.id === forest.active?.treeId) {
    return forks ? `new branch from turn ${node.number}` : `continues from turn ${node.number}`;
  }
  return `returns to ${tree.title}, ${forks ? 'new branch from' : 'after'} turn ${node.number}`;
};

/** Where an edited message goes, and what happens to the original. */
export const editWords = (forest: Forest, node: Node): string => {
  const { parentId, number, id } = node;
  const parent = parentId === null ? null : nodeOf(forest, parentId);
  const to = parent === null ? 'Starts a new topic' : `Continues from turn ${parent.number} as a new branch`;
  const below = subtree(forest, id).length - 1;
  return below === 0
    ? `${to}. Turn ${number} is kept.`
    : `${to}. Turn ${number} and the ${counted(below, 'turn')} below it are kept.`;
};
