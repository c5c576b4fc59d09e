import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type DataFile, isDataFile, readFiles } from '../src/features/evaluate/datasets/data-files.ts';
import type { LabelledDialogue } from '../src/features/evaluate/datasets/labelled-dialogue.ts';

/** The files of the sets under a folder. Rejects if the folder cannot be read. */
export const filesUnder = async (folder: string): Promise<DataFile[]> => {
  const names = (await readdir(folder, { recursive: true })).map((name) => name.replaceAll('\\', '/'));
  const wanted = names.filter(isDataFile).sort();
  return Promise.all(wanted.map(async (path) => ({ path, text: await readFile(join(folder, path), 'utf8') })));
};

/** Every labelled dialogue under a folder in the public forms of the sets; a set that is not there is left out. */
export const readDataSets = async (folder: string): Promise<LabelledDialogue[]> => {
  const { sgd, tiage, cast2022, structflow, oasst, ntm } = readFiles(await filesUnder(folder));
  return [...ntm, ...sgd, ...tiage, ...cast2022, ...structflow, ...oasst];
};
