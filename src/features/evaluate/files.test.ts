import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { FoundSets } from './files.tsx';

test('files with conversations that nobody labelled are not said to hold nothing', () => {
  const found = (unlabelled: number) => {
    const measure = () => Promise.reject(new Error('nothing is measured here'));
    const data = { sets: [], unlabelled, leftOut: [], unknown: [], measure };
    const props = { data, skipped: new Set<string>(), disabled: false, onChoose: () => undefined };
    return renderToStaticMarkup(createElement(FoundSets, props));
  };
  expect(found(203)).toMatch(/203 conversations from NTM without labels/);
  expect(found(203)).not.toContain('nothing that can be measured');
  expect(found(0)).toContain('These files contain nothing that can be measured.');
});
