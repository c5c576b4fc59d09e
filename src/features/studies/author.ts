import type { ReadDialogue } from '../../app/kernel.ts';
import { fold } from '../../domain/apply.ts';
import type { Entry } from '../../domain/entry.ts';
import { replyOf } from '../../domain/queries.ts';
import { spokenOf } from '../../domain/reply.ts';
import { recordsOf } from '../../domain/table.ts';
import { GUIDELINES } from './guidelines.ts';
import type { Label, Study, StudyDialogue } from './study.ts';
import { placementFor } from './threads.ts';

export const UNTITLED = 'Untitled study';

/** What an author begins with. */
export const newStudy = (id: string, seed: number): Study => ({
  format: 'coppice-study',
  version: 1,
  id,
  name: UNTITLED,
  guidelines: GUIDELINES,
  mode: 'blind',
  tags: [],
  people: 2,
  peoplePerDialogue: 2,
  seed,
  dialogues: [],
});

/** Adds dialogues behind those that are there. `linksAreGold`: what their files say of parents is the right answer. */
export const withDialogues = (study: Study, added: readonly ReadDialogue[], linksAreGold: boolean): Study => {
  const dialogues = [...study.dialogues];
  for (const { title, turns } of added) {
    const name = title.trim() || `Dialogue ${dialogues.length + 1}`;
    dialogues.push({
      id: freeId(dialogues, name),
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

/** Names the dialogue's file in the package, so it has letters that any file may have. */
const freeId = (dialogues: readonly StudyDialogue[], name: string): string => {
  const short = name
    .normalize('NFKD')
    .replace(/[^\w]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .toLowerCase()
    .slice(0, 40);
  const taken = new Set(dialogues.map(({ id }) => id));
  for (let number = dialogues.length + 1; ; number++) {
    const id = `d${number}${short === '' ? '' : `-${short}`}`;
    if (!taken.has(id)) return id;
  }
};

const linksOf = (turns: ReadDialogue['turns']): Label[] => {
  const labels: Label[] = [];
  for (const { parents } of turns) {
    const [first, ...further] = parents;
    const parent = first ?? 'new-topic';
    const furtherParents = further.sort((a, b) => a - b);
    labels.push({ placement: placementFor(labels, parent), parent, furtherParents, tags: [], unsure: false });
  }
  return labels;
};

/** A conversation that is kept here, in order of time. */
export const dialogueOfLog = (title: string, log: readonly Entry[]): ReadDialogue => {
  const nodes = recordsOf(fold(log).nodes).toSorted((a, b) => a.number - b.number);
  const places = new Map(nodes.map(({ id }, at) => [id, at]));
  return {
    title,
    turns: nodes.map((node, at) => {
      const parent = node.parentId === null ? undefined : places.get(node.parentId);
      return {
        message: node.message,
        speaker: null,
        reply: spokenOf(replyOf(node)?.text ?? '').answer,
        // What was moved may hang from something later, which no reader in order of time could say.
        parents: parent !== undefined && parent < at ? [parent] : [],
      };
    }),
  };
};

/** The author's own tags, of a line of words between commas. */
export const tagsOf = (line: string): string[] => [
  ...new Set(
    line
      .split(',')
      .map((tag) => tag.trim())
      .filter(Boolean),
  ),
];

/** Dialogues that people would see without the answers that the study promises. */
export const withoutEngine = ({ mode, dialogues }: Study): StudyDialogue[] =>
  mode === 'blind' ? [] : dialogues.filter(({ engine }) => engine === undefined);
