import type { Forest, Node, NodeId } from '../../domain/forest.ts';
import { replyOf } from '../../domain/queries.ts';
import { answerOf } from '../../domain/reply.ts';

export type ExportForm = 'jsonl' | 'markdown';

/** Selected turns as a file, in order of time. The JSON lines are a dialogue that Import reads, and say more about each turn. */
export const exportedTurns = (
  forest: Forest,
  ids: Iterable<NodeId>,
  form: ExportForm,
): { name: string; text: string; type: string } => {
  const nodes = [...ids].flatMap((id) => forest.nodes[id] ?? []).sort((a, b) => a.number - b.number);
  return form === 'jsonl'
    ? { name: 'turns.jsonl', text: asLines(forest, nodes), type: 'application/x-ndjson' }
    : { name: 'turns.md', text: asMarkdown(forest, nodes), type: 'text/markdown' };
};

const answerTo = (node: Node): string => answerOf(replyOf(node)?.text ?? '');
const topicOf = ({ trees }: Forest, { treeId }: Node): string => trees[treeId]?.title ?? '';

const asLines = (forest: Forest, nodes: readonly Node[]): string =>
  nodes
    .flatMap((node) => {
      const parent = node.parentId === null ? null : (forest.nodes[node.parentId]?.number ?? null);
      const about = { turn: node.number, after: parent, topic: topicOf(forest, node) };
      const note = node.note === null ? {} : { note: node.note };
      const answer = answerTo(node);
      return [
        { role: 'user', content: node.message, ...about, ...note },
        ...(answer === '' ? [] : [{ role: 'assistant', content: answer, turn: node.number }]),
      ];
    })
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('');

const asMarkdown = (forest: Forest, nodes: readonly Node[]): string => {
  let topic: string | null = null;
  const parts = nodes.flatMap((node) => {
    const heading = topicOf(forest, node) === topic ? [] : [`# ${topicOf(forest, node)}`];
    topic = topicOf(forest, node);
    const answer = answerTo(node);
    return [...heading, `## Turn ${node.number}`, quoted(node.message), ...(answer === '' ? [] : [answer])];
  });
  return `${parts.join('\n\n')}\n`;
};

const quoted = (text: string): string =>
  text
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n');
