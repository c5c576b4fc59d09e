import { beforeAll, describe, expect, test } from 'vitest';
import { ModelFailure } from '../../../engine/model-failure.ts';
import type { Decider, Embedder } from '../../../engine/ports.ts';
import { encoderFromDisk } from '../../../models/embedded/testing/models-from-disk.ts';
import { alwaysContinue } from '../../../models/embedded/what-if-deciders.ts';
import { USE_LITE_THETA } from '../../../models/runtimes/embedding.ts';
import { memoryStorage } from '../../../storage/memory-storage.ts';
import { trainedWords } from '../files.tsx';
import { hashOf } from '../held-out/seen-dialogues.ts';
import seen from '../held-out/weights/seen.json';
import { createEvaluation } from './evaluation.ts';
import { given, monitor, ntmLabels, ntmLines, rewriteLines, sgdFile, tiageFile } from './testing/given.ts';

const BASELINES = { deciders: ['always-continue', 'threshold'], policies: [] };
const files = [
  given('sgd/one.json', sgdFile),
  given('tiage/dev.json', tiageFile),
  given('all.jsonl', ntmLines),
  given('labels.json', ntmLabels),
];

const userAgent = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36';

let embed: Embedder;
let embedded: string[] = [];
const tokens = {
  name: 'words',
  count: async (texts: readonly string[]) => texts.map((text) => text.split(' ').length),
};

beforeAll(async () => {
  const encoder = await encoderFromDisk();
  embed = {
    name: 'use-lite-en int8',
    dimensions: encoder.dimensions,
    theta: USE_LITE_THETA,
    embed: async (texts) => {
      embedded.push(...texts);
      return encoder.embed(texts);
    },
  };
});

type Cache = Pick<ReturnType<typeof memoryStorage>, 'readVectors' | 'saveVectors'>;

const evaluationWith = (own: Decider | null, leaves = false, cache: Cache = memoryStorage()) =>
  createEvaluation({ embed, tokens, cache, userAgent, chosenDecider: () => own, deciderLeaves: () => leaves });

/** What the files hold for an evaluation, with the person's own decider if there is one. */
const dataWith = async (own: Decider | null = null, cache: Cache = memoryStorage(), from = files) => {
  const read = await evaluationWith(own, false, cache).read(from, new Map(), monitor());
  if (!read.ok) throw new Error(read.failure.message);
  return read.data;
};

const dataOf = (...from: typeof files) => dataWith(null, memoryStorage(), from);

