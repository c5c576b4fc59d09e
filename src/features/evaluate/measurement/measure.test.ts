import { beforeAll, describe, expect, test } from 'vitest';
import { glossedForEmbedder, loadGlossaries } from '../../../engine/text/glossary.ts';
import type { SentenceEncoder } from '../../../models/embedded/sentence-encoder.ts';
import { encoderFromDisk } from '../../../models/embedded/testing/models-from-disk.ts';
import { readDataFiles } from '../datasets/data-files.ts';
import { everydayFile } from '../in-page/testing/given.ts';
import type { VectorOf } from './embedded-texts.ts';
import { type Measurement, measure, textsToEmbed } from './measure.ts';
import { splitSize } from './need-metrics.ts';
import { reportOf } from './report.ts';
import { subjectsNamed, UnknownSubject } from './subjects.ts';

const jsonl = (...items: object[]) => items.map((item) => JSON.stringify(item)).join('\n');
const conversation = (id: string, ...messages: string[]) => ({
  conversation_id: id,
  user_turns: messages.map((content) => ({ content })),
});

/** A trip, an aside, and a return that also needs the aside. */
const TRIP = [
  'Plan a four-day hiking trip in the Dolomites for two people.',
  'Add a rest day at a lake to the hiking trip.',
  'Who composed the opera about the barber of Seville?',
  'Back to the hiking trip: which huts have half board?',
  'And what should we pack for it?',
];
const LONG = Array.from({ length: 11 }, (_, at) => `Tell me fact number ${at + 1} about the history of bridges.`);

const data = readDataFiles([
  { path: 'everyday/made.json', text: JSON.stringify(everydayFile) },
  { path: 'ntm/made.jsonl', text: jsonl(conversation('trip', ...TRIP), conversation('long', ...LONG)) },
  {
    path: 'ntm/labels.json',
    text: JSON.stringify([{ conversation_id: 'trip', parent: [0, 1, 0, 2, 4], also: { 5: [3] }, disputed: [3] }]),
  },
  {
    path: 'tiage/made.json',
    text: JSON.stringify({
      1: [
        ['I keep bees.', '-1'],
        ['How many hives?', '0'],
        ['Do you like opera?', '1'],
      ],
    }),
  },
]);

let encoder: SentenceEncoder;
let measured: Measurement;
const ticks: { done: number; of: number }[] = [];

beforeAll(async () => {
  encoder = await encoderFromDisk();
  const texts = [...textsToEmbed(data)];
  const vectors = await encoder.embed(texts);
  const vectorOf: VectorOf = (text) => vectors[texts.indexOf(text)] ?? new Float32Array(encoder.dimensions);
  const tokens = { name: 'use-lite-en', count: async (all: readonly string[]) => encoder.count(all) };
  measured = await measure(data, {
    vectorOf,
    embed: async (given) => given.map(vectorOf),
    tokens,
    subjects: subjectsNamed([], []),
    progress: (done, of) => {
      ticks.push({ done, of });
    },
  });
});

test('a conversation that only shows how contexts grow is embedded in its language as well', async () => {
  await loadGlossaries();
  const said = [
    'Mein Fahrrad quietscht bei jedem Tritt ganz furchtbar laut.',
    'Und die Bremse vorne schleift jetzt auch.',
  ];
  const text = jsonl(conversation('rad', ...said));
  const texts = textsToEmbed(readDataFiles([{ path: 'ntm/made.jsonl', text }]));
  for (const one of said) expect(texts).toContain(glossedForEmbedder(one, 'de'));
});

const figure = (dataset: string, mode: string, subject: string, metric: string) =>
  measured.rows.find(
    (row) => row.dataset === dataset && row.mode === mode && row.subject === subject && row.metric === metric,
  );

