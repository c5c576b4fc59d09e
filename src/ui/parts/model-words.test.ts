import { expect, test } from 'vitest';
import type { ModelChoice, Progress, RoleState } from '../../app/model-control.ts';
import type { ModelFailureKind } from '../../engine/model-failure.ts';
import { progressFacts, remediesFor, remedyPage, shareOf, stateWords, timeWords } from './model-words.ts';

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
  expect(progressFacts(progress({ phase: 'preparing', timeLeft: null }))).toEqual(['loading into memory']);
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

const failed = (kind: ModelFailureKind, choice: ModelChoice): RoleState => ({
  choice,
  name: 'x',
  answering: 'recall',
  state: 'failed',
  progress: null,
  failure: { kind, message: 'It failed.' },
});
const model: ModelChoice = { kind: 'model', key: 'webllm:x' };

test('what ships can only be tried again; another model can always give way to it', () => {
  expect(remediesFor(failed('worker-died', { kind: 'embedded' }))).toEqual(['retry']);
  expect(remediesFor(failed('out-of-memory', model))).toEqual(['smaller-model', 'embedded', 'retry']);
  expect(remediesFor(failed('too-long', model))).toEqual(['another-model', 'embedded', 'retry']);
  expect(remediesFor(failed('nonsense', model))).toEqual(['retry', 'another-model', 'embedded']);
  expect(remediesFor(failed('unauthorised', model))).toEqual(['settings', 'embedded', 'retry']);
  expect(remediesFor(failed('timeout', model))).toEqual(['retry', 'embedded']);
  expect(remediesFor(failed('storage-full', model))).toContain('embedded');
  expect(remediesFor({ ...failed('unknown', model), failure: null })).toEqual([]);
});

test('a remedy that is a place leads there: a server’s settings to the server', () => {
  const server: ModelChoice = { kind: 'model', key: 'server:http://localhost:11434/v1:llama3.2' };
  expect(remedyPage('settings', 'chat', failed('cors', server))).toBe('server');
  expect(remedyPage('settings', 'chat', failed('not-found', model))).toBe('add');
  expect(remedyPage('smaller-model', 'decide', failed('out-of-memory', model))).toBe('decide');
  expect(remedyPage('another-model', 'embed', failed('untrusted', model))).toBe('embed');
  expect(remedyPage('free-space', 'chat', failed('storage-full', model))).toBe('kept');
  expect(remedyPage('retry', 'chat', failed('timeout', model))).toBeNull();
});
