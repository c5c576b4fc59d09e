import { type DataFile, type DataSets, readFiles } from '../datasets/data-files.ts';
import { BrokenLabels } from '../datasets/labelled-items.ts';
import { createBreather } from './breather.ts';
import { KINDS, type KindName, kindOf, mayBeRead, placeOf } from './file-kinds.ts';

/** Largest file that is read, in bytes: it is parsed in one go, which a page stands for about a second. */
const LARGEST = 64_000_000;

interface Given {
  readonly path: string;
  readonly size: number;
  text(): Promise<string>;
}

interface Going {
  progress(done: number, of: number, what: string): void;
  readonly signal: AbortSignal;
}

export interface ReadGiven {
  readonly data: DataSets;
  readonly leftOut: readonly { readonly path: string; readonly why: string }[];
  /** Of no kind that could be told. */
  readonly unknown: readonly string[];
}

/** A file that cannot be used; nothing of the others is then, either. */
export class BrokenFile extends Error {
  readonly path: string;
  readonly line: number | null;
  constructor(path: string, line: number | null, message: string) {
    super(message);
    this.path = path;
    this.line = line;
  }
}

/** A file in its place in a data folder, under the path it was given with. */
interface Placed extends DataFile {
  readonly given: string;
}

/** Reads files as they were given, one after the other. Throws BrokenFile, or what the signal says. */
export const readGiven = async (
  files: readonly Given[],
  told: ReadonlyMap<string, string | null>,
  { progress, signal }: Going,
): Promise<ReadGiven> => {
  const breathe = createBreather(signal);
  const placed: Placed[] = [];
  const leftOut: { path: string; why: string }[] = [];
  const unknown: string[] = [];
  for (const [done, file] of files.entries()) {
    const { path } = file;
    progress(done, files.length, path);
    await breathe();
    const why = unreadable(file, told);
    if (why !== null) {
      leftOut.push({ path, why });
      continue;
    }
    const text = await textOf(file);
    signal.throwIfAborted();
    const kind = KINDS.find(({ name }) => name === told.get(path))?.name ?? kindOf(path, text);
    if (kind === null) unknown.push(path);
    else if (placed.some((other) => other.path === placeOf(kind, path))) leftOut.push({ path, why: twice(kind) });
    else placed.push({ path: placeOf(kind, path), given: path, text });
  }

  // One at a time, so that the page stays awake; only conversations of NTM and labels, and questions and articles, need each other.
  const together = placed.filter(({ path }) => /^(?:ntm|multihop-rag)\//.test(path));
  const alone = placed.filter((file) => !together.includes(file));
  let data = readPlaced(together);
  for (const [done, file] of alone.entries()) {
    progress(files.length + done, files.length + alone.length, file.given);
    await breathe();
    data = joined(data, readPlaced([file]));
  }
  const labels = together.find(({ path }) => path === placeOf('ntm-labels', ''));
  if (labels !== undefined && data.ntm.length === 0) {
    leftOut.push({ path: labels.given, why: 'none of its conversations was given: add the .jsonl files of NTM' });
  }
  const articles = together.find(({ path }) => path === placeOf('multihop-rag-articles', ''));
  if (articles !== undefined && (data['multihop-rag'] ?? []).length === 0) {
    leftOut.push({ path: articles.given, why: 'no question about its articles was given: add MultiHopRAG.json' });
  }
  return { data, leftOut, unknown };
};

const unreadable = ({ path, size }: Given, told: ReadonlyMap<string, string | null>): string | null => {
  if (told.get(path) === null) return 'you left it out';
  if (!mayBeRead(path)) return 'not a .json or .jsonl file';
  return size > LARGEST ? `larger than ${LARGEST / 1_000_000} MB: split it` : null;
};

const twice = (kind: KindName): string =>
  kind === 'ntm-labels'
    ? 'there is another file of labels'
    : kind === 'multihop-rag-articles'
      ? 'there is another file of articles'
      : 'another file of the same set has this name';

const textOf = async (file: Given): Promise<string> => {
  try {
    return await file.text();
  } catch {
    throw new BrokenFile(
      file.path,
      null,
      'The browser could not read it. Check that it still exists and may be read, then give it again.',
    );
  }
};

const readPlaced = (files: readonly Placed[]): DataSets => {
  try {
    return readFiles(files);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const broken = files.find(({ path }) => message.startsWith(`${path}: `)) ?? files[0];
    if (broken === undefined || !(error instanceof BrokenLabels)) throw error;
    const said = message.replace(`${broken.path}: `, '');
    const line = /\bline (\d+)/i.exec(said)?.[1];
    throw new BrokenFile(broken.given, line === undefined ? null : Number(line), said);
  }
};

const joined = (one: DataSets, other: DataSets): DataSets => ({
  everyday: [...one.everyday, ...other.everyday],
  sgd: [...one.sgd, ...other.sgd],
  tiage: [...one.tiage, ...other.tiage],
  cast2022: [...one.cast2022, ...other.cast2022],
  structflow: [...one.structflow, ...other.structflow],
  oasst: [...one.oasst, ...other.oasst],
  ntm: [...one.ntm, ...other.ntm],
  rewrites: [...one.rewrites, ...other.rewrites],
  conversations: new Map([...one.conversations, ...other.conversations]),
  locomo: [...(one.locomo ?? []), ...(other.locomo ?? [])],
  realtalk: [...(one.realtalk ?? []), ...(other.realtalk ?? [])],
  'msc-e': [...(one['msc-e'] ?? []), ...(other['msc-e'] ?? [])],
  'multihop-rag': [...(one['multihop-rag'] ?? []), ...(other['multihop-rag'] ?? [])],
});
