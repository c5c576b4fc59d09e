import type { LabelledDialogue } from './dialogues.ts';
import { readRewrites, readSgd, readTiage } from './labelled-topics.ts';
import { readCast, readEveryday, readOasst, readStructflow, readStudyGold } from './labelled-trees.ts';
import { readOwnConversations } from './own-conversations.ts';

/** How the files of a labelled set are read. They lie in a folder of the set's name. */
interface LabelledSet {
  /** Which files of the folder, by their paths. */
  readonly files: RegExp;
  /** The dialogues of one file; throws BrokenLabels where it is not in the set's form. `name` is the file's. */
  readonly read: (text: string, name: string) => Iterable<LabelledDialogue>;
}

/**
 * The labelled sets, by name. A new one is a line here: what is measured on it follows from what its dialogues say is labelled, where
 * measurement/datasets.ts has nothing particular for it.
 */
export const LABELLED_SETS = {
  coppice: { files: /\.jsonl$/, read: readOwnConversations },
  everyday: { files: /\.json$/, read: readEveryday },
  sgd: { files: /\.json$/, read: readSgd },
  tiage: { files: /\.json$/, read: readTiage },
  cast2022: { files: /\.json$/, read: readCast },
  structflow: { files: /\.json$/, read: readStructflow },
  oasst: { files: /\.jsonl$/, read: readOasst },
  rewrites: { files: /\.jsonl$/, read: readRewrites },
  study: { files: /\.jsonl$/, read: readStudyGold },
} as const satisfies Readonly<Record<string, LabelledSet>>;

export type LabelledSetName = keyof typeof LABELLED_SETS;

/** Something of each of the sets. */
export const ofEachSet = <T>(make: (name: LabelledSetName, set: LabelledSet) => T): Record<LabelledSetName, T> =>
  Object.fromEntries(
    Object.entries(LABELLED_SETS).map(([name, set]) => [name, make(name as LabelledSetName, set)]),
  ) as Record<LabelledSetName, T>;
