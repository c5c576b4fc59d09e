import { byNumber, type Forest, type Node, RECALL, type Reply } from '../../../domain/forest.ts';
import { childrenOf, isAncestor, nodeOf, treesOf } from '../../../domain/queries.ts';
import { answerOf } from '../../../domain/reply.ts';
import { recordsOf } from '../../../domain/table.ts';
import { type Exchange, exchangesTo, leavesOf, shownReply } from './messages.ts';
import type { Writer } from './writer.ts';

/* Training data for models: paths, and choices between replies. Hidden turns and reasoning are excluded from both. */

interface RoleMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

const systemOf = ({ replySettings: { systemPrompt } }: Forest): RoleMessage[] =>
  systemPrompt === null ? [] : [{ role: 'system', content: systemPrompt }];

/** Alternating roles, as chat templates require: unanswered messages are merged with the next. */
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

/** Every path up to its last answer, without duplicates. */
const pathsOf = (forest: Forest): RoleMessage[][] => {
  const ends = new Set<string>();
  return leavesOf(forest).flatMap((leaf) => {
    const exchanges = exchangesTo(forest, leaf.id);
    const last = exchanges.findLastIndex(({ reply }) => reply !== null);
    const end = exchanges[last]?.node;
    // If a path ends in an unanswered message, the part before it may be, or be part of, another path.
    if (end === undefined || ends.has(end.id) || (end !== leaf && goesOnAnswered(forest, end))) return [];
    ends.add(end.id);
    return [rolesOf(exchanges.slice(0, last + 1))];
  });
};

/** Whether a turn below has an answer, so that a longer path contains this one. */
const goesOnAnswered = (forest: Forest, node: Node): boolean => {
  const stack = [...childrenOf(forest, node.id)];
  for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
    const below = nodeOf(forest, id);
    if (!below.hidden && shownReply(below) !== null) return true;
    stack.push(...childrenOf(forest, id));
  }
  return false;
};

/** TRL's conversational preference pairs: the reply that was continued against each of the others. */
export const preferencePairs: Writer = {
  id: 'preference-pairs',
  name: 'Preference pairs',
  about:
    'TRL’s prompt, chosen and rejected: the reply you continued with against each of the others. Identical replies are skipped.',
  group: 'Training',
  ending: '.preferences.jsonl',
  type: 'application/x-ndjson',
  form: 'lines',
  several: true,
  path: false,
  holds: ['texts', 'replies', 'choices', 'instructions', 'hidden'],
  *write({ forest }) {
    for (const node of recordsOf(forest.nodes).toSorted(byNumber)) {
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

/** Completed normally, and not a quote of earlier turns. */
const isWhole = ({ state, model }: Reply): boolean => state === 'done' && model !== RECALL;

/**
 * The rejected answers: the turn's own other replies, and, if this turn was continued last, those to the same message beside
 * it. Only complete replies count, and each text once.
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

/** Sibling turns with the same message: in a tool where each reply continues separately, they are replies to one message. */
const twinsOf = (forest: Forest, { id, parentId, message }: Node): Node[] => {
  const siblings = parentId === null ? treesOf(forest).map(({ rootId }) => rootId) : childrenOf(forest, parentId);
  return siblings
    .filter((one) => one !== id)
    .map((one) => nodeOf(forest, one))
    .filter((one) => one.message === message && !one.hidden);
};

/** Whether it is on the path to its topic's last position; for the first turn of a topic, to the conversation's position. */
const isGoneOnWith = (forest: Forest, { id, treeId, parentId }: Node): boolean => {
  const end = parentId === null ? forest.active?.nodeId : forest.trees[treeId]?.activeId;
  return end !== undefined && (end === id || isAncestor(forest, id, end));
};

/** Paths in the form used to fine-tune with OpenAI, TRL and many others. */
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

/** The same in ShareGPT's form. */
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
