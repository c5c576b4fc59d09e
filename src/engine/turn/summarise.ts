import type { Forest, Node, NodeId, StepId, Tree, TreeId } from '../../domain/forest.ts';
import type { IntentOutcome } from '../../domain/handle.ts';
import { isStepOf, nodeOf, pendingTurn, replyText, subtree } from '../../domain/queries.ts';
import { openReplies } from '../../domain/stored-forest.ts';
import { briefMessage } from '../context/sent-message.ts';
import { visibleForest } from '../context/visible-forest.ts';
import type { EngineCore } from '../core.ts';
import type { Summariser, SummaryInput } from '../ports.ts';
import { withPatience } from '../tasks.ts';
import { oneLine } from '../text/words.ts';

/** Context-Agent §3.2: after the round, its content is summarised for later decisions; a hidden one's once it is shown again. */
export const summariseNode = async (core: EngineCore, nodeId: NodeId, signal: AbortSignal): Promise<void> => {
  const forest = core.host.forest();
  const node = forest.nodes[nodeId];
  if (node === undefined || node.hidden) return;
  const titled = isTimeToTitle(forest, node);
  const begun = core.parts.now();
  const { text, by } = await summaryOf(core, node, signal);
  const now = core.host.forest().nodes[nodeId];
  // Whoever has chosen another reply meanwhile, or has this one go on, has the turn summarised from that.
  if (now === undefined || now.replyId !== node.replyId || replyText(now) !== replyText(node)) return;
  await core.record({ type: 'summarised', nodeId, text, by, ms: core.parts.now() - begun });
  if (titled) await titleTopic(core, node.treeId, signal);
};

/** True for a topic's first turn, however often it is replied to, and once more for its second. */
export const isTimeToTitle = (forest: Forest, node: Node): boolean => {
  if (followsTwo(visibleForest(forest), node)) return false;
  const { first, second } = beginningOf(forest, node.treeId);
  // A second turn that still has to be summarised will trigger the title.
  if (first?.id === node.id) return second === null || second.summary !== null;
  return second?.id === node.id && node.summary === null;
};

/** Whether two of the turns above it are older, as above nearly every turn: the others of its topic need not be looked at. */
const followsTwo = ({ nodes }: Forest, { id, number }: Node): boolean => {
  let older = 0;
  for (let above = nodes[nodes[id]?.parentId ?? '']; above !== undefined; above = nodes[above.parentId ?? '']) {
    if (above.number < number) older += 1;
    if (older === 2) return true;
  }
  return false;
};

interface Beginning {
  readonly first: Node | null;
  readonly second: Node | null;
}

/** The turns that a topic is titled from: no model is told of hidden ones. */
const beginningOf = (forest: Forest, treeId: TreeId): Beginning => firstTurns(visibleForest(forest), treeId);

/** A turn that was moved below a later one may be older than the first. */
const firstTurns = (forest: Forest, treeId: TreeId): Beginning => {
  const tree = forest.trees[treeId];
  if (tree === undefined) return { first: null, second: null };
  let second: Node | null = null;
  for (const node of subtree(forest, tree.rootId)) {
    if (node.id !== tree.rootId && (second === null || node.number < second.number)) second = node;
  }
  return { first: nodeOf(forest, tree.rootId), second };
};

/**
 * Whether a topic still has the title from before one of the turns that it was made from left the topic, or a second one
 * joined the first; or none yet. Undo may have brought the title of its time back by itself.
 */
export const isTitleStale = (before: Forest, now: Forest, treeId: TreeId): boolean => {
  const [was, tree] = [before.trees[treeId], now.trees[treeId]];
  if (tree === undefined || tree.titledBy === 'person') return false;
  if (tree.titledBy === null) return openReplies(nodeOf(now, tree.rootId)).length === 0;
  if (was === undefined || tree.title !== was.title) return false;
  const { first, second } = firstTurns(before, treeId);
  const isGone = (node: Node | null): boolean => node !== null && now.nodes[node.id]?.treeId !== treeId;
  return isGone(first) || isGone(second) || (second === null && firstTurns(now, treeId).second !== null);
};

/** Summarises a turn again, replacing the user's text, as an undo step of its own. */
export const summariseAnew = async (
  core: EngineCore,
  node: Node,
  step: string,
  signal: AbortSignal,
): Promise<IntentOutcome> => {
  for (let turn = node; ; ) {
    const { text, by } = await summaryOf(core, turn, signal);
    const now = core.host.forest().nodes[node.id];
    // Another reply was chosen meanwhile.
    if (now !== undefined && now.replyId !== turn.replyId) turn = now;
    else return core.record({ type: 'summarised', nodeId: node.id, text, by }, step);
  }
};

