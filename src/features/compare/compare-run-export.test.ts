import { expect, test } from 'vitest';
import { provenanceWords } from '../../app/provenance.ts';
import type { Fallback } from '../../domain/decision.ts';
import type { Forest } from '../../domain/forest.ts';
import { cell } from '../../ui/parts/download.ts';
import { type ComparedFrom, comparisonCsv, comparisonJson } from './export-menu.tsx';
import { sumsOf, type TurnComparison } from './turn-comparisons.ts';

const APP = cell(provenanceWords());

const BY_RULES: Fallback = { role: 'summarise', from: 'qwen', to: 'rules', why: 'it is off' };

const row = (number: number, message: string, full: number, tree: number): TurnComparison => ({
  nodeId: `n${number}`,
  number,
  message,
  sent: number === 2 ? 'memtree' : null,
  fallbacks: number === 2 ? { memtree: [BY_RULES] } : {},
  unit: 'words',
  settings: { version: number, parameters: { memoryK: number } },
  by: {
    'full-history': { tokens: full, calls: 0, read: 0, ms: 0, logged: 0 },
    memtree: { tokens: tree, calls: 3, read: 40, ms: 1.23456, logged: 0 },
  },
});

const from = (rows: readonly TurnComparison[]): ComparedFrom => ({
  conversationId: 'c1',
  names: ['full-history', 'memtree'],
  madeBy: { embed: 'bag, small', summarise: 'first words', window: 4096 },
  failed: new Map([['memtree', 'the model is gone']]),
  anew: [],
  rows,
  forest: { trees: {}, nodes: {}, title: '' } as unknown as Forest,
});

test('a line for each policy of each turn, safe in a spreadsheet', () => {
  const { name, text } = comparisonCsv(from([row(1, '=1+1', 10, 10), row(2, 'a, "quoted" one', 40, 20)]));
  expect(name).toMatch(/\.comparison\.csv$/);
  const lines = text.split('\r\n');
  expect(lines).toHaveLength(6);
  expect(lines[0]).toBe(
    '\uFEFFturn,message,policy,sent,tokens,calls,read,ms,msLogged,placedAnew,fallbacks,unit,embedder,summariser,window,settings,form,app',
  );
  expect(lines[1]).toBe(`1,'=1+1,full-history,no,10,0,0,0,0,no,,words,"bag, small",first words,4096,1,3,${APP}`);
  expect(lines[4]).toBe(
    `2,"a, ""quoted"" one",memtree,yes,20,3,40,1.235,0,no,qwen could not summarise: it is off. Used instead: rules.,words,"bag, small",first words,4096,2,3,${APP}`,
  );
  expect(lines[5]).toBe('');
});

test('as JSON it says with what it was made, and comes back as it was', () => {
  const rows = [row(1, 'one', 10, 10), row(2, 'two', 40, 20)];
  const { text } = comparisonJson(from(rows));
  const read = JSON.parse(text);
  expect(read).toMatchObject({
    coppice: 'comparison',
    versions: { form: 3 },
    models: { embed: 'bag, small', summarise: 'first words', window: 4096 },
    baseline: 'full-history',
    policies: [
      { name: 'full-history', turns: 2, share: 1, placedAnew: false, failed: null, fallbacks: [] },
      {
        name: 'memtree',
        turns: 2,
        total: { tokens: 30, calls: 6, read: 80 },
        share: 0.6,
        placedAnew: false,
        failed: 'the model is gone',
        fallbacks: [BY_RULES],
      },
    ],
    turns: [
      {
        turn: 1,
        message: 'one',
        settings: { version: 1, parameters: { memoryK: 1 } },
        policies: { memtree: { tokens: 10, sent: false } },
      },
      {
        turn: 2,
        settings: { version: 2 },
        policies: { 'full-history': { tokens: 40, sent: false }, memtree: { tokens: 20, sent: true } },
      },
    ],
  });
  // Each turn has its own.
  expect(read).not.toHaveProperty('settings');
  expect(JSON.parse(JSON.stringify(read))).toEqual(read);
});

test('where turns were placed anew nothing was sent, though the turn was sent under that policy', () => {
  const anew = { ...from([row(2, 'two', 40, 20)]), anew: ['memtree'] };
  expect(comparisonCsv(anew).text.split('\r\n')[2]).toContain('2,two,memtree,no,20,3,40,1.235,0,yes,');
  const { policies, turns } = JSON.parse(comparisonJson(anew).text);
  expect(policies[1]).toMatchObject({ name: 'memtree', placedAnew: true });
  expect(turns[0].policies.memtree.sent).toBe(false);
});

test('totals are over the turns of which all policies are known, whatever is known of one alone', () => {
  const rows = [row(1, 'one', 10, 10), row(2, 'two', 40, 20)];
  const { memtree: _, ...whole } = row(3, 'three', 900, 0).by;
  const { policies, turns } = JSON.parse(
    comparisonJson(from([...rows, { ...row(3, 'three', 900, 0), by: whole }])).text,
  );
  expect(turns).toHaveLength(3);
  expect(policies).toMatchObject([
    { name: 'full-history', turns: 2, total: { tokens: 50 } },
    { name: 'memtree', turns: 2, total: { tokens: 30 } },
  ]);
});

test('sums are over the turns of which both are known', () => {
  const rows = [row(1, 'one', 10, 10), row(2, 'two', 40, 20)];
  const [first] = rows as [TurnComparison];
  const broken: TurnComparison = {
    ...first,
    number: 3,
    by: { 'full-history': { tokens: 90, calls: 0, read: 0, ms: 0, logged: 0 } },
  };
  expect(sumsOf([...rows, broken], 'memtree')).toMatchObject({ turns: 2, tokens: 30, calls: 6, share: 0.6 });
  expect(sumsOf([...rows, broken], 'full-history')).toMatchObject({ turns: 3, tokens: 140, share: 1 });
  expect(sumsOf([], 'memtree')).toMatchObject({ turns: 0, share: null });
});
