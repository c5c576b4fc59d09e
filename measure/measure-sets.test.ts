import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readDataFiles } from '../src/features/evaluate/datasets/data-files.ts';
import { subjectsNamed } from '../src/features/evaluate/measurement/subjects.ts';
import { filesUnder } from './dialogues-on-disk.ts';
import { measureOnThreads, measureSets, setsIn } from './measure-sets.ts';

const everyday = {
  id: 'soup',
  lang: 'en',
  turns: [
    ['Which soup can be frozen for a month?', 'Lentil soup keeps well.', 0],
    ['My bike squeaks when it is wet outside', 'Oil the chain.', 0],
    ['back to the soup: with cream?', 'Add the cream later.', 1],
  ].map(([message, reply, parent]) => ({ message, reply, parent, needs: [] })),
};
const tiage = {
  '1': [
    ['I keep bees.', '-1'],
    ['How many?', '0'],
    ['Six hives by the river.', '0'],
    ['Did you see the match?', '1'],
  ],
};

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coppice-sets-'));
  for (const [set, content] of [
    ['everyday/a.json', [everyday]],
    ['tiage/anno_dev.json', tiage],
  ] as const) {
    await mkdir(join(folder, set, '..'), { recursive: true });
    await writeFile(join(folder, set), JSON.stringify(content));
  }
});
afterAll(() => rm(folder, { recursive: true }));

test('sets that are measured on threads of their own come to what they come to one after the other', async () => {
  const names = ['full-history', 'focused'];
  const order = { folder, most: null, deciders: ['learned'], policies: names, needsOnly: false };
  const data = readDataFiles(await filesUnder(folder));
  const one = await measureSets(data, subjectsNamed(order.deciders, names), false, new Set());
  const told: string[] = [];
  const many = await measureOnThreads(order, setsIn(data, false), (done, of, what) =>
    told.push(`${done}/${of} ${what}`),
  );
  const sorted = (rows: typeof one.rows) => rows.map((row) => JSON.stringify(row)).sort();
  expect(one.rows.length).toBeGreaterThan(20);
  expect(sorted(many.rows)).toEqual(sorted(one.rows));
  expect(new Set(many.datasets)).toEqual(new Set(one.datasets));
  expect(many.decisions).toHaveLength(one.decisions.length);
  expect(told).toHaveLength(2);
});
