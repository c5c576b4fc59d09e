import { expect, test } from 'vitest';
import { initialState } from '../../app/state.ts';
import { readyRoles } from '../../app/testing/plain-app.ts';
import type { Target } from '../../domain/decision.ts';
import { areNames, draftFilesWords, tokensThere } from './composer.tsx';
import { forestOf } from './testing/small-forest.ts';

test('of files that are copied with their names, the names are no text of their own', () => {
  const files = [{ name: 'report.pdf' }, { name: 'Caf\u00e9 menu.png' }];
  expect(areNames('report.pdf', files)).toBe(true);
  expect(areNames('report.pdf\nCafe\u0301 menu.png\n', files)).toBe(true);
  expect(areNames('See report.pdf', files)).toBe(false);
  expect(areNames('report.pdf\nand two maps', files)).toBe(false);
  expect(areNames('A table, with its picture', [{ name: 'image.png' }])).toBe(false);
  expect(areNames('report.pdf', [])).toBe(false);
});

test('files are told of as they are read and once they are attached, and many only counted', () => {
  const { session } = initialState(readyRoles, 'memory');
  const words = (attached: readonly string[], attaching: readonly string[] = []) =>
    draftFilesWords({
      ...session,
      attached: attached.map((name) => ({ id: name, name, mediaType: 'text/plain', size: 1 })),
      attaching: attaching.map((name) => new File([], name)),
    });
  expect(words([])).toBe('');
  expect(words([], ['report.pdf'])).toBe('Reading report.pdf…');
  expect(words(['a.txt'], ['b.txt', 'c.txt'])).toBe('Reading files…');
  expect(words(['report.pdf'])).toBe('Attached: report.pdf.');
  expect(words(['a', 'b', 'c', 'd', 'e'])).toBe('Attached: a, b, c and 2 more.');
});

test('the tokens of going on from the active turn are not told of another place', () => {
  const state = initialState(readyRoles, 'memory');
  const forest = forestOf([[null], [1], [2]]);
  const tokens = (target: Target | null) =>
    tokensThere({ ...state, forest, nextTokens: 120, session: { ...state.session, target } });
  expect(tokens(null)).toBe(120);
  expect(tokens({ kind: 'under', nodeId: forest.active?.nodeId ?? '', chosen: true })).toBe(120);
  expect(tokens({ kind: 'under', nodeId: 'n1', chosen: true })).toBeNull();
  expect(tokens({ kind: 'new-topic', chosen: true })).toBeNull();
});
