import { baseName } from '../../../domain/attachment.ts';
import { BrokenLabels, type LabelledDialogue, type QuestionedDialogue, type QuestionedSets } from './dialogues.ts';
import { readRewrites, readSgd, readTiage, readTopiocqa } from './labelled-topics.ts';
import {
  readCast,
  readEveryday,
  readNtm,
  readNtmMessages,
  readOasst,
  readStructflow,
  readStudyGold,
} from './labelled-trees.ts';
import { readMultihopRag } from './multihop-rag.ts';
import { readLocomo, readRealtalk } from './numbered-sessions.ts';
import { readOwnConversations } from './own-conversations.ts';
import { longestChats, readImplexconv, readMsc, readMscE } from './two-speakers.ts';

/** How to read the files of a labelled set, which lie in a folder named after the set. */
interface LabelledSet {
  /** Matches the paths of the set's files in that folder. */
  readonly files: RegExp;
  /** Returns the dialogues of one file, called `name`. Throws BrokenLabels if it is not in the set's form. */
  readonly read: (text: string, name: string) => Iterable<LabelledDialogue>;
}

/** Every reader takes an array, lines or a single object. */
const JSON_FILE = /\.jsonl?$/;

/**
 * The labelled sets, by name. A new set needs one line here: what is measured on it follows from its labels unless
 * measurement/datasets.ts says otherwise.
 */
const LABELLED_SETS = {
  coppice: { files: JSON_FILE, read: readOwnConversations },
  everyday: { files: JSON_FILE, read: readEveryday },
  sgd: { files: JSON_FILE, read: readSgd },
  tiage: { files: JSON_FILE, read: readTiage },
  cast2022: { files: JSON_FILE, read: readCast },
  structflow: { files: JSON_FILE, read: readStructflow },
  oasst: { files: JSON_FILE, read: readOasst },
  rewrites: { files: JSON_FILE, read: readRewrites },
  study: { files: JSON_FILE, read: readStudyGold },
} as const satisfies Readonly<Record<string, LabelledSet>>;

type LabelledSetName = keyof typeof LABELLED_SETS;

/** Builds a record with one value for each set. */
export const ofEachSet = <T>(make: (name: LabelledSetName, set: LabelledSet) => T): Record<LabelledSetName, T> =>
  Object.fromEntries(
    Object.entries(LABELLED_SETS).map(([name, set]) => [name, make(name as LabelledSetName, set)]),
  ) as Record<LabelledSetName, T>;

/** A file of a data folder: its text, and its path within the folder, e.g. `sgd/dialogues_013.json`. */
export interface DataFile {
  readonly path: string;
  readonly text: string;
}

/** NTM keeps its labels in a separate file from its dialogues. */
type SetName = LabelledSetName | 'ntm';

/** The labelled dialogues of each set; empty if its folder is missing. */
export interface DataSets extends Readonly<Record<SetName, readonly LabelledDialogue[]>>, Partial<LargeSets> {
  /** Every dialogue of the NTM benchmark, labelled or not: user messages by dialogue id. */
  readonly conversations: ReadonlyMap<string, readonly string[]>;
}

/** Sets that may be too large for a page: those with questions, and TopiOCQA. */
interface LargeSets extends QuestionedSets {
  readonly topiocqa: readonly LabelledDialogue[];
}

type AnySetName = SetName | keyof LargeSets;

const ENDS: Readonly<Record<AnySetName, RegExp>> = {
  ...ofEachSet((_, { files }) => files),
  ntm: /\.jsonl$/,
  topiocqa: JSON_FILE,
  msc: /\.(?:txt|jsonl)$/,
  'msc-e': JSON_FILE,
  locomo: JSON_FILE,
  realtalk: JSON_FILE,
  'multihop-rag': JSON_FILE,
  implexconv: JSON_FILE,
};
/** What sets are published with besides their dialogues: SGD's services, and summaries of MSC's chats. */
const BESIDE: Readonly<Partial<Record<AnySetName, RegExp>>> = {
  sgd: /(?:^|\/)schema\.json$/,
  msc: /personasummary|\/summaries_/,
};
export const NTM_LABELS = 'ntm/labels.json';
/** The articles that the questions in the other files are about. */
const ARTICLES = 'multihop-rag/corpus.json';

/** Not in hidden folders. */
const LIKE_JSON = /^(?!(?:.*\/)?\.).*\.(?:jsonl?|ndjson)$/i;
const SETS = Object.keys(ENDS) as AnySetName[];