describe('the measurement on dialogues written for it', () => {
  test('monitor on always is right where the label says so', () => {
    expect(figure('ntm', 'teacher-forced', 'always-continue', 'accuracy')).toMatchObject({ value: 0.5, n: 4 });
    expect(figure('ntm-undisputed', 'teacher-forced', 'always-continue', 'accuracy')).toMatchObject({ n: 3 });
    expect(figure('ntm', 'free-running', 'always-continue', 'v-measure')).toMatchObject({ value: 0, n: 1 });
    expect(figure('tiage', 'teacher-forced', 'always-continue', 'shift-recall')).toMatchObject({ value: 0, n: 1 });
  });

  test('everyday talk is measured as a whole, in English and in other languages', () => {
    const of = (dataset: string, metric: string) => figure(dataset, 'free-running', 'always-continue', metric);
    expect(of('everyday', 'accuracy')).toMatchObject({ value: 1 / 3, n: 3 });
    expect(of('everyday-en', 'accuracy')).toMatchObject({ value: 0, n: 2 });
    expect(of('everyday-other', 'accuracy')).toMatchObject({ value: 1, n: 1 });
    // Pairs of turns that should share a topic: one each. The first dialogue, placed in one topic, has three.
    expect(of('everyday-en', 'pairwise-f1')).toMatchObject({ value: 2 / 4, n: 1 });
    expect(of('everyday-other', 'pairwise-f1')).toMatchObject({ value: 1, n: 1 });
    expect(of('everyday', 'share-flagged')).toMatchObject({ value: 0, n: 3 });
  });

  test('the full history has every turn that is built on, at its full price; an oracle pays less', () => {
    for (const mode of ['teacher-forced', 'free-running']) {
      expect(figure('ntm', mode, 'full-history', 'path-and-reference-recall')).toMatchObject({
        value: 1,
        // Only one dialogue has such turns.
        low: Number.NaN,
        high: Number.NaN,
      });
      expect(figure('ntm', mode, 'full-history', 'path-and-reference-oracle-tokens-ratio')?.value).toBeLessThan(1);
      expect(figure('ntm', mode, 'full-history', 'context-tokens-ratio')).toMatchObject({ value: 1 });
    }
  });

  test('at equal tokens nothing costs more than context-agent', () => {
    const own = figure('ntm', 'free-running', 'context-agent', 'context-tokens-ratio')?.value ?? 0;
    for (const subject of ['truncation-equal-tokens', 'flat-rag-equal-tokens']) {
      const other = figure('ntm', 'free-running', subject, 'context-tokens-ratio')?.value ?? 2;
      expect(other).toBeLessThanOrEqual(own + 1e-9);
    }
  });

  test('context lengths are of every dialogue that is long enough, labelled or not', () => {
    const row = figure('ntm', '', 'full-history', 'act-10-turns');
    // Turns two to ten of the only dialogue with ten turns; half of them have five or more messages with their replies.
    expect(row?.n).toBe(9);
    expect(row?.value).toBeGreaterThan(100);
    expect(figure('ntm', '', 'full-history', 'act-15-turns')).toBeUndefined();
  });

  test('every decision is kept with what was right', () => {
    const own = measured.decisions.filter(
      ({ dataset, mode, subject }) => dataset === 'ntm' && mode === 'teacher-forced' && subject === 'always-continue',
    );
    expect(own.map(({ turn, gold, predicted }) => [turn, gold.topic, gold.parent, predicted.parent])).toEqual([
      [1, 'continue-topic', 0, 0],
      [2, 'create-topic', null, 1],
      [3, 'switch-topic', 1, 2],
      [4, 'continue-topic', 3, 3],
    ]);
    expect(own.map(({ disputed }) => disputed)).toEqual([false, true, false, false]);
  });

  test('progress reaches its end', () => {
    expect(ticks.at(-1)).toEqual({ done: ticks[0]?.of, of: ticks[0]?.of });
  });

  test('the report has the tables, a legend for each metric, and no text of any dialogue', () => {
    const circumstances = { command: 'npm run eval', date: new Date('2026-11-22'), versions: ['Node 20'] };
    const report = reportOf(measured, circumstances);
    expect(report).toContain('Made on 22 November 2026 by `npm run eval`');
    for (const { metric } of measured.rows) expect(report).toContain(`- \`${splitSize(metric).name}\`: `);
    expect(report).toMatch(/## In short\n\n\| set, metric.*\n.*\n\| everyday, topic-macro-f1/);
    expect(report).toMatch(/\| everyday, pairwise-f1 .* (?:calibrated|threshold|always-continue) \|\n/);
    expect(reportOf(measured, circumstances, { short: '' })).not.toContain('## In short');
    for (const message of [...TRIP, ...LONG]) expect(report).not.toContain(message);
    // Turns whose place nobody labelled are no mistakes.
    const unlabelled = { ...measured, decisions: measured.decisions.map((one) => ({ ...one, labelled: false })) };
    expect(reportOf(unlabelled, circumstances)).not.toContain('Topic actions');
  });
});

test('a name that nobody has is told with the names there are', () => {
  expect(() => subjectsNamed(['lerned'], [])).toThrow(UnknownSubject);
  expect(() => subjectsNamed(['lerned'], [])).toThrow(/“lerned”.*learned, calibrated, threshold, always-continue/);
  expect(() => subjectsNamed([], ['none'])).toThrow(/“none”.*context-agent, .*flat-rag-equal-tokens/);
  expect(subjectsNamed(['threshold'], ['truncation']).placings.map(({ subject }) => subject)).toEqual(['threshold']);
});
