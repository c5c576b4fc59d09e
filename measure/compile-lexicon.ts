import { readdir, readFile, writeFile } from 'node:fs/promises';
import { unpackLexicon } from '../src/models/embedded/lexicon.ts';
import { packLexicon } from './pack.ts';

/*
 * Packs the subjects under measure/lexicon (one per line: `name: term, term, …`) into the shipped lexicon: npm run
 * compile-lexicon.
 */

const FOLDER = new URL('lexicon/', import.meta.url);
const FILE = new URL('../src/models/embedded/lexicon.json', import.meta.url);

const lines: string[] = [];
for (const name of (await readdir(FOLDER)).sort()) {
  lines.push(...(await readFile(new URL(name, FOLDER), 'utf8')).split('\n'));
}
const subjects = lines.flatMap((line): [string, string][] => {
  const at = line.indexOf(':');
  return at < 0 ? [] : [[line.slice(0, at).trim(), line.slice(at + 1)]];
});
const packed = packLexicon(subjects);
await writeFile(FILE, `${JSON.stringify(packed)}\n`);
const { numberOf, members } = await unpackLexicon(packed);
console.log(`${subjects.length} subjects, ${numberOf.size} words, ${members.length} pairs`);
