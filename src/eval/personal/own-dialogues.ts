import { readdir, readFile } from 'node:fs/promises';
import type { LabelledDialogue } from '../labelled-dialogue.ts';
import { readEveryday } from '../read-everyday.ts';
import { readOwn } from '../read-own.ts';

const FOLDER = new URL('../dialogues/', import.meta.url);

/** The dialogues written for Coppice, in order of their files. */
const ownDialogues = async (): Promise<LabelledDialogue[]> => {
  const names = (await readdir(FOLDER)).filter((name) => name.endsWith('.json')).sort();
  const texts = await Promise.all(names.map((name) => readFile(new URL(name, FOLDER), 'utf8')));
  return texts.flatMap(readOwn);
};

const EVERYDAY = new URL('everyday/', FOLDER);
/** Of so many everyday conversations one stands for them: general questions are sent to every page that learns. */
const EVERYDAY_EACH = 16;

/** Everyday talk, without which nothing would hold back who splits topics finer from splitting everyone's. */
const someEveryday = async (): Promise<LabelledDialogue[]> => {
  const texts = await Promise.all(
    (await readdir(EVERYDAY)).sort().map((name) => readFile(new URL(name, EVERYDAY), 'utf8')),
  );
  return texts.flatMap(readEveryday).filter((_, at) => at % EVERYDAY_EACH === 0);
};

/** Those that the shipped general questions are made of, and those that simulations are measured on. */
export const shippedHalf = async (): Promise<LabelledDialogue[]> => [
  ...(await ownDialogues()).filter((_, at) => at % 2 === 0),
  ...(await someEveryday()),
];
export const measuredHalf = async (): Promise<LabelledDialogue[]> =>
  (await ownDialogues()).filter((_, at) => at % 2 === 1);
