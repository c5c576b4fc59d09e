import * as z from 'zod/mini';
import { type JsonSource, readJson, unexpected } from '../../../app/json-source.ts';
import { apply } from '../../../domain/apply.ts';
import { parseEntry } from '../../../domain/entry.ts';
import { byNumber, emptyForest, type Forest, type Node, type NodeId } from '../../../domain/forest.ts';
import { answerTo, replyOf } from '../../../domain/queries.ts';
import { recordsOf } from '../../../domain/table.ts';
import { errorMessage } from '../../../engine/model-failure.ts';
import type { LabelledDialogue, LabelledTurn } from './dialogues.ts';
import { BrokenLabels } from './dialogues.ts';

const Header = z.object({ coppice: z.literal('conversation'), title: z.string(), entries: z.number() });

/**
 * A conversation exported from Coppice (Coppice log), as its owner left it. What they confirmed, corrected or chose in
 * advance is a label. Every other turn keeps its place in the conversation and is not measured, because only a decider
 * placed it there. Returns no dialogue if the person labelled nothing.
 */
export const readOwnConversations = (text: string, name: string): LabelledDialogue[] => {
  const read = readJson(text.replace(/^\uFEFF/, ''));
  if (!read.ok) throw new BrokenLabels(read.failure.message);
  const [first, ...lines] = read.value.items;
  const header = Header.safeParse(first);
  if (!header.success) throw new BrokenLabels('Line 1: expected the head of a conversation that Coppice exported.');
  const turns = turnsOf(forestIn(lines.slice(0, header.data.entries), read.value));
  if (turns.every(({ unlabelled }) => unlabelled === true)) return [];
  const id = `${name.replace(/\.jsonl?$/, '')}: ${header.data.title}`;
  return [{ set: 'coppice', id, group: id, labels: 'parents', turns }];
};

const forestIn = (lines: readonly unknown[], source: JsonSource): Forest => {
  const forest = emptyForest();
  for (const [at, line] of lines.entries()) {
    const parsed = parseEntry(line);
    const where = `Line ${source.lineOf([at + 1])}`;
    if (!parsed.ok && parsed.kind === 'newer-version') {
      throw new BrokenLabels(
        `${where}: exported by a newer version of Coppice. Reload the page to update, then try again.`,
      );
    }
    if (!parsed.ok) {
      const { path, text } = parsed.expectation;
      const read = unexpected(source, { path: [at + 1, ...path], text });
      throw new BrokenLabels(read.ok ? 'not in the expected form' : read.failure.message);
    }
    try {
      apply(forest, parsed.entry);
    } catch (error) {
      throw new BrokenLabels(`${where}: it does not fit the entries before it (${errorMessage(error)}).`);
    }
  }
  return forest;
};

/** Chronological, except that a turn moved below a later one comes after it. */
const turnsOf = (forest: Forest): LabelledDialogue['turns'] => {
  const indexOf = new Map<NodeId, number>();
  const ordered: Node[] = [];
  const nodes = recordsOf(forest.nodes).toSorted(byNumber);
  const add = (node: Node): void => {
    if (indexOf.has(node.id)) return;
    const parent = node.parentId === null ? undefined : forest.nodes[node.parentId];
    if (parent !== undefined) add(parent);
    indexOf.set(node.id, ordered.push(node) - 1);
  };
  for (const node of nodes) add(node);
  return ordered.map((node) => ({
    message: node.message,
    ...givenReply(node),
    at: node.at,
    parent: node.parentId === null ? null : (indexOf.get(node.parentId) ?? null),
    disputed: false,
    ...(node.label === null && { unlabelled: true }),
  }));
};

const givenReply = (node: Node): Pick<LabelledTurn, 'reply' | 'replyBy'> => {
  const reply = replyOf(node);
  return reply === null ? { reply: null } : { reply: answerTo(node), replyBy: reply.model };
};
