import { expect, test } from 'vitest';
import type { SettingsContent } from '../../app/saved-settings.ts';
import { defaultParameters } from '../../engine/parameters.ts';
import { SHIPPED_SETTINGS } from '../../engine/settings.ts';
import {
  displayValue,
  FIELDS,
  inputValue,
  type NumberField,
  rangeWords,
  readNumber,
} from '../../ui/parts/setting-fields.ts';
import {
  allShipped,
  canReset,
  emptyDraft,
  inUseWords,
  readDraft,
  resetFailure,
  settingDifferences,
  unsavedWords,
} from './settings-draft.ts';

const shipped = { topic: 'Sort.', branch: 'Fork.', summary: 'Shorten.', title: 'Name.' };
const policy = SHIPPED_SETTINGS.policy.name;
const asShipped: SettingsContent = { policy, parameters: {}, prompts: {} };
const own: SettingsContent = {
  policy: 'truncation',
  parameters: { theta: 0.6, patience: 5000, neededFrom: 2, spareDirectParent: false },
  prompts: { topic: 'Mine.' },
};

const field = (name: string): NumberField => {
  const found = FIELDS.find((one) => one.name === name);
  if (found?.kind !== 'number') throw new Error(`no field ${name}`);
  return found;
};

test.each([
  ['theta', '0,55', 0.55],
  ['theta', '', null],
  ['neededFrom', '', 2],
  ['patience', '0.25', 250],
  ['patience', '20', 20_000],
  ['k', ' 8 ', 8],
  ['overviewBudget', '2,000', 2000],
  ['overviewBudget', '2.000', 2000],
  ['patience', '2,500', 2500],
  ['contextBudget', '', null],
])('%s reads “%s” as %s, and shows it again the same', (name, text, value) => {
  expect(readNumber(field(name), text)).toEqual({ ok: true, value });
  expect(readNumber(field(name), inputValue(field(name), value))).toEqual({ ok: true, value });
});

test.each([
  ['theta', '1.2'],
  ['theta', '-0.1'],
  ['k', '2.5'],
  ['k', ''],
  ['k', '1e2'],
  ['patience', '0.01'],
  ['overviewBudget', 'many'],
])('%s refuses “%s” and says what would do', (name, text) => {
  expect(readNumber(field(name), text)).toEqual({ ok: false, words: rangeWords(field(name)) });
  expect(rangeWords(field(name))).toMatch(/^A (whole )?number from \S+ to \S+(, or nothing for .+)?\.$/);
});

test('only what is another than in use is a change', () => {
  const typedAgain = {
    numbers: { theta: '0.6', k: '5' },
    flags: {},
    prompts: { topic: 'Mine.' },
    policy: 'truncation',
  };
  expect(readDraft(typedAgain, own, shipped)).toEqual({
    change: { parameters: {}, prompts: {} },
    changes: 0,
    wrong: {},
  });
  const draft = { ...emptyDraft, policy, numbers: { theta: '' }, prompts: { topic: 'Sort.', title: 'Call it.' } };
  expect(readDraft(draft, own, shipped)).toEqual({
    change: { policy, parameters: { theta: null }, prompts: { topic: null, title: 'Call it.' } },
    changes: 4,
    wrong: {},
  });
});

test('what cannot be saved is a change that says what would do', () => {
  const draft = { ...emptyDraft, numbers: { k: 'x' }, prompts: { branch: ' \n' } };
  const { changes, wrong, change } = readDraft(draft, asShipped, shipped);
  expect(changes).toBe(2);
  expect(wrong).toEqual({ k: 'A whole number from 1 to 50.', branch: expect.stringContaining('cannot be empty') });
  expect(change).toEqual({ parameters: {}, prompts: {} });
});

test('resetting all of it leaves nothing of the person’s own', () => {
  const { change } = readDraft(allShipped(own, policy, shipped), own, shipped);
  expect(change).toEqual({
    policy,
    parameters: { theta: null, patience: 20_000, neededFrom: defaultParameters.neededFrom, spareDirectParent: true },
    prompts: { topic: null },
  });
  expect(allShipped(asShipped, policy, shipped)).toEqual(emptyDraft);
  const every = { ...asShipped, parameters: defaultParameters };
  const { numbers, flags } = allShipped(every, policy, shipped);
  expect(Object.keys({ ...numbers, ...flags }).sort()).toEqual(Object.keys(defaultParameters).sort());
});

test('prompts of one’s own are not left as they are by a reset before the shipped ones are known', () => {
  expect(canReset(own, null)).toBe(false);
  expect(canReset(own, shipped)).toBe(true);
  expect(canReset(asShipped, null)).toBe(true);
  expect(resetFailure(own, null)).toBeNull();
  expect(resetFailure(own, 'Failed to fetch')).toMatch(/default prompts: Failed to fetch\. Check your connection/);
  expect(resetFailure(asShipped, 'Failed to fetch')).toBeNull();
});

test('what differs between versions is told as people read it', () => {
  expect(
    settingDifferences(asShipped, own, shipped).map(({ what, before, after }) => `${what}: ${before} → ${after}`),
  ).toEqual([
    'Policy: focused → truncation',
    'θ, the fork threshold: the embedder’s own → 0.6',
    'Skip the direct parent: yes → no',
    'Model timeout: 20 seconds → 5 seconds',
    `Fetch threshold: ${defaultParameters.neededFrom} need per 100 tokens → never`,
    'Topic question: Sort. → Mine.',
  ]);
  expect(settingDifferences(own, own, shipped)).toEqual([]);
  expect(displayValue(field('theta'), null)).toBe('the embedder’s own');
});

test('fields of one policy begin alike, and the budget names the policies that it frees of their number', () => {
  expect(FIELDS.filter(({ words }) => words.startsWith('Under '))).toEqual([]);
  const budget = FIELDS.find(({ name }) => name === 'contextBudget');
  for (const policy of ['truncation', 'flat-rag', 'vector-rag']) expect(budget?.words).toContain(policy);
});

test('where unsaved changes are is told of one as of several', () => {
  expect(unsavedWords(1)).toBe('1 change is not saved. It stays in Engine until you close the page.');
  expect(unsavedWords(2)).toBe('2 changes are not saved. They stay in Engine until you close the page.');
});

test('the version in use is one of those counted, also where another could not be read', () => {
  const versions = [1, 2, 3, 5].map((version) => ({ ...own, version, at: 0, from: 0 }));
  expect(inUseWords({ current: 5, versions })).toBe('Version 5 of 5 applies');
  expect(inUseWords({ current: 0, versions })).toBe('Default settings apply');
});