describe('an evaluation in the page', () => {
  test('has the figures of the measurement, in tables and as flat rows', async () => {
    const data = await dataWith();
    expect(data.sets.map(({ name, dialogues, turns }) => [name, dialogues, turns])).toEqual([
      ['ntm', 1, 3],
      ['sgd', 2, 6],
      ['tiage', 1, 3],
    ]);
    const measured = await data.measure(BASELINES, monitor());
    expect(measured.deciders).toEqual(['threshold', 'always-continue']);
    const [table] = measured.tables('tiage').filter(({ mode }) => mode === 'teacher-forced');
    const recall = table?.metrics.find(({ name }) => name === 'shift-recall');
    expect(recall?.figures[1]).toMatchObject({ subject: 'always-continue', value: 0, n: 1 });
    expect(recall?.definition).toMatch(/labelled shifts/);
    const file = JSON.parse(measured.rowsFile());
    expect(file).toMatchObject({
      coppice: 'evaluation',
      madeBy: { version: 'unknown', commit: 'unknown' },
      deciders: expect.arrayContaining(['threshold']),
      embedder: expect.any(String),
      files: expect.any(Array),
      sets: [{ name: 'ntm' }, { name: 'sgd' }, { name: 'tiage' }],
    });
    const rows = file.rows as object[];
    // One dialogue has no interval.
    expect(rows).toContainEqual({ ...recall?.figures[1], low: null, high: null });
    expect(measured.report()).toMatch(/with Chrome 140.*## sgd/s);
  });

  test('names the files that it read, not those that are asked about or left out', async () => {
    const data = await dataOf(
      given('sgd/one.json', sgdFile),
      given('mine.json', [{ turns: [] }]),
      given('a.md', '# A'),
    );
    expect([data.unknown, data.leftOut.map(({ path }) => path)]).toEqual([['mine.json'], ['a.md']]);
    expect(JSON.parse((await data.measure(BASELINES, monitor())).rowsFile()).files).toEqual(['sgd/one.json']);
  });

  test('has the curves of what contexts have of what is needed, and no decisions of a set without any', async () => {
    const data = await dataOf(given('rewrites.jsonl', rewriteLines));
    expect(data.sets.map(({ name, dialogues, turns }) => [name, dialogues, turns])).toEqual([
      ['rewrites', 3, 6],
      ['rewrites-interleaved', 1, 6],
    ]);
    const measured = await data.measure({ deciders: [], policies: ['full-history', 'truncation'] }, monitor());
    expect(measured.modes).toEqual(['free-running']);
    const [curve] = measured.curves('rewrites');
    expect(curve?.lines.map(({ subject }) => subject)).toEqual(['full-history', 'truncation']);
    // Everything added is in the one turn before.
    expect(curve?.lines[0]?.own).toEqual({ x: 100, y: 1 });
    expect(curve?.lines[0]?.points.map(({ x }) => x)).toEqual([2, 5, 10, 20, 40, 100]);
    expect(measured.tables('rewrites').map(({ kind }) => kind)).toEqual(['contexts']);
    expect(measured.tables('rewrites')[0]?.metrics.map(({ name }) => name)).not.toContain('rewrite-recall-at-5');
    expect(measured.remark('ntm')).toBeNull();
    expect(measured.report()).toContain('## What is needed, by size');
  });

  test('counts the dialogues of a mixed set where those that it was made from are not measured', async () => {
    const data = await dataOf(given('rewrites.jsonl', rewriteLines));
    const subjects = { deciders: [], policies: ['truncation'] };
    const both = await data.measure(subjects, monitor());
    expect(trainedWords(both.sets)).toBe('The embedded decider was not trained on any of these 3 dialogues.');
    const mixed = await data.measure(subjects, monitor(), new Set(['rewrites']));
    expect(trainedWords(mixed.sets)).toBe('The embedded decider was not trained on this dialogue.');
    expect(trainedWords([])).toBe('');
  });

  test('counts the conversations without labels that the decider was trained on, and their turns', async () => {
    const known = new Set(seen.flat());
    let message = '';
    // Its training is known by hashes alone, so its messages are not at hand.
    for (let at = 0; message === ''; at++) {
      const one = `A message of which nothing but the number ${at} matters`;
      if (known.has(hashOf(one))) message = one;
    }
    const data = await dataOf(
      given('ntm/part-1.jsonl', { conversation_id: 'known', user_turns: [{ content: message }, { content: 'Why?' }] }),
      given('ntm/part-2.jsonl', ntmLines),
    );
    const measured = await data.measure({ deciders: [], policies: ['truncation'] }, monitor());
    const ntm = { name: 'ntm', dialogues: 2, turns: 5, trained: 1 };
    expect(measured.sets).toMatchObject([ntm]);
    expect(JSON.parse(measured.rowsFile()).sets).toMatchObject([ntm]);
    expect(trainedWords(measured.sets)).toMatch(/^The embedded decider was trained on 1 of these 2 dialogues\./);
  });

  test('asks the questions of a set that has some', async () => {
    const said = (dia_id: string, speaker: string, clean_text: string) => ({ dia_id, speaker, clean_text });
    const chat = given('chat.json', {
      name: { speaker_1: 'Ada', speaker_2: 'Ben' },
      session_1: [
        said('D1:1', 'Ada', 'My kite is red.'),
        said('D1:2', 'Ben', 'Nice.'),
        said('D1:3', 'Ada', 'It rains.'),
      ],
      qa: [{ question: 'Which colour has the kite?', answer: 'red', evidence: ['D1:1'], category: 1 }],
    });
    const data = await dataOf(chat);
    expect(data.sets).toMatchObject([{ name: 'realtalk', dialogues: 1, turns: 2 }]);
    const measured = await data.measure({ deciders: [], policies: ['full-history'] }, monitor());
    const figures = measured.tables('realtalk').flatMap(({ metrics }) => metrics);
    expect(figures.find(({ name }) => name === 'evidence-recall')?.figures[0]).toMatchObject({ value: 1, n: 1 });
  });

  test('finds the decisions of a cell in their dialogues, though two have one name', async () => {
    const measured = await (await dataWith()).measure(BASELINES, monitor());
    const run = { dataset: 'sgd', mode: 'teacher-forced', subject: 'always-continue' };
    const [topic, shift] = measured.matrices(run);
    expect([topic?.kind, shift?.kind]).toEqual(['topic', 'shift']);
    const sizes = topic?.cells.map((row) => row.map((cell) => cell.length));
    expect(topic?.labelled).toEqual(['create-topic', 'switch-topic', 'continue-topic']);
    expect(sizes).toEqual([
      [0, 0, 1],
      [0, 0, 1],
      [0, 0, 2],
    ]);
    const messages = topic?.cells[2]?.[2]?.map(({ dialogue, turn }) => dialogue.turns[turn]?.message);
    expect(messages).toEqual(['In Graz, please.', 'Louder.']);
    const jazz = topic?.cells[2]?.[2]?.[1];
    if (jazz === undefined) throw new Error('no such decision');
    expect(measured.decisionsIn(jazz.dialogue, run)).toEqual([jazz]);
    expect(measured.matrices({ ...run, dataset: 'tiage' }).map(({ kind }) => kind)).toEqual(['shift']);
  });

  test('embeds a text once, and not again at the next run', async () => {
    const storage = memoryStorage();
    embedded = [];
    await (await dataWith(null, storage)).measure(BASELINES, monitor());
    expect(new Set(embedded).size).toBe(embedded.length);
    expect(embedded.length).toBe(16);
    embedded = [];
    await (await dataWith(null, storage)).measure(BASELINES, monitor());
    expect(embedded).toEqual([]);
  });

  test('goes on without a cache that takes nothing, and says so', async () => {
    const full = () => Promise.reject(new Error('the disk is full'));
    const measured = await (await dataWith(null, { ...memoryStorage(), saveVectors: full })).measure(
      BASELINES,
      monitor(),
    );
    expect(measured.notes).toEqual([expect.stringContaining('the disk is full')]);
    expect(measured.report()).toContain(`\n\n## Notes\n\n- ${measured.notes[0]}\n\n## ntm\n`);
  });

  test('measures a decider of the person’s own beside the others', async () => {
    const own = { ...alwaysContinue, name: 'some model' };
    expect(evaluationWith(own).deciders().at(-1)).toMatchObject({ name: 'some model', leaves: false });
    const measured = await (await dataWith(own)).measure({ deciders: ['some model'], policies: [] }, monitor());
    expect(measured.deciders).toEqual(['some model']);
  });

  test('names no decider as measured that is no longer there', async () => {
    const subjects = { ...BASELINES, deciders: ['some model', 'threshold'] };
    const measured = await (await dataWith()).measure(subjects, monitor());
    expect(JSON.parse(measured.rowsFile()).deciders).toEqual(['threshold']);
  });

  test('says of a decider on a server that the dialogues leave for it', () => {
    const own = { ...alwaysContinue, name: 'some model' };
    const there = evaluationWith(own, true).deciders().at(-1);
    expect(there).toMatchObject({ leaves: true, about: expect.stringContaining('leaves this browser') });
    expect(evaluationWith(own).deciders().at(-1)?.about).not.toContain('leaves');
  });

  test('goes on with the learned decider where an answer of the person’s own is unusable, and says so', async () => {
    const nonsense = () => Promise.reject(new ModelFailure('nonsense', 'This is no answer.'));
    const own = { ...alwaysContinue, name: 'some model', topic: nonsense };
    const measured = await (await dataWith(own)).measure({ deciders: ['some model'], policies: [] }, monitor());
    expect(measured.deciders).toEqual(['some model']);
    expect(measured.notes).toEqual([
      expect.stringMatching(
        /^some model: \d+ questions, \d+ answers of no use \(nonsense \d+\), where learned stood in\.$/,
      ),
    ]);
    expect(measured.report()).toContain(`## Notes\n\n- ${measured.notes[0]}\n\n`);
    const broken = { ...own, topic: () => Promise.reject(new ModelFailure('unreachable', 'Nobody is there.')) };
    const failing = (await dataWith(broken)).measure({ deciders: ['some model'], policies: [] }, monitor());
    await expect(failing).rejects.toThrow('Nobody is there.');
  });

  test('ends as soon as it is cancelled', async () => {
    const ended = new AbortController();
    const step = monitor(ended.signal);
    const run = (await dataWith()).measure(BASELINES, {
      ...step,
      progress: (done, of, what) => {
        step.progress(done, of, what);
        if (what.startsWith('ntm')) ended.abort();
      },
    });
    await expect(run).rejects.toThrow(/abort/i);
    expect(step.seen.filter(({ what }) => what.startsWith('ntm'))).toHaveLength(1);
  });
});
