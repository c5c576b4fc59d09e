import { spokenOf } from '../../../domain/reply.ts';
import type { Dialogue } from '../../../engine/ports.ts';
import { counted } from '../../../ui/parts/format.ts';
import { forestOf, type ImportedForest } from './entries-of.ts';
import type { FoundConversation } from './read-files.ts';
import { NO_MESSAGE, type SourceTurn } from './turns-of-tree.ts';

/** A conversation that was found, as presented for selection: what is kept of it, and what is not. */
export interface FoundRow {
  /** Its index among everything in the files. */
  readonly index: number;
  readonly title: string;
  /** Its first message. */
  readonly opening: string;
  readonly tool: string;
  /** Number of messages that say something. */
  readonly messages: number;
  readonly turns: number;
  readonly branches: number;
  readonly topics: number;
  /** What was hidden, repaired or is missing, one sentence each. */
  readonly notes: readonly string[];
}

export const foundRow = (index: number, { tool, conversation }: FoundConversation, now: number): FoundRow => {
  const { title, tree, turns, instructions } = forestOf(conversation, now);
  const { kept, hidden, mended, missing } = tree.report;
  const children = new Map<string | null, number>();
  for (const { parentId } of turns.turns) children.set(parentId, (children.get(parentId) ?? 0) + 1);
  const topics = children.get(null) ?? 0;
  const forks = [...children].reduce((sum, [parent, count]) => sum + (parent === null ? 0 : count - 1), 0);
  return {
    index,
    title,
    opening: turns.turns[0]?.message.slice(0, 200) ?? '',
    tool,
    messages: kept + hidden,
    turns: turns.turns.length,
    branches: topics + forks,
    topics,
    notes: [
      ...(hidden === 0 ? [] : [`${counted(hidden, 'message')} from tools and systems kept as details`]),
      ...(instructions === null
        ? tree.instructions.slice(0, 1).map(() => 'it has several instructions, none of which were imported')
        : ['its instructions were added to its reply settings']),
      ...turns.notes,
      ...mended,
      ...missing,
    ],
  };
};

/**
 * The path shown last, for the engine to place turn by turn. Thoughts are not part of a reply, and what an assistant says
 * before the user's first message is not a turn. If there are replies, messages sent before a reply arrived form one turn.
 */
export const dialogueOf = ({
  title,
  turns: { turns, currentId },
}: Pick<ImportedForest, 'title' | 'turns'>): Dialogue => {
  const byId = new Map(turns.map((turn) => [turn.id, turn]));
  const path: { message: string; reply: string | null }[] = [];
  for (let turn = byId.get(currentId ?? ''); turn !== undefined; turn = byId.get(turn.parentId ?? '')) {
    if (turn.message === NO_MESSAGE) continue;
    const shown = turn.replies.find(({ id }) => id === turn?.shownReplyId);
    const reply = shown === undefined ? '' : spokenOf(shown.text).answer;
    path.unshift({ message: withFiles(turn), reply: reply === '' ? null : reply });
  }
  if (path.every(({ reply }) => reply === null)) return { title, turns: path };
  const answered: typeof path = [];
  for (const turn of path) {
    const last = answered.at(-1);
    if (last?.reply === null) answered.splice(-1, 1, { ...turn, message: `${last.message}\n\n${turn.message}` });
    else answered.push(turn);
  }
  return { title, turns: answered };
};

/** A message with the exported text of its files, or their names: nothing else of them is kept in a replay. */
const withFiles = ({ message, attachments }: SourceTurn): string =>
  [
    message,
    ...attachments.flatMap(({ name, text, madeIn }) =>
      madeIn !== null ? [] : [text === null ? `[${name}]` : `[${name}]\n${text}`],
    ),
  ].join('\n\n');
