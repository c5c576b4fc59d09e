/*
 * Counts how common English words are in dialogues: npm run count-words -- --data DIR. Writes what `engine/text/terms.ts` reads.
 * Only counts are kept, and only of words that occur in many dialogues.
 */
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { termsOf } from '../src/engine/text/terms.ts';
import { readTrainingSets } from './training-sets.ts';

const WRITTEN = new URL('../src/engine/text/common-words.json', import.meta.url);
/** Turns per stretch of a dialogue; a word counts once per stretch. */
const STRETCH = 8;
/** Minimum stretches that contain a word, and maximum words kept. */
const LEAST = 8;
const MOST = 2500;
/** Levels from the most common word to one in a single stretch. */
const LEVELS = 20;

const { values } = parseArgs({ options: { data: { type: 'string' } } });
if (values.data === undefined) throw new Error('usage: npm run count-words -- --data DIR');

const dialogues = (await readTrainingSets(values.data)).filter(
  ({ set, language = 'en' }) => language === 'en' && !/-(?:digressions|interleaved|quoted|recut)$/.test(set),
);
const stretches = dialogues.flatMap(({ turns }) =>
  Array.from({ length: Math.ceil(turns.length / STRETCH) }, (_, at) => turns.slice(at * STRETCH, (at + 1) * STRETCH)),
);
const having = new Map<string, number>();
for (const turns of stretches) {
  const words = new Set(
    turns.flatMap(({ message, reply }) => [...termsOf(`${message} ${(reply ?? '').slice(0, 600)}`, 'en').words.keys()]),
  );
  for (const word of words) having.set(word, (having.get(word) ?? 0) + 1);
}
const common = [...having].filter(([word, count]) => count >= LEAST && !/\d/.test(word)).sort((a, b) => b[1] - a[1]);
const levels = new Map<number, string[]>();
for (const [word, count] of common.slice(0, MOST)) {
  const level = Math.round((LEVELS * Math.log(stretches.length / count)) / Math.log(stretches.length));
  levels.set(level, [...(levels.get(level) ?? []), word]);
}
const rarity = Object.fromEntries([...levels].map(([level, words]) => [level / LEVELS, words.sort().join(' ')]));
await writeFile(WRITTEN, `${JSON.stringify(rarity, null, 1)}\n`);
process.stdout.write(`${stretches.length} stretches; wrote ${Math.min(MOST, common.length)} words\n`);
