import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { interleave } from './interleave.ts';
import type { LabelledDialogue } from './labelled-dialogue.ts';
import { readCast } from './read-cast.ts';
import { readNtm } from './read-ntm.ts';
import { readOasst } from './read-oasst.ts';
import { readSgd } from './read-sgd.ts';
import { readStructflow } from './read-structflow.ts';
import { readTiage } from './read-tiage.ts';

/** Longest mixed dialogue, in turns; NTM has up to 26. */
const LONGEST_MIX = 26;
/** Threads in one mixed dialogue: two main ones, or one and what it digresses to. */
const RUN_THREADS = 3;
const DIGRESSIONS = 8;

/** Every labelled dialogue under a folder in the public forms of the sets; a set that is not there is left out. */
export const readDataSets = async (folder: string): Promise<LabelledDialogue[]> => {
  const files = async (set: string, end: string): Promise<{ name: string; text: string }[]> => {
    const names = await readdir(join(folder, set)).catch(() => []);
    const wanted = names.filter((name) => name.endsWith(end)).sort();
    return Promise.all(wanted.map(async (name) => ({ name, text: await readFile(join(folder, set, name), 'utf8') })));
  };
  const parse = <T>({ name, text }: { name: string; text: string }, read: (text: string) => T): T => {
    try {
      return read(text);
    } catch (cause) {
      throw new Error(`${name} is not in the expected form`, { cause });
    }
  };
  const json = async (set: string, read: (json: unknown, name: string) => LabelledDialogue[]) =>
    (await files(set, '.json')).flatMap((file) => parse(file, (text) => read(JSON.parse(text), file.name)));

  const labels = await files('ntm', 'labels.json');
  const ntm = labels.length === 0 ? [] : await files('ntm', '.jsonl');
  const oasst = (await files('oasst', '.jsonl')).flatMap((file) => parse(file, readOasst));
  const cast = await json('cast2022', readCast);
  const structflow = await json('structflow', readStructflow);
  return [
    ...ntm.flatMap((file) => parse(file, (text) => readNtm(text, JSON.parse(labels[0]?.text ?? '[]')))),
    ...(await json('sgd', readSgd)),
    ...(await json('tiage', readTiage)),
    ...cast,
    ...structflow,
    ...oasst,
    ...mixes(cast, oasst, structflow),
  ];
};

/** Conversations over several topics, mixed from threads of one topic each. Every thread is in one mix of a kind. */
const mixes = (...sets: readonly LabelledDialogue[][]): LabelledDialogue[] => {
  const openers = sets.flat().map((dialogue) => ({ ...dialogue, turns: dialogue.turns.slice(0, 1) }));
  return sets.flatMap((threads, kind) => {
    const made: LabelledDialogue[] = [];
    for (let at = 0; at + RUN_THREADS <= threads.length; at += RUN_THREADS) {
      made.push(interleave(threads.slice(at, at + RUN_THREADS), 'runs', at, LONGEST_MIX));
    }
    for (const [at, main] of threads.entries()) {
      const start = (at * DIGRESSIONS + kind) % openers.length;
      const aside = openers.filter(({ id }) => id !== main.id).slice(start, start + DIGRESSIONS);
      if (main.turns.length >= 3) made.push(interleave([main, ...aside], 'digressions', at, LONGEST_MIX));
    }
    return made;
  });
};
