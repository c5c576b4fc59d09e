import { readdir, readFile } from 'node:fs/promises';
import type { LabelledDialogue } from '../src/features/evaluate/datasets/labelled-dialogue.ts';
import { readEveryday } from '../src/features/evaluate/datasets/read-everyday.ts';
import { readOwn } from './read-own.ts';

const FOLDER = new URL('dialogues/', import.meta.url);
const EVERYDAY = new URL('everyday/', FOLDER);

/** The dialogues written for Coppice, in order of their files. */
export const ownDialogues = async (): Promise<LabelledDialogue[]> => (await textsIn(FOLDER, '.json')).flatMap(readOwn);

/** Everyday talk written for Coppice, other than what `everyday` is measured on, in order of its files. */
export const ownEveryday = async (): Promise<LabelledDialogue[]> =>
  (await textsIn(EVERYDAY, '.jsonl')).flatMap(readEveryday).map((dialogue) => ({ ...dialogue, set: 'everyday-own' }));

const textsIn = async (folder: URL, extension: string): Promise<string[]> => {
  const names = (await readdir(folder)).filter((name) => name.endsWith(extension)).sort();
  return Promise.all(names.map((name) => readFile(new URL(name, folder), 'utf8')));
};
