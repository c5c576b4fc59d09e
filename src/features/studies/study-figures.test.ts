import { expect, test } from 'vitest';
import type { LinkedTurn } from '../../app/figures/partitions.ts';
import { type CodedDialogue, studyFigures } from './study-figures.ts';

const NAMES = { C: 'create-topic', K: 'continue-branch', S: 'switch-branch' } as const;

/** Parents as indices, a turn's own index for a new topic; actions by letter. */
const coded = (parents: string, actions: string): LinkedTurn[] =>
  parents.split(' ').map((parent, at) => ({
    parent: Number(parent) === at ? 'new-topic' : Number(parent),
    placement: NAMES[actions[at * 2] as keyof typeof NAMES],
    furtherParents: [],
  }));

const EIGHT: CodedDialogue = {
  id: 'eight',
  labels: new Map([
    ['ann', coded('0 0 1 3 3 1 4 5', 'C K K C K S S S')],
    ['ben', coded('0 0 1 3 3 5 4 5', 'C K K C K C S S')],
  ]),
};

const figuresOf = (...of: Parameters<typeof studyFigures>) =>
  Object.fromEntries(studyFigures(...of).map(({ id, value }) => [id, value]));

test('eight turns by two people: the published figures', () => {
  const figures = figuresOf([EIGHT], [['ann', 'ben']]);
  const published = {
    'link-f1': 0.875,
    uas: 0.875,
    las: 0.875,
    cohen: 0.814,
    alpha: 0.8235,
    'alpha-jaccard': 0.5385,
    'alpha-masi': 0.4061,
    'one-to-one': 0.75,
    'one-minus-vi': 0.7977,
    ari: 0.5556,
    exact: 0.4,
    'loc-3': 0.9444,
  };
  for (const [id, value] of Object.entries(published)) expect(figures[id], id).toBeCloseTo(value, 4);
  const alphas = studyFigures([EIGHT], [['ann', 'ben']]).filter(({ id }) => id.startsWith('alpha'));
  expect(alphas.map(({ n }) => n)).toEqual([8, 8, 8]);
});

test('what is undefined says why, and one dialogue has no interval', () => {
  const alone = figuresOf([EIGHT], [['ann']]);
  expect(alone['link-f1']).toEqual({ because: 'no turn was labelled by two people' });
  expect(alone.fleiss).toMatchObject({ because: expect.any(String) });
  const same = new Map(['ann', 'ben'].map((who) => [who, coded('0 0 1', 'K K K')]));
  expect(figuresOf([{ id: 'same', labels: same }], [['ann', 'ben']]).cohen).toMatchObject({
    because: expect.stringContaining('same label'),
  });
  expect(studyFigures([EIGHT], [['ann', 'ben']]).every(({ interval }) => interval === null)).toBe(true);
  const [lead] = studyFigures([EIGHT, { id: 'same', labels: same }], [['ann', 'ben']]);
  expect(lead?.value).toBeCloseTo(10 / 11, 6);
  expect(lead?.interval?.[0]).toBeCloseTo(0.875, 6);
  expect(lead?.interval?.[1]).toBe(1);
  expect(lead?.n).toBe(11);
});

test('a measure that only one dialogue has anything for counts its turns alone and has no interval', () => {
  const single = new Map(['ann', 'ben'].map((who) => [who, coded('0', 'C')]));
  const threads = ['one-to-one', 'one-minus-vi', 'ari', 'exact', 'loc-3'];
  const figures = studyFigures([EIGHT, { id: 'single', labels: single }], [['ann', 'ben']]);
  expect(figures[0]).toMatchObject({ n: 9, interval: [expect.any(Number), 1] });
  for (const { id, n, interval } of figures) if (threads.includes(id)) expect([id, n, interval]).toEqual([id, 8, null]);
});

test('turns that only one of two people labelled so far make no disagreement about threads', () => {
  const ann = coded('0 0 0 0 4 4', 'C K K K C K');
  const half = new Map([
    ['ann', ann],
    ['ben', [...ann.slice(0, 2), null, null, ann[4] as LinkedTurn]],
  ]);
  const figures = figuresOf([{ id: 'half', labels: half }], [['ann', 'ben']]);
  expect(figures).toMatchObject({ 'alpha-jaccard': 1, 'alpha-masi': 1 });
});

test('threads of two dialogues have nothing in common, and a third person who labelled one of them counts there alone', () => {
  const third = new Map([...EIGHT.labels, ['cem', coded('0 0 1 3 3 1 4 5', 'C K K C K S S S')]]);
  const people = ['ann', 'ben', 'cem'];
  const both = figuresOf([EIGHT, { id: 'again', labels: third }], [people]);
  // Pairs: 7 of 8 in the first; 7, 8 and 7 of 8 in the second.
  expect(both['link-f1']).toBeCloseTo(29 / 32, 9);
  expect(both['alpha-jaccard']).toBeGreaterThan(figuresOf([EIGHT], [people])['alpha-jaccard'] as number);
  const withOne = figuresOf([EIGHT], [['ann', 'ben'], ['ben', 'cem']]); // biome-ignore format: one line
  expect(withOne['link-f1']).toBe(0.875);
});

test('of several pairs, links are compared together and κ is the mean, however much each pair labelled', () => {
  const short = new Map([...EIGHT.labels, ['cem', coded('0 0 1 3', 'C K K C')]]);
  const [long, brief] = [['ann', 'ben'], ['ben', 'cem']]; // biome-ignore format: one line
  const of = (...groups: (readonly string[])[]) => figuresOf([{ id: 'short', labels: short }], groups);
  expect(of(long, brief)).toMatchObject({ uas: 11 / 12, 'link-f1': 11 / 12 });
  for (const id of ['cohen', 'alpha', 'alpha-jaccard']) {
    const [one, other] = [of(long)[id] as number, of(brief)[id] as number];
    expect(of(long, brief)[id], id).toBeCloseTo((one + other) / 2, 9);
  }
});
