import type { ReadDialogue } from '../../app/kernel.ts';
import type { Entry } from '../../domain/entry.ts';
import { byNumber } from '../../domain/forest.ts';
import { replyOf } from '../../domain/queries.ts';
import { spokenOf } from '../../domain/reply.ts';
import { recordsOf } from '../../domain/table.ts';
import { foldInParts } from '../../engine/history/fold-in-parts.ts';
import { createYielder } from '../../engine/tasks.ts';
import guidelines from './guidelines.md?raw';
import { placementFor, type Study, type StudyDialogue, type StudyLabel } from './study.ts';

const UNTITLED = 'Untitled study';

/** The study as it is stored and packed, where it needs a name. */
export const named = (study: Study): Study => (study.name.trim() === '' ? { ...study, name: UNTITLED } : study);

/** An empty study. Its guidelines are the default rules for parents and placements; authors edit them as needed. */
export const newStudy = (id: string, seed: number): Study => ({
  format: 'coppice-study',
  version: 1,
  id,
  name: UNTITLED,
  guidelines,
  mode: 'blind',
  tags: [],
  people: 2,
  peoplePerDialogue: 2,
  seed,
  dialogues: [],
});

/**
 * Appends dialogues. `linksAreGold`: the parents in their files are the right answers. `tag` ends their ids, so that those
 * added in another tab meanwhile have others.
 */
export const withDialogues = (
  study: Study,
  added: readonly ReadDialogue[],
  linksAreGold: boolean,
  tag: string,
): Study => {
  const dialogues = [...study.dialogues];
  for (const { title, turns } of added) {
    const name = title.trim() || `Dialogue ${dialogues.length + 1}`;
    dialogues.push({
      id: freeId(dialogues, name, tag),
      name,
      turns: turns.map(({ message, reply, speaker }) => ({
        user: message,
        assistant: reply,
        ...(speaker === null ? {} : { speaker }),
      })),
      part: 'work',
      ...(linksAreGold ? { gold: linksOf(turns) } : {}),
    });
  }
  return { ...study, dialogues };
};

/** The stored study with what changed from `before` to `after`: another tab may have changed other parts of it. */
export const withChanges = (stored: Study, before: Study, after: Study): Study => ({
  ...stored,
  ...Object.fromEntries(Object.entries(after).filter(([key, value]) => value !== before[key as keyof Study])),
  dialogues: mergedDialogues(stored.dialogues, before.dialogues, after.dialogues),
});

const mergedDialogues = (
  stored: readonly StudyDialogue[],
  before: readonly StudyDialogue[],
  after: readonly StudyDialogue[],
): StudyDialogue[] => {
  const byId = (list: readonly StudyDialogue[]) => new Map(list.map((one) => [one.id, one]));
  const [known, was, is] = [byId(stored), byId(before), byId(after)];
  const kept = stored.flatMap((one) => {
    const mine = is.get(one.id);
    if (mine === undefined) return was.has(one.id) ? [] : [one];
    return [mine === was.get(one.id) ? one : mine];
  });
  return [...kept, ...after.filter(({ id }) => !was.has(id) && !known.has(id))];
};

/** Also the dialogue's file name in the package, so it only uses characters that are safe there. */
const freeId = (dialogues: readonly StudyDialogue[], name: string, tag: string): string => {
  const short = name
    .normalize('NFKD')
    .replace(/[^\w]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .toLowerCase()
    .slice(0, 40);
  const taken = new Set(dialogues.map(({ id }) => id));
  for (let number = dialogues.length + 1; ; number++) {
    const id = `d${number}${short === '' ? '' : `-${short}`}-${tag}`;
    if (!taken.has(id)) return id;
  }
};

const linksOf = (turns: ReadDialogue['turns']): (StudyLabel | null)[] => {
  const labels: (StudyLabel | null)[] = [];
  for (const { parents } of turns) {
    if (parents === null) {
      labels.push(null);
      continue;
    }
    const [first, ...further] = parents;
    const parent = first ?? 'new-topic';
    const furtherParents = further.sort((a, b) => a - b);
    labels.push({ placement: placementFor(labels, parent), parent, furtherParents, tags: [], unsure: false });
  }
  return labels;
};

/** A conversation stored here, in chronological order. */
export const dialogueOfLog = async (title: string, log: readonly Entry[]): Promise<ReadDialogue> => {
  const forest = await foldInParts(
    log,
    createYielder(() => performance.now()),
  );
  const nodes = recordsOf(forest.nodes).toSorted(byNumber);
  const places = new Map(nodes.map(({ id }, at) => [id, at]));
  return {
    title,
    turns: nodes.map((node, at) => {
      const parent = node.parentId === null ? undefined : places.get(node.parentId);
      return {
        message: node.message,
        speaker: null,
        reply: spokenOf(replyOf(node)?.text ?? '').answer,
        parents: parent === undefined ? [] : parent < at ? [parent] : null,
      };
    }),
  };
};

/** Parses the author's own tags from a comma-separated line. */
export const tagsOf = (line: string): string[] => [
  ...new Set(
    line
      .split(',')
      .map((tag) => tag.trim())
      .filter(Boolean),
  ),
];

/** Dialogues that lack the engine answers that an assisted study promises. */
export const withoutEngine = ({ mode, dialogues }: Study): StudyDialogue[] =>
  mode === 'blind' ? [] : dialogues.filter(({ engine }) => engine === undefined);
