import type { Segment } from '../../../domain/context.ts';
import type { Forest, Node } from '../../../domain/forest.ts';
import { plural } from '../../../domain/numbers.ts';
import { nodeOf, replyText } from '../../../domain/queries.ts';
import { turnsBefore } from '../../../domain/turns-in-order.ts';
import { type Memory, type MemoryTurn, type RecalledText, turnText } from '../../memories/memory.ts';
import { vectorOf } from '../../memories/similarity.ts';
import { NO_COST, sumCosts } from '../../text/token-cache.ts';
import type { MemoryAtTurn, Policy, PolicyInput } from '../policy.ts';
import { briefMessage, hasReadText, sentMessage } from '../sent-message.ts';
import { visibleForest } from '../visible-forest.ts';
import { treelessContext } from './flat-context.ts';

/** Heading above recalled texts. */
const HEAD = 'From earlier in this conversation:';

/**
 * Wraps a memory as a policy, loaded on first use: all visible turns before the message are taken in, in
 * chronological order and regardless of topic, and what is recalled for the message is sent with it as far as the
 * window allows; a line states how many items are left out. Unless it is said to ask, what it recalls is found
 * without a language model: whoever only previews a message relies on that.
 */
export const memoryPolicy = <State>(
  name: string,
  about: string,
  load: () => Promise<Memory<State>>,
  asking: Pick<Policy, 'asksToRecall'> = {},
): Policy => ({
  name,
  about,
  ...asking,
  retrieval: 'similarity',
  sendsPath: false,
  build: async (input) => {
    let spent = NO_COST;
    const built = await treelessContext(name, input, async ({ forest, node, room }) => {
      const { recall, cost } = await recalled(await load(), input, forest, node, asking);
      spent = cost;
      return fitting(recall.items, forest, room, input);
    });
    return { ...built, cost: async () => spent };
  },
  remember: async (input) => {
    const forest = visibleForest(input.forest, input.nodeId);
    const memory = await load();
    const node = nodeOf(forest, input.nodeId);
    const { state, recall, cost } = await recalled(memory, input, forest, node, asking);
    return { cells: memory.cells(state, node.at), recall, cost };
  },
});

/** Memories from other papers, as policies. */
export const MEMORY_POLICIES: readonly Policy[] = [
  memoryPolicy(
    'summarised-history',
    'One running summary of everything said, and the newest two turns in full. A baseline.',
    async () => (await import('../../memories/summarised-history.ts')).summarisedHistory,
  ),
  memoryPolicy(
    'memtree',
    'Sorts each turn into a tree of summaries, from the root down, and sends the nodes nearest to the message, whatever their depth. MemTree, Rezazadeh et al. 2024.',
    async () => (await import('../../memories/memtree.ts')).memtree,
  ),
  memoryPolicy(
    'thread-memory',
    'Notes with one slot per thread, revised as the thread continues and fading while it is idle. The memory rule of C-DIC, without its trained compressor.',
    async () => (await import('../../memories/thread-memory.ts')).threadMemory,
  ),
  memoryPolicy(
    'tacitree',
    'Single facts under a tree of summaries, found from the top: what does not fit the message is skipped with all below it. TaciTree, 2025.',
    async () => (await import('../../memories/tacitree.ts')).tacitree,
    { asksToRecall: true },
  ),
  memoryPolicy(
    'raptor',
    'Clusters of turns, summarised layer on layer. Turns and summaries nearest to the message are sent. RAPTOR, Sarthi et al. 2024.',
    async () => (await import('../../memories/raptor.ts')).raptor,
  ),
  memoryPolicy(
    'memory-stream',
    'Turns rated by how recent, important and relevant they are. The retrieval of generative agents, Park et al. 2023.',
    async () => (await import('../../memories/memory-stream.ts')).memoryStream,
  ),
  memoryPolicy(
    'memory-bank',
    'Turns and the events of days, forgotten in time unless they are recalled, and a portrait of the person. MemoryBank, Zhong et al. 2024.',
    async () => (await import('../../memories/memory-bank.ts')).memoryBank,
  ),
  memoryPolicy(
    'dh-rag',
    'Clusters of like questions, and the chain of questions that leads to the best of them. DH-RAG, 2025.',
    async () => (await import('../../memories/dh-rag.ts')).dhRag,
  ),
  memoryPolicy(
    'memgpt',
    'A queue with a budget. Evicted turns are summarised and brought back when a message needs them. MemGPT, Packer et al. 2023.',
    async () => (await import('../../memories/memgpt.ts')).memgpt,
    { asksToRecall: true },
  ),
];

