import { type Forest, type Node, RECALL, type Reply } from '../../../domain/forest.ts';
import { childrenOf, isAncestor, nodeOf, treesOf } from '../../../domain/queries.ts';
import { answerOf } from '../../../domain/reply.ts';
import { recordsOf } from '../../../domain/table.ts';
import { type Exchange, exchangesTo, leavesOf, shownReply } from './messages.ts';
import type { Writer } from './writer.ts';

/* What a model is trained on: paths, and choices between replies. Hidden turns are in neither, nor is reasoning. */

interface RoleMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

const systemOf = ({ replySettings: { systemPrompt } }: Forest): RoleMessage[] =>
  systemPrompt === null ? [] : [{ role: 'system', content: systemPrompt }];

/** In turns, as chat templates want it: messages that nobody answered are one with the next. */
const rolesOf = (exchanges: readonly Exchange[]): RoleMessage[] => {
  const messages: RoleMessage[] = [];
  let waiting: string[] = [];
  for (const { message, reply } of exchanges) {
    waiting.push(message);
    if (reply === null) continue;
    messages.push({ role: 'user', content: waiting.join('\n\n') }, { role: 'assistant', content: reply });
    waiting = [];
  }
  if (waiting.length > 0) messages.push({ role: 'user', content: waiting.join('\n\n') });
  return messages;
};

/** Every path up to its last answer, each once. */
const pathsOf = (forest: Forest): RoleMessage[][] => {
  const ends = new Set<string>();
  return leavesOf(forest).flatMap((leaf) => {
    const exchanges = exchangesTo(forest, leaf.id);
    const last = exchanges.findLastIndex(({ reply }) => reply !== null);
    const end = exchanges[last]?.node;
    // Where a path ends in a message without an answer, what comes before it may be, or be part of, another.
    if (end === undefined || ends.has(end.id) || (end !== leaf && goesOnAnswered(forest, end))) return [];
    ends.add(end.id);
    return [rolesOf(exchanges.slice(0, last + 1))];
  });
};

/** Whether some turn below has an answer, so that a longer path holds this one. */
const goesOnAnswered = (forest: Forest, node: Node): boolean => {
  const stack = [...childrenOf(forest, node.id)];
  for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
    const below = nodeOf(forest, id);
    if (!below.hidden && shownReply(below) !== null) return true;
    stack.push(...childrenOf(forest, id));
  }
  return false;
};

/** TRL's conversational preference pairs: the reply that was gone on with against each of the others. */
export const preferencePairs: Writer = {
  id: 'preference-pairs',
  name: 'Preference pairs',
  about:
    'TRL’s prompt, chosen and rejected: the reply you went on with against each of the others. Equal ones are skipped.',
  group: 'Training',
  ending: '.preferences.jsonl',
  type: 'application/x-ndjson',
  form: 'lines',
  several: true,
  path: false,
  holds: ['texts', 'replies', 'choices', 'instructions', 'hidden'],
  *write({ forest }) {
    for (const node of recordsOf(forest.nodes).toSorted((a, b) => a.number - b.number)) {
      const others = node.hidden ? [] : rejectedOf(forest, node);
      const chosen = shownReply(node);
      if (chosen === null || others.length === 0) continue;
      const above = exchangesTo(forest, node.id).slice(0, -1);
      const prompt = [...systemOf(forest), ...rolesOf([...above, { node, message: node.message, reply: null }])];
      for (const other of others) {
        yield JSON.stringify({
          prompt,
          chosen: [{ role: 'assistant', content: answerOf(chosen.text) }],
          rejected: [{ role: 'assistant', content: other }],
        });
      }
    }
  },
};

/** Ended by itself, and no quotes of earlier turns. */
const isWhole = ({ state, model }: Reply): boolean => state === 'done' && model !== RECALL;

/**
 * What was answered otherwise: the turn's own other replies, and those to the same message beside it where this is the one that
 * was gone on with last. Only whole replies count, and each text once.
 */
const rejectedOf = (forest: Forest, node: Node): string[] => {
  const chosen = shownReply(node);
  if (chosen === null || !isWhole(chosen)) return [];
  const beside = isGoneOnWith(forest, node) ? twinsOf(forest, node) : [];
  const texts = [...node.replies.filter((reply) => reply !== chosen), ...beside.flatMap(({ replies }) => replies)]
    .filter(isWhole)
    .map(({ text }) => answerOf(text).trim())
    .filter((text) => text !== '' && text !== answerOf(chosen.text).trim());
  return [...new Set(texts)];
};

/** Turns beside it with the same message: in a tool where replies go on each for itself, they are replies to one message. */
const twinsOf = (forest: Forest, { id, parentId, message }: Node): Node[] => {
  const siblings = parentId === null ? treesOf(forest).map(({ rootId }) => rootId) : childrenOf(forest, parentId);
  return siblings
    .filter((one) => one !== id)
    .map((one) => nodeOf(forest, one))
    .filter((one) => one.message === message && !one.hidden);
};

/** On the path to where its topic was last; of the first turns of topics, to where the conversation is. */
const isGoneOnWith = (forest: Forest, { id, treeId, parentId }: Node): boolean => {
  const end = parentId === null ? forest.active?.nodeId : forest.trees[treeId]?.activeId;
  return end !== undefined && (end === id || isAncestor(forest, id, end));
};

/** Paths as OpenAI, TRL and many others are fine-tuned on. */
export const sftMessages: Writer = {
  id: 'sft-messages',
  name: 'SFT messages',
  about: 'One line per path, from its first message to its last answer, as {"messages": […]} for fine-tuning.',
  group: 'Training',
  ending: '.messages.jsonl',
  type: 'application/x-ndjson',
  form: 'lines',
  several: true,
  path: false,
  holds: ['texts', 'single', 'choices', 'instructions', 'hidden'],
  *write({ forest }) {
    for (const path of pathsOf(forest)) yield JSON.stringify({ messages: [...systemOf(forest), ...path] });
  },
};

const FROM = { system: 'system', user: 'human', assistant: 'gpt' } as const;

/** The same as ShareGPT has it. */
export const shareGptList: Writer = {
  id: 'sharegpt',
  name: 'ShareGPT',
  about: 'One element per path, as {"conversations": [{"from", "value"}]}, which LLaMA-Factory and Axolotl read.',
  group: 'Training',
  ending: '.sharegpt.json',
  type: 'application/json',
  form: 'list',
  several: true,
  path: false,
  holds: ['texts', 'single', 'choices', 'instructions', 'hidden'],
  *write({ id, forest }) {
    for (const [at, path] of pathsOf(forest).entries()) {
      const conversations = [...systemOf(forest), ...path].map(({ role, content }) => ({
        from: FROM[role],
        value: content,
      }));
      yield JSON.stringify({ id: `${id}-${at + 1}`, conversations });
    }
  },
};
