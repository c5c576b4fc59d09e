import {
  type Fields,
  fieldsOf,
  firstText,
  has,
  listOf,
  type Reader,
  type SourceMessage,
  speakerOf,
  textOf,
  timeOf,
} from '../source.ts';

/** OpenAssistant's message trees, nested in `replies`. Deleted replies are excluded. */
export const messageTrees: Reader = {
  tool: 'OpenAssistant',
  recognises: (item) =>
    has(fieldsOf(fieldsOf(item).prompt), 'replies') || (has(item, 'message_tree_id') && has(item, 'prompt')),
  read: (item) => {
    const { prompt, message_tree_id } = fieldsOf(item);
    const messages: SourceMessage[] = [];
    const stack: { node: Fields; parent: string | null }[] = [{ node: fieldsOf(prompt), parent: null }];
    let deleted = 0;
    for (let one = stack.pop(); one !== undefined; one = stack.pop()) {
      const { node, parent } = one;
      if (node.deleted === true) {
        deleted++;
        continue;
      }
      const id = firstText(node.message_id) ?? `message ${messages.length + 1}`;
      messages.push(messageOf(node, id, parent));
      const replies = listOf(node.replies).map(fieldsOf);
      for (const child of replies.toSorted((a, b) => rankOf(a) - rankOf(b)).toReversed())
        stack.push({ node: child, parent: id });
    }
    const notes = deleted === 0 ? [] : [`${deleted} deleted, and everything below left out`];
    return [
      {
        source: 'openassistant',
        id: firstText(message_tree_id),
        title: null,
        currentId: bestLeaf(messages),
        messages,
        notes,
      },
    ];
  },
};

/** The same as a flat list of messages. */
export const flatMessages: Reader = {
  tool: 'OpenAssistant',
  wholeFile: true,
  recognises: (item) => has(item, 'message_id', 'parent_id', 'text'),
  read: (item, others) => {
    const trees = new Map<string, SourceMessage[]>();
    for (const [at, of] of [item, ...others].map(fieldsOf).entries()) {
      const tree = firstText(of.message_tree_id) ?? '';
      const messages = trees.get(tree) ?? [];
      trees.set(tree, messages);
      if (of.deleted !== true)
        messages.push(messageOf(of, firstText(of.message_id) ?? `message ${at + 1}`, textOf(of.parent_id)));
    }
    return [...trees].map(([id, messages]) => ({
      source: 'openassistant',
      id: id || null,
      title: null,
      currentId: null,
      messages,
    }));
  },
};

const messageOf = (of: Fields, id: string, parentId: string | null): SourceMessage => ({
  id,
  parentId,
  by: speakerOf(of.role),
  text: textOf(of.text) ?? '',
  at: timeOf(of.created_date),
  model: firstText(of.model_name) ?? undefined,
  shown: typeof of.rank === 'number' ? of.rank === 0 : undefined,
});

const rankOf = ({ rank }: Fields): number => (typeof rank === 'number' ? rank : Number.MAX_SAFE_INTEGER);

/** Follows the first reply at each step, which people ranked best. */
const bestLeaf = (messages: readonly SourceMessage[]): string | null => {
  const first = new Map<string | null, string>();
  for (const { id, parentId = null } of messages) if (!first.has(parentId)) first.set(parentId, id);
  let leaf: string | null = null;
  for (let id = first.get(null); id !== undefined; id = first.get(id)) leaf = id;
  return leaf;
};
