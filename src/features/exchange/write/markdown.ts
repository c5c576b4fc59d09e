import { type Attachment, isPicture } from '../../../domain/attachment.ts';
import type { Branch, Forest, Node, Reply, Tree } from '../../../domain/forest.ts';
import { activePath, branchNodes, nodeOf, treesOf } from '../../../domain/queries.ts';
import { spokenOf } from '../../../domain/reply.ts';
import { recordsOf } from '../../../domain/table.ts';
import { oneLine } from '../../../engine/text/words.ts';
import { asQuote, counted, dateTime, lowered, withoutHtml } from '../../../ui/parts/format.ts';
import { authorOf } from '../../../ui/parts/turn-words.ts';
import { repliesOf, turnFiles } from './messages.ts';
import type { ConversationPart, Scope, Writer, WrittenConversation } from './writer.ts';
import { endingOf, type ZippedFile, zipOf } from './zip-file.ts';

/* Readable text: topics are headings, and branches follow what they fork from. */

/** The parts that a readable page keeps. */
export const READ_PARTS: readonly ConversationPart[] = [
  'texts',
  'single',
  'replies',
  'choices',
  'quotes',
  'unanswered',
  'hiddenTurns',
  'reasoning',
  'topics',
  'titles',
  'branchTitles',
  'models',
  'times',
  'instructions',
  'notes',
  'hidden',
  'pins',
  'references',
];

/** A run of turns under one heading. */
export interface TurnSection {
  /** A topic's first section has the topic's title; others say where they fork. */
  readonly tree: Tree;
  readonly fork: { readonly from: Node; readonly title: string | null } | null;
  readonly nodes: readonly Node[];
}

/** The sections of a forest in reading order: topics in order of creation, and within each its branches likewise. */
export const sectionsOf = (forest: Forest, scope: Scope): TurnSection[] => {
  if (scope === 'path') {
    const nodes = activePath(forest);
    const tree = forest.trees[nodes[0]?.treeId ?? ''];
    return tree === undefined ? [] : [{ tree, fork: null, nodes }];
  }
  const branches = new Map<string, Branch[]>();
  for (const branch of recordsOf(forest.branches)) {
    branches.set(branch.treeId, [...(branches.get(branch.treeId) ?? []), branch]);
  }
  const head = ({ headId }: Branch): Node => nodeOf(forest, headId);
  return treesOf(forest).flatMap((tree) =>
    (branches.get(tree.id) ?? [])
      .sort(
        (a, b) =>
          Number(b.headId === tree.rootId) - Number(a.headId === tree.rootId) || head(a).number - head(b).number,
      )
      .map((branch): TurnSection => {
        const { parentId } = head(branch);
        const fork = parentId === null ? null : { from: nodeOf(forest, parentId), title: branch.title };
        return { tree, fork, nodes: branchNodes(forest, branch) };
      }),
  );
};

/** The marks beside a turn's number, in words. */
export const turnMarks = (forest: Forest, node: Node): string[] => {
  const { hidden, pinned, references } = node;
  const needed = references.flatMap(({ to }) => forest.nodes[to]?.number ?? []).sort((a, b) => a - b);
  return [
    ...(hidden ? ['hidden'] : []),
    ...(pinned ? ['pinned'] : []),
    ...fileMarks(turnFiles(node).sent),
    ...(needed.length === 0 ? [] : [`needs ${needed.map((number) => `turn ${number}`).join(', ')}`]),
  ];
};

export const fileMarks = (files: readonly Attachment[]): string[] => files.map(({ name }) => `with ${name}`);

export const markdown: Writer = {
  id: 'markdown',
  name: 'Markdown',
  about: 'For reading and editing. Topics are headings, and branches appear below the turn they fork from.',
  group: 'Reading',
  ending: '.md',
  type: 'text/markdown',
  form: 'text',
  several: false,
  path: true,
  holds: READ_PARTS,
  *write(conversation, { scope }) {
    yield* pagesOf(conversation, scope, () => null);
  },
};

const inHeading = (title: string): string => withoutHtml(oneLine(title));

function* pagesOf(
  { title, forest }: WrittenConversation,
  scope: Scope,
  link: (attachment: Attachment) => string | null,
): Generator<string> {
  yield `# ${inHeading(title)}\n`;
  const { systemPrompt } = forest.replySettings;
  if (systemPrompt !== null) yield `\n**Instructions**\n\n${asQuote(systemPrompt)}\n`;
  for (const { tree, fork, nodes } of sectionsOf(forest, scope)) {
    if (fork === null) yield `\n## ${inHeading(tree.title)}\n`;
    else {
      const name = fork.title === null ? '' : `: ${inHeading(fork.title)}`;
      yield `\n### Branch from turn ${fork.from.number}${name}\n`;
    }
    for (const node of nodes) yield turnText(forest, node, link);
  }
}

/** The same with the attached files in a folder alongside, linked from the text. */
export const markdownArchive: Writer = {
  ...markdown,
  id: 'markdown-archive',
  name: 'Markdown with files',
  about: 'The same as a .zip, with attached files in a folder so that pictures appear where they belong.',
  ending: '.markdown.zip',
  type: 'application/zip',
  holds: [...READ_PARTS, 'files', 'documents'],
  *write(conversation, options) {
    yield* pagesOf(conversation, options.scope, (attachment) => linkTo(attachment, conversation.files));
  },
  finish: (text, files) =>
    zipOf([
      ['conversation.md', new TextEncoder().encode(text)],
      ...[...files].map(([id, url]): ZippedFile => [pathOf(id, url), url]),
    ]),
};

const pathOf = (id: string, url: string): string => `files/${id.slice(0, 24)}.${endingOf(url)}`;

const linkTo = (attachment: Attachment, files: WrittenConversation['files']): string | null => {
  const { id, name } = attachment;
  const url = id === null ? undefined : files?.get(id);
  if (id === null || url === undefined) return null;
  const words = oneLine(name).replace(/[[\]]/g, '\\$&');
  return `${isPicture(attachment) ? '!' : ''}[${words}](${pathOf(id, url)})`;
};

const turnText = (forest: Forest, node: Node, link: (attachment: Attachment) => string | null): string => {
  const { shown, others } = repliesOf(node);
  const marks = [dateTime(node.at), ...turnMarks(forest, node)].join(' · ');
  const parts = [`**${node.number} · You** · ${marks}`, lowered(withoutHtml(node.message))];
  const { sent, made } = turnFiles(node);
  const linksTo = (files: readonly Attachment[]): string[] => files.flatMap((attachment) => link(attachment) ?? []);
  parts.push(...linksTo(sent));
  if (node.note !== null) parts.push(asQuote(`**Note:** ${node.note}`));
  if (shown !== null) parts.push(replyText(shown, made), ...linksTo(made));
  if (others.length > 0) {
    parts.push(
      folded(
        counted(others.length, 'other reply', 'other replies'),
        others.map((reply) => replyText(reply)).join('\n\n'),
      ),
    );
  }
  return `\n${parts.join('\n\n')}\n`;
};

const replyText = (reply: Reply, made: readonly Attachment[] = []): string => {
  const { reasoning, answer } = spokenOf(reply.text);
  return [
    [`**${oneLine(authorOf(reply))}**`, ...fileMarks(made)].join(' · '),
    ...(reasoning === null ? [] : [folded('Reasoning', lowered(reasoning))]),
    lowered(answer),
  ].join('\n\n');
};

const folded = (summary: string, text: string): string =>
  `<details>\n<summary>${summary}</summary>\n\n${text}\n\n</details>`;
