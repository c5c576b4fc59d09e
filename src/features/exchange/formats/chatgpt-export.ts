import * as z from 'zod/mini';
import { has } from '../read/source.ts';
import { dialogueForm, type SpokenLine } from './form.ts';

const Message = z.object({
  author: z.object({ role: z.string() }),
  recipient: z.optional(z.nullable(z.string())),
  content: z.object({ content_type: z.string(), parts: z.optional(z.array(z.unknown())) }),
  metadata: z.optional(z.nullable(z.looseObject({}))),
});
type Message = z.infer<typeof Message>;

const MappingNode = z.object({
  parent: z.optional(z.nullable(z.string())),
  message: z.optional(z.nullable(Message)),
});
type MappingNode = z.infer<typeof MappingNode>;

/** ChatGPT's export, `conversations.json`: a tree of messages each, of which the path shown last is taken. */
export const chatGptExport = dialogueForm(
  (item) => has(item, 'mapping'),
  z.object({
    title: z.optional(z.nullable(z.string())),
    current_node: z.optional(z.nullable(z.string())),
    mapping: z.record(z.string(), MappingNode),
  }),
  ({ title, current_node, mapping }) => {
    const nodes = new Map(Object.entries(mapping));
    const last = current_node != null && nodes.has(current_node) ? current_node : [...nodes.keys()].at(-1);
    return {
      title: title ?? null,
      lines: pathTo(nodes, last).flatMap(({ message }) => (message ? spoken(message) : [])),
    };
  },
);

const pathTo = (nodes: ReadonlyMap<string, MappingNode>, last: string | null | undefined): MappingNode[] => {
  const path = new Map<string, MappingNode>();
  for (let id = last; id != null && !path.has(id); ) {
    const node = nodes.get(id);
    if (node === undefined) break;
    path.set(id, node);
    id = node.parent;
  }
  return [...path.values()].reverse();
};

/** Leaves out what was not part of the talk: instructions, calls of tools and their results, hidden notes. */
const spoken = ({ author, recipient, content, metadata }: Message): SpokenLine[] => {
  const { role } = author;
  if (role !== 'user' && role !== 'assistant') return [];
  if (recipient != null && recipient !== 'all') return [];
  if (metadata?.is_visually_hidden_from_conversation === true) return [];
  if (content.content_type !== 'text' && content.content_type !== 'multimodal_text') return [];
  const text = (content.parts ?? []).map((part) => (typeof part === 'string' ? part : '[attachment]')).join('\n\n');
  return [{ by: role, text }];
};
