import { expect, test } from 'vitest';
import type { Progress, RoleState } from '../../app/model-control.ts';
import { progressFacts, shareOf, stateWords, timeWords } from './state-words.ts';

const progress = (change: Partial<Progress>): Progress => ({
  phase: 'downloading',
  loaded: 430_000_000,
  total: 1_000_000_000,
  speed: 8_300_000,
  timeLeft: 69,
  ...change,
});
const words = (state: RoleState['state'], under: Progress | null = null) => stateWords({ state, progress: under });

test('a state is told in a few words, with the share where it is known', () => {
  expect(words('idle')).toBe('not loaded');
  expect(words('ready')).toBe('ready');
  expect(words('busy')).toBe('busy');
  expect(words('loading')).toBe('loading');
  expect(words('loading', progress({}))).toBe('loading 43 %');
  expect(words('loading', progress({ total: null }))).toBe('loading');
  expect(words('loading', progress({ phase: 'preparing', loaded: 1, total: 1 }))).toBe('preparing');
  expect(words('ready', progress({ phase: 'embedding', loaded: 12, total: 100 }))).toBe('comparing 12 %');
  expect(words('failed', progress({}))).toBe('failed');
});

test('all of it is said when all has come, and not before', () => {
  expect(words('loading', progress({ loaded: 999_999_999 }))).toBe('loading 99 %');
  expect(words('loading', progress({ loaded: 1_000_000_000 }))).toBe('loading 100 %');
  expect(shareOf(progress({ loaded: 1_200_000_000 }))).toBe(1);
  expect(shareOf(progress({ total: 0 }))).toBeNull();
});

test('what is known of a download is said, and nothing else', () => {
  expect(progressFacts(progress({}))).toEqual(['430 MB of 1.0 GB', '8.3 MB/s', '1 min left']);
  expect(progressFacts(progress({ total: null, speed: null, timeLeft: null }))).toEqual(['430 MB']);
  expect(progressFacts(progress({ phase: 'embedding', loaded: 12, total: 340, timeLeft: 4 }))).toEqual([
    '12 of 340 turns',
    '4 s left',
  ]);
  expect(progressFacts(progress({ phase: 'preparing', timeLeft: null }))).toEqual(['on its way into memory']);
});

test('times are no more exact than a guess is', () => {
  expect([0.2, 5, 12, 49, 58, 95, 3500, 3900, 5370, 7199].map(timeWords)).toEqual([
    '1 s',
    '5 s',
    '20 s',
    '50 s',
    '1 min',
    '2 min',
    '58 min',
    '1 h 10 min',
    '1 h 30 min',
    '2 h',
  ]);
});
