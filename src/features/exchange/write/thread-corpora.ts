import type { Forest } from '../../../domain/forest.ts';
import { pathTo, treesOf } from '../../../domain/queries.ts';
import { lastMessageId, type Message, messagesByTopic } from './messages.ts';
import type { ConversationPart, Writer } from './writer.ts';

/* Corpora of threads, in which each topic is a separate tree. */

const HELD: readonly ConversationPart[] = [
  'texts',
  'single',
  'replies',
  'quotes',
  'unanswered',
  'hiddenTurns',
  'times',
];

/** OpenAssistant's message trees: one line per topic, with the shown reply ranked first. */
export const openAssistantTrees: Writer = {
  id: 'open-assistant',
  name: 'OpenAssistant trees',
  about: 'One line per topic, with its messages nested in “replies”. The ones you continued from rank first.',
  group: 'Threads',
  ending: '.trees.jsonl',
  type: 'application/x-ndjson',
  form: 'lines',
  several: true,
  path: false,
  holds: [...HELD, 'choices', 'models'],
  *write({ id, forest }) {
    const shown = shownIn(forest);
    for (const [at, topic] of messagesByTopic(forest).entries()) {
      const [root] = topic;
      if (root === undefined) continue;
      yield JSON.stringify({
        message_tree_id: `${id}-${at + 1}`,
        tree_state: 'ready_for_export',
        prompt: nested(topic, root, shown),
      });
    }
  },
};

interface NestedMessage {
  readonly message_id: string;
  readonly parent_id: string | null;
  readonly text: string;
  readonly role: 'prompter' | 'assistant';
  readonly created_date: string;
  readonly rank: number | null;
  readonly model_name?: string;
  readonly replies: NestedMessage[];
}

/** Without recursion, because a path can be thousands of turns long. */
const nested = (topic: readonly Message[], root: Message, shown: ReadonlySet<string>): NestedMessage => {
  const made = new Map<string, NestedMessage>();
  const childrenOf = new Map(topic.map(({ id, childIds }) => [id, childIds]));
  for (const { id, parentId, by, text, at, model } of topic) {
    const siblings = parentId === null ? [id] : (childrenOf.get(parentId) ?? [id]);
    const foremost = siblings.findLast((one) => shown.has(one)) ?? siblings.at(-1);
    const others = siblings.filter((one) => one !== foremost);
    made.set(id, {
      message_id: id,
      parent_id: parentId,
      text,
      role: by === 'user' ? 'prompter' : 'assistant',
      created_date: new Date(at).toISOString(),
      rank: siblings.length < 2 ? null : id === foremost ? 0 : others.indexOf(id) + 1,
      ...(model === null ? {} : { model_name: model }),
      replies: [],
    });
  }
  for (const { id, childIds } of topic) {
    const parent = made.get(id);
    for (const child of childIds) {
      const one = made.get(child);
      if (parent !== undefined && one !== undefined) parent.replies.push(one);
    }
  }
  return made.get(root.id) as NestedMessage;
};

/** Messages on the last displayed path of every topic. */
const shownIn = (forest: Forest): ReadonlySet<string> =>
  new Set(
    treesOf(forest).flatMap(({ activeId }) =>
      pathTo(forest, activeId).flatMap((node) => [node.id, lastMessageId(node)]),
    ),
  );

/** Speakers in a chat with a model, as recognised by our reader. */
const SPEAKERS = { user: 'user', assistant: 'assistant' } as const;

/** ConvoKit's utterances: one conversation per topic, each message with the one it answers. */
export const convoKitUtterances: Writer = {
  id: 'convokit',
  name: 'ConvoKit utterances',
  about:
    'utterances.jsonl for a ConvoKit corpus: one line per message, with the message it answers. Each topic is a conversation.',
  group: 'Threads',
  ending: '.utterances.jsonl',
  type: 'application/x-ndjson',
  form: 'lines',
  several: true,
  path: false,
  holds: HELD,
  *write({ forest }) {
    for (const topic of messagesByTopic(forest)) {
      const [root] = topic;
      for (const { id, parentId, by, text, at } of topic) {
        yield JSON.stringify({
          id,
          conversation_id: root?.id,
          'reply-to': parentId,
          speaker: SPEAKERS[by],
          text,
          timestamp: at / 1000,
          meta: {},
          vectors: [],
        });
      }
    }
  },
};
