import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { PROVENANCE } from '../../../app/provenance.ts';
import { printLog } from '../../../app/testing/conversation-files.ts';
import type { Entry } from '../../../domain/entry.ts';
import { emptyForest } from '../../../domain/forest.ts';
import { Life, lives } from '../../../domain/testing/random-life.ts';
import type { WriteOptions } from '../write/writer.ts';
import { coppiceLog } from '../write/writers.ts';
import { readLog, readLogFile } from './coppice-log.ts';

const logOf = (life: Life): readonly Entry[] => life.entries;
const aTalk = (): Life => {
  const life = new Life();
  const root = life.say(null, 'hi');
  life.say(root, 'and then?');
  life.say(null, 'something else');
  return life;
};
const linesOf = (entries: readonly Entry[]): string[] => printLog('A talk', entries).trimEnd().split('\n');
const failureOf = (lines: readonly string[]) => {
  const parsed = readLog(lines.join('\n'));
  return parsed.ok ? null : parsed.failure;
};
/** The lines with one entry changed; `line` counts as in the file. */
const spoilt = (line: number, change: (entry: Entry) => unknown): string[] => {
  const lines = linesOf(aTalk().entries);
  lines[line - 1] = JSON.stringify(change(JSON.parse(lines[line - 1] ?? '') as Entry));
  return lines;
};

test('printing and parsing again loses nothing', () => {
  fc.assert(
    fc.property(lives, fc.string({ unit: 'binary' }), (moves, words) => {
      const life = new Life();
      life.say(null, words);
      for (const move of moves) life.live(move);
      const entries = logOf(life);
      expect(readLog(printLog(words, entries))).toEqual({
        ok: true,
        value: { title: words, entries },
      });
    }),
  );
});

test('an export begins with what it is, and has an entry a line', () => {
  const [header, ...entries] = linesOf(aTalk().entries);
  expect(JSON.parse(header ?? '')).toEqual({
    coppice: 'conversation',
    version: 1,
    title: 'A talk',
    exportedAt: 1_700_000_000_000,
    entries: entries.length,
    madeBy: PROVENANCE,
  });
});

test('an empty conversation can be exported and read', () => {
  expect(readLog(printLog('', []))).toEqual({
    ok: true,
    value: { title: '', entries: [] },
  });
});

test.each([
  [
    'an entry of the wrong type',
    spoilt(3, (entry) => ({ ...entry, at: 'noon' })),
    3,
    '"at" to be a number, found "noon"',
  ],
  [
    'an event nobody knows',
    spoilt(2, (entry) => ({ ...entry, event: { type: 'exploded' } })),
    2,
    '"type" to be of a known kind',
  ],
  ['a gap', linesOf(aTalk().entries).toSpliced(3, 1), 4, '"seq" to be 3, found 4'],
  ['a lost end', linesOf(aTalk().entries).slice(0, -1), 1, '6 entries to follow, found 5'],
  [
    'a line cut short',
    [...linesOf(aTalk().entries).slice(0, -1), '{"v":1,"seq"'],
    7,
    'a colon after the name, found the end',
  ],
  [
    'a turn under a turn that is not there',
    spoilt(5, (entry) => ({
      ...entry,
      event: { ...entry.event, placement: { treeId: 'i1', branchId: 'b', parentId: 'nobody' } },
    })),
    5,
    'an entry that fits those before it',
  ],
  [
    'an id that every object has',
    spoilt(2, (entry) => ({ ...entry, event: { ...entry.event, nodeId: '__proto__' } })),
    2,
    '"nodeId" to be an id that is free to be used as a key, found "__proto__"',
  ],
] as const)('%s is named with its line', (_, lines, line, what) => {
  expect(failureOf(lines)).toEqual({
    line,
    message: expect.stringContaining(`Line ${line}: expected ${what}`),
  });
});

/** As browsers are with a file of more than half a gigabyte: it cannot be read at once. */
class Huge extends Blob {
  override text(): never {
    throw new RangeError('It is too long for a string.');
  }
}

const logWithFiles = (files: ReadonlyMap<string, string>) => {
  const { entries } = aTalk();
  const conversation = { id: 'c', title: 'A talk', entries, forest: emptyForest(), files };
  const inks = {} as WriteOptions['inks'];
  return { entries, lines: [...coppiceLog.write(conversation, { scope: 'forest', inks, now: 0 })] };
};
const readFile = async (lines: readonly string[]) => {
  const files: [string, string, string][] = [];
  const waiting: Promise<unknown>[] = [];
  const read = await readLogFile(new Huge([lines.join('\n')]), (id, bytes) => {
    waiting.push(bytes.text().then((text) => files.push([id, bytes.type, text])));
  });
  await Promise.all(waiting);
  return { read, files };
};

test('files that came with messages follow the log, and are read one by one; damaged ones are left out', async () => {
  const [hash, other] = ['ab'.repeat(32), 'cd'.repeat(32)];
  const { entries, lines } = logWithFiles(
    new Map([
      [hash, 'data:text/plain;base64,aGk='],
      [other, 'data:no-comma'],
    ]),
  );
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ version: 2, entries: entries.length });
  const read = { ok: true, value: { title: 'A talk', entries } };
  expect(await readFile(lines)).toEqual({ read, files: [[hash, 'text/plain', 'hi']] });
  const spoiltFile = [...lines.slice(0, -2), JSON.stringify({ file: '../etc', data: 'data:,x' })];
  expect(await readFile(spoiltFile)).toEqual({ read, files: [] });
});

test('a fault is named with its line, also among files and where a file is cut off', async () => {
  const { lines } = logWithFiles(new Map([['ab'.repeat(32), 'data:text/plain;base64,aGk=']]));
  const cut = await readFile([...lines.slice(0, -1), lines.at(-1)?.slice(0, -20) ?? '']);
  expect(cut.read).toMatchObject({ ok: false, failure: { line: lines.length } });
  const moved = await readFile([lines[0] ?? '', lines.at(-1) ?? '', '{}', ...lines.slice(1, -1)]);
  expect(moved.read).toMatchObject({ ok: false, failure: { line: 3 } });
});

test('a file or an entry of a newer version is told apart from a broken one', () => {
  const [header, ...entries] = linesOf(aTalk().entries);
  const newerFile = [(header ?? '').replace('"version":1', '"version":3'), ...entries];
  expect(failureOf(newerFile)).toMatchObject({ line: 1, message: expect.stringContaining('newer Coppice') });
  expect(failureOf(spoilt(4, (entry) => ({ ...entry, v: 2 })))).toMatchObject({
    line: 4,
    message: expect.stringContaining('newer Coppice'),
  });
});

test('a conversation larger than other files may be can still be read', () => {
  const life = new Life();
  life.say(null, 'x'.repeat(21 * 1024 * 1024));
  expect(readLog(printLog('', life.entries)).ok).toBe(true);
});