/** Returns the memory before a turn, and what it recalls for the turn's message. */
const recalled = async <State>(
  memory: Memory<State>,
  { memory: access, parameters }: PolicyInput,
  forest: Forest,
  node: Node,
  { asksToRecall }: Pick<Policy, 'asksToRecall'>,
): Promise<Omit<MemoryAtTurn, 'cells'> & { readonly state: State }> => {
  const turns = turnsBefore(forest, node).map(memoryTurn);
  const { state, cost, failures, bill } = await access.states.after(memory, turns, { ...access, parameters });
  for (const failure of failures) access.failures?.add(failure);
  // Nothing has been written of no turns.
  const isReplaced = turns.length > 0 && memory.wordless !== true;
  if (isReplaced && access.missing !== undefined) access.failures?.add(access.missing);
  const { ask, ...silent } = access.tools(bill, parameters);
  const { number, at, message } = memoryTurn(node);
  // Before a message is written, there is nothing to ask a language model about it.
  const asks = ask !== undefined && asksToRecall === true && message.trim() !== '';
  const tools = asks ? { ...silent, ask } : silent;
  const found = await bill.time(async () => {
    const vector = await vectorOf(tools, message);
    return memory.recall(state, { number, at, message, vector }, tools);
  });
  // Notes on a turn without a word, such as a thumbs-up, may say nothing.
  const recall = { ...found, items: found.items.filter(({ text }) => text.trim() !== '') };
  return { state, recall, cost: sumCosts([cost, bill.cost]) };
};

const memoryTurn = (node: Node): MemoryTurn => ({
  nodeId: node.id,
  number: node.number,
  at: node.at,
  message: briefMessage(node),
  reply: replyText(node),
});

/** Returns the text of a recalled turn with that of its files, which memories know by name only; empty if it has none. */
const textWithFiles = ({ whole, from: [nodeId = ''] }: RecalledText, { nodes }: Forest): string => {
  const node = whole && nodes[nodeId];
  return node && hasReadText(node) ? turnText({ ...memoryTurn(node), message: sentMessage(node) }) : '';
};

/**
 * Selects the newest unrated and the highest-rated items that fit, kept in the memory's order. A single heading stands
 * above all of them, as in an overview, so an item costs only its own text. Turns among them are sent with the text of
 * their files as far as there is room for it beside all that; without it they are not whole.
 */
const fitting = async (
  items: readonly RecalledText[],
  forest: Forest,
  room: number,
  { tokens }: PolicyInput,
): Promise<Segment[]> => {
  const line = leftOutWords(items.length);
  const withFiles = new Map(items.map((item) => [item, textWithFiles(item, forest)]));
  await tokens.prepare([HEAD, line, ...items.map(({ text }) => text), ...withFiles.values()]);
  const cost = items.reduce((total, { text }) => total + tokens.count(text), 0);
  const own = room - tokens.count(HEAD);
  let left = cost <= own ? own : own - tokens.count(line);
  /** Each as it is sent. */
  const kept = new Map<RecalledText, RecalledText>();
  // Unrated items belong with every message; the last of them are the newest.
  const unrated = items.filter(({ score }) => score === null).toReversed();
  const rated = items.filter(({ score }) => score !== null).toSorted((a, b) => (b.score ?? 0) - (a.score ?? 0));
  for (const item of [...unrated, ...rated]) {
    const needs = tokens.count(item.text);
    if (needs > left) continue;
    left -= needs;
    kept.set(item, item);
  }
  for (const item of kept.keys()) {
    const text = withFiles.get(item) ?? '';
    if (text === '') continue;
    const { whole: _, ...brief } = item;
    const more = tokens.count(text) - tokens.count(item.text);
    const fits = more <= left;
    if (fits) left -= more;
    kept.set(item, fits ? { ...item, text } : brief);
  }
  const sent = items
    .flatMap((item) => kept.get(item) ?? [])
    .map((item, at) => ({ item, text: at === 0 ? `${HEAD}\n${item.text}` : item.text }));
  const missing = items.length - kept.size;
  const said = leftOutWords(missing);
  await tokens.prepare([said, ...sent.map(({ text }) => text)]);
  const segments = sent.map(
    ({ item, text }): Segment => ({
      kind: 'memory',
      text,
      from: [...item.from],
      score: item.score,
      ...(item.whole && { whole: item.whole }),
      name: item.name,
      tokens: tokens.count(text),
    }),
  );
  if (missing === 0) return segments;
  return [
    { kind: 'history-left-out', turns: missing, of: 'memories', text: said, tokens: tokens.count(said) },
    ...segments,
  ];
};

const leftOutWords = (count: number): string =>
  `${count} ${plural(count, 'memory of earlier turns is', 'memories of earlier turns are')} left out.`;