/** Asked for again if the digest that it was told of the turn before was purged, changed or hidden meanwhile: it may have words of it. */
const summaryOf = async (core: EngineCore, node: Node, signal: AbortSignal): Promise<{ text: string; by: string }> => {
  for (;;) {
    const told = before(core, core.host.forest().nodes[node.id] ?? node);
    const turn = toDigest(node, core.settings.prompts.summary, told);
    const made = await digest(core, (model, inner) => model.summarise(turn, inner), signal);
    const now = core.host.forest().nodes[node.id];
    if (told === undefined || now === undefined || before(core, now) === told) return made;
  }
};

/** Titles a topic from its first turn, and its second if there is one, unless the user has titled it. */
export const titleTopic = async (core: EngineCore, treeId: TreeId, signal: AbortSignal): Promise<void> => {
  const forest = core.host.forest();
  const tree = forest.trees[treeId];
  if (tree === undefined || tree.titledBy === 'person' || isNamed(forest, tree)) return;
  const { first, second } = beginningOf(forest, treeId);
  if (first === null) return;
  const text = await titleFor(core, first, second, signal);
  const now = core.host.forest();
  const beginning = beginningOf(now, treeId);
  // It would have words of a turn that is gone from there. A second turn that has come meanwhile has it titled once more.
  if (beginning.first?.id !== first.id || (second !== null && beginning.second?.id !== second.id)) return;
  if (now.trees[treeId]?.titledBy === 'engine' && now.trees[treeId]?.title === text) return;
  const record = (step: StepId | null) =>
    core.record({ type: 'topic-titled', treeId, title: text, by: 'engine' }, step);
  const titled = await record(second && stepOf(now, second.id));
  // Another step was taken at the same moment, or this one was undone.
  if (!titled.ok && second !== null && core.host.forest().nodes[second.id] !== undefined) await record(null);
};

/** Whether a topic was imported with a name, rather than titled with its opening words. */
const isNamed = (forest: Forest, { rootId, title }: Tree): boolean => {
  const { decision, message } = nodeOf(forest, rootId);
  return decision.by === 'import' && !oneLine(message).startsWith(title.replace(/…$/, ''));
};

/** Returns a topic's title based on its first and second turn. */
export const titleFor = async (
  core: EngineCore,
  first: Node,
  second: Node | null,
  signal: AbortSignal,
): Promise<string> => {
  const turn: SummaryInput = {
    ...toDigest(first, core.settings.prompts.title),
    ...(second !== null && { second: { message: briefMessage(second), reply: replyText(second) } }),
  };
  return (await digest(core, (model, inner) => model.title(turn, inner), signal)).text;
};

/** The step that placed a turn, while it can still grow: undoing the turn then restores the previous title. */
const stepOf = (forest: Forest, nodeId: NodeId): StepId | null => {
  const step = forest.history.past.at(-1);
  if (step === undefined || pendingTurn(forest) !== null) return null;
  return isStepOf(step, nodeId) ? step.id : null;
};

/** Embeds a turn. A missing vector is made before the next decision, which also reports the failure. */
export const embedNode = async (core: EngineCore, node: Node, signal: AbortSignal): Promise<void> => {
  const { vectors } = core;
  const make = async (inner: AbortSignal): Promise<void> => {
    const languages = await core.languageOfTurns();
    await vectors.ensure([node], languages, inner);
    await vectors.ensureReplies([node], languages, inner);
  };
  await withPatience(make, core.parameters.patience, signal).catch(() => undefined);
  // Done now, while nobody waits, so that the next message finds the forest indexed.
  vectors.index.of(core.host.forest());
};

/** The digest of the turn that a turn continues from, unless it is hidden from models. */
const before = (core: EngineCore, { parentId }: Node): string | undefined => {
  const parent = parentId === null ? undefined : core.host.forest().nodes[parentId];
  return parent === undefined || parent.hidden ? undefined : parent.summary?.text;
};

const toDigest = (node: Node, instructions: string | undefined, before?: string): SummaryInput => ({
  ...(before !== undefined && { before }),
  message: briefMessage(node),
  reply: replyText(node),
  ...(instructions !== undefined && { instructions }),
});

/** Returns the chosen summariser's text, or the embedded one's if it fails or returns nothing. Rejects once the signal fires. */
const digest = async (
  core: EngineCore,
  ask: (model: Summariser, signal: AbortSignal) => Promise<string>,
  signal: AbortSignal,
): Promise<{ text: string; by: string }> => {
  const { summarise: chosen, missing } = core.parts.models();
  const { summarise: embedded } = core.parts.embedded;
  const wanted = missing?.find(({ role }) => role === 'summarise') ?? chosen;
  if (chosen !== embedded) {
    const text = await withPatience((inner) => ask(chosen, inner), core.parameters.patience, signal).catch(() => '');
    if (text.trim() !== '') return { text: text.trim(), by: chosen.name };
    signal.throwIfAborted();
  }
  const text = await ask(embedded, signal);
  const by = wanted === embedded ? embedded.name : `${embedded.name} (in place of ${wanted.name})`;
  return { text: text.trim(), by };
};
