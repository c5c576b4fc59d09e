import type { Segment } from '../../domain/context.ts';
import type { Forest, Node } from '../../domain/forest.ts';
import { nodeOf } from '../../domain/queries.ts';
import { replyText } from '../context-text.ts';
import { NO_COST, sumCosts } from '../cost.ts';
import { earlierTurns } from '../full-history.ts';
import { treelessContext } from '../policies/treeless-context.ts';
import type { Policy, PolicyInput, Remembered } from '../policy.ts';
import { visibleForest } from '../visible-forest.ts';
import type { Memory, MemoryTurn, Recalled } from './memory.ts';
import { vectorOf } from './nearness.ts';

/** Stands over each text that a memory recalled. */
const HEAD = 'From earlier in this conversation:';

/**
 * A memory as a policy, loaded when it is first used: all visible turns before the message are taken in, in order of
 * time and whatever their topic, and what is recalled for the message is sent with it, as much as the window holds; the
 * rest is counted in a line.
 */
export const memoryPolicy = <State>(name: string, load: () => Promise<Memory<State>>): Policy => ({
  name,
  retrieval: 'similarity',
  sendsPath: false,
  build: async (input) => {
    let spent = NO_COST;
    const built = await treelessContext(name, input, async ({ forest, node, room }) => {
      const { recall, cost } = await recalled(await load(), input, forest, node);
      spent = cost;
      return fitting(recall.items, room, input);
    });
    return { ...built, cost: async () => spent };
  },
  remember: async (input) => {
    const forest = visibleForest(input.forest, input.nodeId);
    const memory = await load();
    const { state, recall, cost } = await recalled(memory, input, forest, nodeOf(forest, input.nodeId));
    return { cells: memory.cells(state), recall, cost };
  },
});

/** The memory as it was before a turn, and what it recalls for its message. */
const recalled = async <State>(
  memory: Memory<State>,
  { memory: access }: PolicyInput,
  forest: Forest,
  node: Node,
): Promise<Omit<Remembered, 'cells'> & { readonly state: State }> => {
  const turns = earlierTurns(forest, node)
    .toSorted((a, b) => a.number - b.number)
    .map(memoryTurn);
  const { state, cost, bill } = await access.states.after(memory, turns, access);
  const tools = access.tools(bill);
  const recall = await bill.time(async () => {
    const vector = await vectorOf(tools, node.message);
    return memory.recall(state, { number: node.number, message: node.message, vector }, tools);
  });
  return { state, recall, cost: sumCosts([cost, bill.cost]) };
};

const memoryTurn = (node: Node): MemoryTurn => ({
  nodeId: node.id,
  number: node.number,
  message: node.message,
  reply: replyText(node),
});

/** The highest rated first, until the room is filled, in the order in which the memory gave them. */
const fitting = async (items: readonly Recalled[], room: number, { tokens }: PolicyInput): Promise<Segment[]> => {
  const all = items.map((item) => ({ item, text: `${HEAD}\n${item.text}` }));
  const line = `${items.length} memories of earlier turns are left out.`;
  await tokens.prepare([line, ...all.map(({ text }) => text)]);
  const cost = all.reduce((total, { text }) => total + tokens.count(text), 0);
  let left = cost <= room ? room : room - tokens.count(line);
  const kept = new Set<(typeof all)[number]>();
  // What is not rated belongs to every message.
  const ranked = all.toSorted((a, b) => (b.item.score ?? Infinity) - (a.item.score ?? Infinity) || 0);
  for (const one of ranked) {
    const needs = tokens.count(one.text);
    if (needs > left) continue;
    left -= needs;
    kept.add(one);
  }
  const segments = all
    .filter((one) => kept.has(one))
    .map(
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
  const missing = all.length - kept.size;
  if (missing === 0) return segments;
  const said = `${missing} ${missing === 1 ? 'memory of earlier turns is' : 'memories of earlier turns are'} left out.`;
  await tokens.prepare([said]);
  return [{ kind: 'history-left-out', turns: missing, text: said, tokens: tokens.count(said) }, ...segments];
};