const isIn = (set: AnySetName, path: string): boolean => path.startsWith(`${set}/`);
const isBeside = (set: AnySetName, path: string): boolean => BESIDE[set]?.test(path) === true;
const isOf = (set: AnySetName, path: string): boolean =>
  isIn(set, path) && ENDS[set].test(path) && !isBeside(set, path);

/** Whether the file at this path in the data folder is one that is read. */
export const isDataFile = (path: string): boolean => path === NTM_LABELS || SETS.some((set) => isOf(set, path));

/**
 * Whether a file in the data folder is not read although it seems to be of a set: the set's folder lies deeper or is written
 * otherwise, or the file has another ending. In the page, the same folder would be measured with it.
 */
export const isMissed = (path: string): boolean => {
  const folders = path.toLowerCase().split('/').slice(0, -1);
  const set = folders.flatMap((folder) => SETS.find((one) => one === folder) ?? []).at(-1);
  return set !== undefined && LIKE_JSON.test(path) && !isDataFile(path) && !isBeside(set, path);
};

/** Whether the file at this path in the data folder was published with a set, but has none of its dialogues. */
export const isBesideDialogues = (path: string): boolean => SETS.some((set) => isIn(set, path) && isBeside(set, path));

/** Reads all files of a set with `read`. Throws BrokenLabels, which names the file and the line. */
export const itemsIn = <T>(
  files: readonly DataFile[],
  set: AnySetName,
  read: (text: string, name: string) => Iterable<T>,
): T[] =>
  files
    .filter(({ path }) => isOf(set, path))
    .flatMap((file) => [...named(file, () => read(file.text, baseName(file.path)))]);

/** Reads the sets in their public forms. Throws BrokenLabels, which names the file and the line. */
export const readDataFiles = (files: readonly DataFile[]): DataSets => {
  const of = <T>(set: AnySetName, read: (text: string, name: string) => Iterable<T>): T[] => itemsIn(files, set, read);
  const conversations = new Map(of('ntm', readNtmMessages));
  const labels = files.find(({ path }) => path === NTM_LABELS);
  return {
    ...ofEachSet((set, { read }) => of(set, read)),
    ntm: labels === undefined ? [] : named(labels, () => readNtm(conversations, labels.text)),
    conversations,
    topiocqa: of('topiocqa', readTopiocqa),
    msc: longestChats(of('msc', readMsc)),
    'msc-e': of('msc-e', (text, name) => readMscE(text, partOf(name))),
    locomo: of('locomo', readLocomo),
    realtalk: of('realtalk', (text, name) => readRealtalk(text, partOf(name))),
    'multihop-rag': multihopRagIn(files),
    implexconv: of('implexconv', readImplexconv),
  };
};

const multihopRagIn = (files: readonly DataFile[]): QuestionedDialogue[] => {
  const articles = files.find(({ path }) => path === ARTICLES);
  return files
    .filter((file) => isOf('multihop-rag', file.path) && file !== articles)
    .flatMap((file) =>
      named(file, () => {
        if (articles === undefined) throw new BrokenLabels(`its articles are not there: they belong in ${ARTICLES}.`);
        return readMultihopRag(articles.text, file.text);
      }),
    );
};

/** Returns the first `most` dialogues of each set. */
export const atMost = (data: DataSets, most: number): DataSets => {
  const cut = <T>(items: Iterable<T>): T[] => [...items].slice(0, most);
  const large: LargeSets = {
    topiocqa: cut(data.topiocqa ?? []),
    msc: cut(data.msc ?? []),
    'msc-e': cut(data['msc-e'] ?? []),
    locomo: cut(data.locomo ?? []),
    realtalk: cut(data.realtalk ?? []),
    // This is a single conversation: keep its first questions.
    'multihop-rag': cut(data['multihop-rag'] ?? []).map((one) => ({ ...one, questions: cut(one.questions) })),
    implexconv: cut(data.implexconv ?? []),
  };
  return {
    ...ofEachSet((set) => cut(data[set])),
    ntm: cut(data.ntm),
    ...large,
    conversations: new Map(cut(data.conversations)),
  };
};

/** A file's name without its extension. */
const partOf = (name: string): string => name.replace(/\.jsonl?$/, '');

const named = <T>({ path }: DataFile, read: () => T): T => {
  try {
    return read();
  } catch (error) {
    if (error instanceof BrokenLabels) throw new BrokenLabels(`${path}: ${error.message}`);
    throw error;
  }
};
