import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { errorMessage } from '../src/engine/model-failure.ts';
import { type DataFile, isDataFile, isMissed, readDataFiles } from '../src/features/evaluate/datasets/data-files.ts';
import { itemsOf, type LabelledDialogue } from '../src/features/evaluate/datasets/dialogues.ts';
import { readEveryday } from '../src/features/evaluate/datasets/labelled-trees.ts';
import { UsageError } from './command-line.ts';

/** Reads the files of the sets under a folder. Rejects with a UsageError if the folder or one of the files cannot be read. */
export const filesUnder = async (folder: string): Promise<DataFile[]> => {
  const wanted = (await namesUnder(folder)).filter(isDataFile).sort();
  const read = await Promise.all(
    wanted.map(async (path): Promise<DataFile[]> => {
      const text = await textAt(join(folder, path));
      return text === null ? [] : [{ path, text }];
    }),
  );
  return read.flat();
};

/** Files named in one message. */
const NAMED = 5;

/** Names the files under a folder that seem to be of a set and are not read; null if there are none. */
export const missedUnder = async (folder: string): Promise<string | null> => {
  const missed = (await namesUnder(folder)).filter(isMissed).sort();
  const more = missed.length - NAMED;
  const listed = missed.slice(0, NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '');
  return missed.length === 0 ? null : listed;
};

/** The paths in a folder, at whatever depth, with slashes. */
const namesUnder = async (folder: string): Promise<string[]> => {
  const names = await readdir(folder, { recursive: true }).catch((error) => {
    throw new UsageError(`The folder ${folder} cannot be read: ${errorMessage(error)}.`);
  });
  return names.map((name) => name.replaceAll('\\', '/'));
};

/** The text of a file; null for a folder that is named like one. */
const textAt = async (path: string): Promise<string | null> => {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EISDIR') return null;
    const why = errorMessage(error);
    throw new UsageError(
      `${path} cannot be read: ${why}. Allow reading it, split it if it is too long, or take it out.`,
    );
  }
};

/** Reads every labelled dialogue under a folder, in the public formats of the sets; missing sets are left out. */
export const readDataSets = async (folder: string): Promise<LabelledDialogue[]> => {
  const { sgd, tiage, cast2022, structflow, oasst, ntm } = readDataFiles(await filesUnder(folder));
  return [...ntm, ...sgd, ...tiage, ...cast2022, ...structflow, ...oasst];
};

const FOLDER = new URL('dialogues/', import.meta.url);
const EVERYDAY = new URL('everyday/', FOLDER);
const RESTLESS = new URL('restless/', FOLDER);
const SHORT = new URL('short/', FOLDER);
const WHOLE = new URL('whole/', FOLDER);

/** The dialogues written for Coppice, in file order. */
export const ownDialogues = async (): Promise<LabelledDialogue[]> => (await filesIn(FOLDER, '.json')).flatMap(readOwn);

/** Everyday conversations written for Coppice, other than those `everyday` is measured on, in file order. */
export const ownEveryday = (): Promise<LabelledDialogue[]> => everydayIn(EVERYDAY, 'everyday-own');

/** The same, of people who do several things at once: half of the messages return to another topic. */
export const ownRestless = (): Promise<LabelledDialogue[]> => everydayIn(RESTLESS, 'everyday-restless');

/** Short conversations written for Coppice that say little about their subjects, in file order. */
export const ownShort = (): Promise<LabelledDialogue[]> => everydayIn(SHORT, 'everyday-short');

/** The same in whole sentences and without replies: a message that returns could stand alone as well as a new one. */
export const ownWhole = (): Promise<LabelledDialogue[]> => everydayIn(WHOLE, 'everyday-whole');

const everydayIn = async (folder: URL, set: string): Promise<LabelledDialogue[]> =>
  (await filesIn(folder, '.jsonl')).flatMap(readEveryday).map((dialogue) => ({ ...dialogue, set }));

const filesIn = async (folder: URL, extension: string): Promise<string[]> => {
  const names = (await readdir(folder)).filter((name) => name.endsWith(extension)).sort();
  return Promise.all(names.map((name) => readFile(new URL(name, folder), 'utf8')));
};

const Dialogue = z.object({
  id: z.string(),
  /** Only the topic of each turn is labelled. */
  topics: z.optional(z.boolean()),
  turns: z.array(z.object({ message: z.string(), reply: z.nullable(z.string()), parent: z.nullable(z.int()) })),
});

/** Dialogues written for Coppice, in `dialogues/`. */
const readOwn = (text: string): LabelledDialogue[] =>
  itemsOf(text, Dialogue).map(({ id, topics = false, turns }) => ({
    set: topics ? 'coppice-services' : 'coppice',
    id,
    group: id,
    labels: topics ? 'topics' : 'parents',
    turns: turns.map((turn) => ({ ...turn, also: [], disputed: false })),
  }));

/** One in this many everyday conversations is taken: general questions are sent to every page that learns. */
const EVERYDAY_EACH = 16;

/**
 * The dialogues that the shipped general questions are made of, and those that simulations are measured on. Without everyday
 * conversations nothing would stop a person who splits topics more finely from splitting everyone's.
 */
export const shippedHalf = async (): Promise<LabelledDialogue[]> => [
  ...(await ownDialogues()).filter((_, at) => at % 2 === 0),
  ...(await ownEveryday()).filter((_, at) => at % EVERYDAY_EACH === 0),
];
export const measuredHalf = async (): Promise<LabelledDialogue[]> =>
  (await ownDialogues()).filter((_, at) => at % 2 === 1);
