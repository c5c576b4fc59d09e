import { writeFile } from 'node:fs/promises';
import type { Lesson } from '../../src/engine/lessons.ts';
import { loadGlossaries } from '../../src/engine/text/glossary.ts';
import { textsIn } from '../../src/features/evaluate/measurement/embedded-texts.ts';
import { packed } from '../../src/models/embedded/personal/general-questions.ts';
import { createPersonalLayer } from '../../src/models/embedded/personal/learner.ts';
import { shippedHalf } from '../dialogues-on-disk.ts';
import { embedAll } from '../vectors.ts';
import { generalFrom, lessonsOf } from './lessons.ts';

const FILE = new URL('../../src/models/embedded/personal/general-questions.json', import.meta.url);

const dialogues = await shippedHalf();
const messages = dialogues.flatMap(({ turns }) => turns.map(({ message }) => message));
await loadGlossaries();
const vectorOf = await embedAll(dialogues.flatMap(textsIn), console.log);
const learner = createPersonalLayer();
const questions: Lesson[] = [];
for (const dialogue of dialogues) questions.push(...(await lessonsOf(dialogue, vectorOf, learner)));
const general = generalFrom(questions, messages);

/** One item per line, so that diffs are readable. */
const list = (items: readonly unknown[]): string => `[\n${items.map((item) => JSON.stringify(item)).join(',\n')}\n]`;

await writeFile(
  FILE,
  `{\n"wordings": ${list([...general.wordings])},\n"questions": ${list(general.questions.map(packed))}\n}\n`,
);
console.log(`${general.questions.length} questions, ${general.wordings.size} common wordings`);
