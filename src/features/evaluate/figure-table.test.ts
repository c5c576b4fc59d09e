import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { plainApp } from '../../app/testing/plain-app.ts';
import { AppContext } from '../../ui/app-context.ts';
import type { Measurements } from './in-page/evaluation-port.ts';
import { Curve, figureText, intervalText, partWords, Results, scaleEnd, spanOf } from './results.tsx';

describe('in words', () => {
  test('a figure', () => {
    expect(figureText(0.614, 'share')).toBe('0.61');
    expect(figureText(1204.4, 'tokens')).toBe('1,204');
  });

  test('a part of a set', () => {
    expect(['ntm', 'ntm-undisputed', 'everyday-other'].map(partWords)).toEqual([
      '',
      'where the annotators agreed',
      'in other languages',
    ]);
  });

  test('an interval, as parts of the scale', () => {
    const figure = { dataset: '', mode: '', subject: '', metric: '', value: 0.5, low: 0.25, high: 0.75, n: 1 };
    expect(spanOf(figure, 1)).toEqual({ left: 25, width: 50, dot: 50 });
    expect(spanOf(figure, 0)).toEqual({ left: 0, width: 0, dot: 0 });
    expect(intervalText(figure, 'share')).toBe('0.25–0.75');
    const alone = { ...figure, low: Number.NaN, high: Number.NaN };
    expect(spanOf(alone, 1)).toEqual({ left: 50, width: 0, dot: 50 });
    expect(intervalText(alone, 'share')).toBe('');
    expect(scaleEnd([alone], 'share')).toBe(1);
    expect(scaleEnd([{ ...alone, value: 900 }, figure], 'tokens')).toBe(900);
  });
});

test('a curve names its sizes also where the first policy has its own size alone', () => {
  const own = { x: 20, y: 0.5 };
  const lines = [
    { subject: 'truncation-equal-tokens', points: [], own },
    { subject: 'memory-bank', points: [2, 5].map((x) => ({ x, y: x / 10 })), own },
  ];
  const curve = { dataset: 'locomo', metric: 'evidence-recall', title: 'Evidence', lines, oracle: null };
  const shown = renderToStaticMarkup(createElement(Curve, { curve }));
  const cells = [...shown.matchAll(/<t[dh](?: [^>]*)?>([^<]*)</g)].map(([, text]) => text);
  expect(cells.slice(0, 5)).toEqual(['policy', 'own size', 'at it', '2 %', '5 %']);
  expect(cells.slice(6, 10)).toEqual(['20 %', '0.50', '–', '–']);
  expect(cells.slice(11)).toEqual(['20 %', '0.50', '0.20', '0.50']);
});

test('where nothing of a set was measured, it is said what to choose', async () => {
  const app = await plainApp();
  const measured: Measurements = {
    sets: [{ name: 'locomo', dialogues: 10, turns: 2900, trained: 0, mixed: false }],
    modes: [],
    deciders: [],
    tables: () => [],
    curves: () => [],
    remark: () => null,
    matrices: () => [],
    decisionsIn: () => [],
    reading: [],
    notes: [],
    rowsFile: () => '',
    report: () => '',
  };
  const results = createElement(Results, { measured, onSetup: () => undefined });
  const shown = renderToStaticMarkup(createElement(AppContext.Provider, { value: app }, results));
  expect(shown).toContain('Nothing of this set was measured.');
  expect(shown).not.toContain('What the figures mean');
});
