import { baseName } from '../../../domain/attachment.ts';
import { errorMessage } from '../../../engine/model-failure.ts';
import { createYielder } from '../../../engine/tasks.ts';
import { type DataFile, type DataSets, isBesideDialogues, ofEachSet, readDataFiles } from '../datasets/data-files.ts';
import { BrokenLabels } from '../datasets/dialogues.ts';
import type { GivenFile, TaskMonitor } from './evaluation-port.ts';

/** Maximum file size, in bytes: a file is parsed in one go, which blocks the page for about a second. */
const LARGEST = 64_000_000;

export interface ReadFiles {
  readonly data: DataSets;
  readonly leftOut: readonly { readonly path: string; readonly why: string }[];
  /** Files whose kind could not be recognised. */
  readonly unknown: readonly string[];
}

/** A file that cannot be used; the other files are then not used either. */
export class BrokenFile extends Error {
  readonly path: string;
  readonly line: number | null;
  constructor(path: string, line: number | null, message: string) {
    super(message);
    this.path = path;
    this.line = line;
  }
}

/** A file at its place in a data folder, with its original path. */
interface PlacedFile extends DataFile {
  readonly given: string;
}

/** Reads the given files one at a time. Throws BrokenFile, or the signal's reason. */
export const readUploads = async (
  files: readonly GivenFile[],
  namedKinds: ReadonlyMap<string, string | null>,
  { progress, signal }: TaskMonitor,
): Promise<ReadFiles> => {
  const breathe = createYielder(() => performance.now(), signal);
  const placed: PlacedFile[] = [];
  const leftOut: { path: string; why: string }[] = [];
  const unknown: string[] = [];
  for (const [done, file] of files.entries()) {
    const { path } = file;
    progress(done, files.length, path);
    await breathe();
    const why = unreadable(file, namedKinds);
    if (why !== null) {
      leftOut.push({ path, why });
      continue;
    }
    const text = await textOf(file);
    signal.throwIfAborted();
    const kind = KINDS.find(({ name }) => name === namedKinds.get(path))?.name ?? fileKindOf(path, text);
    if (kind === null) unknown.push(path);
    else if (isBesideDialogues(pathInData(kind, path))) leftOut.push({ path, why: BESIDE });
    else if (placed.some((other) => other.path === pathInData(kind, path))) leftOut.push({ path, why: twice(kind) });
    else placed.push({ path: pathInData(kind, path), given: path, text });
  }

  // As `npm run eval` reads a folder: which threads are mixed depends on the order, and so do intervals.
  placed.sort((a, b) => (a.path < b.path ? -1 : 1));
  // One at a time to keep the page responsive; only NTM's conversations and labels, and questions and articles, depend on
  // each other.
  const together = placed.filter(({ path }) => /^(?:ntm|multihop-rag)\//.test(path));
  const alone = placed.filter((file) => !together.includes(file));
  let data = readPlaced(together);
  for (const [done, file] of alone.entries()) {
    progress(files.length + done, files.length + alone.length, file.given);
    await breathe();
    const own = readPlaced([file]);
    if (file.path.startsWith('coppice/') && own.coppice.length === 0)
      leftOut.push({ path: file.given, why: UNLABELLED });
    data = joined(data, own);
  }
  const labels = together.find(({ path }) => path === pathInData('ntm-labels', ''));
  if (labels !== undefined && data.ntm.length === 0) {
    leftOut.push({ path: labels.given, why: 'none of its conversations was given: add the .jsonl files of NTM' });
  }
  const articles = together.find(({ path }) => path === pathInData('multihop-rag-articles', ''));
  if (articles !== undefined && (data['multihop-rag'] ?? []).length === 0) {
    leftOut.push({ path: articles.given, why: 'no question about its articles was given: add MultiHopRAG.json' });
  }
  return { data, leftOut, unknown };
};

const unreadable = ({ path, size }: GivenFile, namedKinds: ReadonlyMap<string, string | null>): string | null => {
  if (namedKinds.get(path) === null) return 'you skipped it';
  if (!mayBeRead(path)) return 'not a .json or .jsonl file';
  return size > LARGEST ? `larger than ${LARGEST / 1_000_000} MB: split it` : null;
};

const BESIDE = 'it comes with the dialogues of its set, but has none';

const UNLABELLED =
  'you have confirmed or corrected none of its turns: do so for some (“Confirm”, “Change”), then export it again';

const twice = (kind: KindName): string =>
  kind === 'ntm-labels'
    ? 'there is another file of labels'
    : kind === 'multihop-rag-articles'
      ? 'there is another file of articles'
      : 'another file of the same set has this name';

const textOf = async (file: GivenFile): Promise<string> => {
  try {
    return await file.text();
  } catch {
    throw new BrokenFile(
      file.path,
      null,
      'The browser could not read it. Check that it still exists and that you have permission to read it, then add it again.',
    );
  }
};

const readPlaced = (files: readonly PlacedFile[]): DataSets => {
  try {
    return readDataFiles(files);
  } catch (error) {
    const message = errorMessage(error);
    const broken = files.find(({ path }) => message.startsWith(`${path}: `)) ?? files[0];
    if (broken === undefined || !(error instanceof BrokenLabels)) throw error;
    const said = message.replace(`${broken.path}: `, '');
    const line = /\bline (\d+)/i.exec(said)?.[1];
    throw new BrokenFile(broken.given, line === undefined ? null : Number(line), said);
  }
};

const joined = (one: DataSets, other: DataSets): DataSets => ({
  ...ofEachSet((set) => [...one[set], ...other[set]]),
  ntm: [...one.ntm, ...other.ntm],
  conversations: new Map([...one.conversations, ...other.conversations]),
  locomo: [...(one.locomo ?? []), ...(other.locomo ?? [])],
  realtalk: [...(one.realtalk ?? []), ...(other.realtalk ?? [])],
  'msc-e': [...(one['msc-e'] ?? []), ...(other['msc-e'] ?? [])],
  'multihop-rag': [...(one['multihop-rag'] ?? []), ...(other['multihop-rag'] ?? [])],
});

/** The kind of a file in a data folder. */
type KindName =
  | 'coppice'
  | 'everyday'
  | 'study'
  | 'ntm'
  | 'ntm-labels'
  | 'sgd'
  | 'tiage'
  | 'cast2022'
  | 'structflow'
  | 'oasst'
  | 'rewrites'
  | 'locomo'
  | 'realtalk'
  | 'msc-e'
  | 'multihop-rag'
  | 'multihop-rag-articles';

interface Kind {
  readonly name: KindName;
  readonly about: string;
  /** Where they lie in a data folder. */
  readonly files: string;
  /** Matches text found only in files of this kind. */
  readonly shape: RegExp;
  /** Matches names that files of this kind often have. */
  readonly called: RegExp;
}

export const KINDS: readonly Kind[] = [
  {
    name: 'coppice',
    about: 'Coppice’s own export (Coppice log), measured against your corrections',
    files: 'coppice/*.jsonl',
    shape: /^\s*\{"coppice":\s*"conversation"/,
    called: /\.coppice\b/,
  },
  {
    name: 'everyday',
    about: 'Everyday talk: parents, in several languages',
    files: 'everyday/*.json',
    // `"parent": 3`, which no other set has, and the conversation's language.
    shape: /^(?=[\s\S]*"lang"\s*:)[\s\S]*"parent"\s*:\s*\d/,
    called: /\beveryday\b/,
  },
  {
    name: 'study',
    about: 'Gold of a study: what people agreed on',
    files: 'study/*.jsonl',
    shape: /"format"\s*:\s*"coppice-gold"/,
    called: /\.gold\b/,
  },
  {
    name: 'ntm',
    about: 'NTM: conversations of user turns',
    files: 'ntm/*.jsonl',
    shape: /"user_turns"\s*:/,
    called: /\bntm\b/,
  },
  {
    name: 'ntm-labels',
    about: 'NTM: labels of parents',
    files: 'ntm/labels.json',
    shape: /"parent"\s*:\s*\[/,
    called: /^labels\b/,
  },
  {
    name: 'sgd',
    about: 'Schema-Guided Dialogue: services',
    files: 'sgd/*.json',
    shape: /"frames"\s*:\s*\[/,
    called: /\bsgd\b|^dialogues_\d+/,
  },
  {
    name: 'tiage',
    about: 'TIAGE: topic shifts in small talk',
    files: 'tiage/*.json',
    shape: /,\s*"(?:-1|0|1)"\s*\]/,
    called: /\btiage\b|^anno_/,
  },
  {
    name: 'cast2022',
    about: 'TREC CAsT 2022: trees of one topic',
    files: 'cast2022/*.json',
    shape: /"participant"\s*:/,
    called: /\bcast/,
  },
  {
    name: 'structflow',
    about: 'StructFlowBench: relations between turns',
    files: 'structflow/*.json',
    shape: /"whole_conv"\s*:/,
    called: /\bstructflow/,
  },
  {
    name: 'oasst',
    about: 'OpenAssistant: message trees',
    files: 'oasst/*.jsonl',
    shape: /"message_tree_id"\s*:/,
    called: /\boasst\b/,
  },
  {
    name: 'rewrites',
    about:
      'Rewrites of TREC CAsT and iKAT, converted: a conversation per line, its turns with message, rewrite and reply',
    files: 'rewrites/*.jsonl',
    shape: /"rewrite"\s*:/,
    called: /\brewrites?\b/,
  },
  {
    name: 'locomo',
    about: 'LoCoMo: long chats, and questions with evidence',
    files: 'locomo/*.json',
    shape: /"sample_id"\s*:/,
    called: /\blocomo/,
  },
  {
    name: 'realtalk',
    about: 'REALTALK: chats of three weeks, and questions with evidence',
    files: 'realtalk/*.json',
    shape: /"speaker_1"\s*:/,
    called: /^chat_\d+_/,
  },
  {
    name: 'msc-e',
    about: 'MSC-E: chats of 200 rounds, and questions',
    files: 'msc-e/*.json or .jsonl',
    shape: /^(?=[\s\S]*"dialogue"\s*:)[\s\S]*"(?:questions|response)"\s*:/,
    called: /\bmsc-?e\b/,
  },
  {
    name: 'multihop-rag',
    about: 'MultiHop-RAG: questions that need several articles',
    files: 'multihop-rag/MultiHopRAG.json',
    shape: /"evidence_list"\s*:/,
    called: /^multihop-?rag/,
  },
  {
    name: 'multihop-rag-articles',
    about: 'MultiHop-RAG: the articles',
    files: 'multihop-rag/corpus.json',
    shape: /^(?![\s\S]*"evidence_list"\s*:)[\s\S]*"published_at"\s*:/,
    called: /^corpus\b/,
  },
];

const ARTICLES = 'corpus.json';

/** Characters of a file that are inspected: more than the first dialogue of any set. */
const LOOKED_AT = 200_000;
const READ = /\.(?:json|jsonl|ndjson)$/i;

/** Whether a file's name allows it to be one of the kinds. */
export const mayBeRead = (path: string): boolean => READ.test(path) && !/(?:^|\/)\./.test(path);

/** Determines a file's kind by the nearest folder that is named like one, then its shape, then its name; null if none of them is conclusive. */
export const fileKindOf = (path: string, text: string): KindName | null => {
  const folders = path.toLowerCase().split('/').slice(0, -1);
  const name = baseName(path);
  const folder = folders.flatMap((one) => KINDS.find((kind) => kind.name === one)?.name ?? []).at(-1);
  if (folder === 'ntm') return name === 'labels.json' ? 'ntm-labels' : 'ntm';
  if (folder === 'multihop-rag') return name === ARTICLES ? 'multihop-rag-articles' : 'multihop-rag';
  if (folder !== undefined) return folder;
  const head = text.slice(0, LOOKED_AT);
  const shaped = KINDS.filter(({ shape }) => shape.test(head));
  // Whatever else the text contains: only Coppice’s own files start like this.
  if (shaped[0]?.name === 'coppice') return 'coppice';
  if (shaped.length === 1) return shaped[0]?.name ?? null;
  return KINDS.find(({ called }) => called.test(name.toLowerCase()))?.name ?? null;
};

/** The path that a file of this kind has in a data folder. Names matter: some sets derive dialogue names from them. */
export const pathInData = (kind: KindName, path: string): string => {
  if (kind === 'ntm-labels') return 'ntm/labels.json';
  if (kind === 'multihop-rag-articles') return `multihop-rag/${ARTICLES}`;
  const end = KINDS.find(({ name }) => name === kind)?.files.endsWith('*.jsonl') ? '.jsonl' : '.json';
  return `${kind}/${baseName(path).replace(READ, '')}${end}`;
};
