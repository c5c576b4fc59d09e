import {
  type Fields,
  fieldsOf,
  firstText,
  has,
  listOf,
  type Reader,
  type SourceMessage,
  textOf,
  timeOf,
} from '../source.ts';

/*
 * Looms grow one text in many directions: a node continues the text of its parent, without roles. Each node is read as a
 * message, with its white space unchanged.
 */

/** socketteer's loom: nested nodes. */
export const loom: Reader = {
  tool: 'Loom',
  recognises: (item) => isNode(fieldsOf(item).root) || (isNode(item) && !has(item, 'role')),
  read: (item) => {
    const of = fieldsOf(item);
    const messages: SourceMessage[] = [];
    const stack: { node: Fields; parent: string | null }[] = [
      { node: fieldsOf(isNode(of.root) ? of.root : item), parent: null },
    ];
    for (let one = stack.pop(); one !== undefined; one = stack.pop()) {
      const { node, parent } = one;
      const id = firstText(node.id) ?? `node ${messages.length + 1}`;
      // The same subtree may have been inserted twice with the same ids: each copy stays where it is nested.
      const own = messages.some((message) => message.id === id) ? `${id} ${messages.length + 1}` : id;
      messages.push({
        id: own,
        parentId: parent,
        by: 'user',
        text: textOf(node.text) ?? '',
        at: timeOf(fieldsOf(node.meta).creation_timestamp),
      });
      for (const child of listOf(node.children).map(fieldsOf).toReversed()) stack.push({ node: child, parent: own });
    }
    return [{ source: 'loom', id: null, title: null, currentId: textOf(of.selected_node_id), messages }];
  },
};

const isNode = (value: unknown): boolean => has(value, 'text', 'children') && Array.isArray(fieldsOf(value).children);

/** Loomsidian: nodes by id. */
export const loomsidian: Reader = {
  tool: 'Loomsidian',
  recognises: (item) =>
    has(item, 'nodes', 'current') &&
    Object.values(fieldsOf(fieldsOf(item).nodes)).some((node) => has(node, 'text', 'parentId')),
  read: (item) => {
    const of = fieldsOf(item);
    const messages = Object.entries(fieldsOf(of.nodes)).map(([id, node]): SourceMessage => {
      const { text, parentId } = fieldsOf(node);
      return { id, parentId: textOf(parentId), by: 'user', text: textOf(text) ?? '' };
    });
    return [{ source: 'loomsidian', id: null, title: null, currentId: textOf(of.current), messages }];
  },
};
