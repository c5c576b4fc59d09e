import { writeFile } from 'node:fs/promises';
import type { Lesson } from '../../src/engine/lessons.ts';
import { loadGlossaries } from '../../src/engine/text/glossary.ts';
import { textsInDialogue } from '../../src/features/evaluate/measurement/embedded-texts.ts';
import type { LabelledQuestion } from '../../src/models/embedded/personal/fit-lessons.ts';
import { ACTIONS, type PackedQuestion } from '../../src/models/embedded/personal/general-questions.ts';
import { createPersonalLayer } from '../../src/models/embedded/personal/learner.ts';
import { shippedHalf } from '../dialogues-on-disk.ts';
import { embedAll } from '../vectors.ts';
import { generalFrom, lessonsOf } from './lessons.ts';

const FILE = new URL('../../src/models/embedded/personal/general-questions.json', import.meta.url);

const dialogues = await shippedHalf();
const messages = dialogues.flatMap(({ turns }) => turns.map(({ message }) => message));
await loadGlossaries();
const vectorOf = await embedAll(dialogues.flatMap(textsInDialogue), console.log);
const learner = createPersonalLayer();
const questions: Lesson[] = [];
for (const dialogue of dialogues) questions.push(...(await lessonsOf(dialogue, vectorOf, learner)));
const general = generalFrom(questions, messages);

const packed = ({ message, choices, right }: LabelledQuestion): PackedQuestion => [
  message,
  choices.map(({ action, base, facts }) =>
    Object.keys(facts).length === 0 ? [ACTIONS.indexOf(action), base] : [ACTIONS.indexOf(action), base, facts],
  ),
  right,
];

/** One item per line, so that diffs are readable. */
const list = (items: readonly unknown[]): string => `[\n${items.map((item) => JSON.stringify(item)).join(',\n')}\n]`;

await writeFile(
  FILE,
  `{\n"wordings": ${list([...general.wordings])},\n"questions": ${list(general.questions.map(packed))}\n}\n`,
);
console.log(`${general.questions.length} questions, ${general.wordings.size} common wordings`);
