import { expect, test } from 'vitest';
import type { ModelChoice, Progress, RoleState } from '../../app/model-control.ts';
import { readyRoles } from '../../app/testing/plain-app.ts';
import type { Role } from '../../domain/decision.ts';
import type { ModelFailureKind, Remedy } from '../../engine/model-failure.ts';
import {
  meanwhileWords,
  previousWords,
  progressFacts,
  remediesFor,
  remedyPage,
  shareOf,
  stateWords,
  timeWords,
} from './model-words.ts';

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
  expect(stateWords(failed('out-of-memory', model))).toBe('failed');
  expect(stateWords(failed('closed', model))).toBe('not loaded');
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

test('while a model loads it is said who does its work, and where that sends the text, …', () => {
  const loading: RoleState = { ...failed('unknown', model), state: 'loading', failure: null };
  const previous = { name: 'Old-1B', leavesFor: null };
  expect(meanwhileWords('chat', loading)).toBe('The embedded model stays in use until this one is ready.');
  expect(meanwhileWords('chat', { ...loading, missing: true })).toBe('Messages wait until it is ready.');
  expect(meanwhileWords('decide', { ...loading, missing: true })).toMatch(/embedded model stands in/);
  expect(meanwhileWords('chat', { ...loading, previous })).toBe('Old-1B stays in use until this one is ready.');
  expect(meanwhileWords('chat', { ...loading, previous: { ...previous, leavesFor: 'http://here/v1' } })).toBe(
    'Old-1B stays in use until this one is ready. Text of the conversation leaves this browser for http://here/v1.',
  );
});

test('… and where it failed, who goes on doing its work', () => {
  const previous = { name: 'Old-1B', leavesFor: null };
  expect(previousWords({ ...failed('out-of-memory', model), previous })).toBe('Old-1B stays in use.');
  expect(previousWords(failed('out-of-memory', model))).toBeNull();
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
  previous: null,
  missing: false,
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

test('a remedy that is a place leads there: a server’s settings to the server, also for those that use the chat’s', () => {
  const server: ModelChoice = { kind: 'model', key: 'server:http://localhost:11434/v1:llama3.2' };
  const same: ModelChoice = { kind: 'same-as-chat' };
  const page = (remedy: Remedy, role: Role, kind: ModelFailureKind, choice: ModelChoice = model) =>
    remedyPage(remedy, role, { ...readyRoles, [role]: failed(kind, choice) });
  expect(page('settings', 'chat', 'cors', server)).toBe('server');
  expect(page('settings', 'chat', 'not-found')).toBe('add');
  for (const [chat, found] of [
    [server, 'server'],
    [model, 'add'],
  ] as const) {
    const models = { ...readyRoles, chat: failed('unauthorised', chat), summarise: failed('unauthorised', same) };
    expect(remedyPage('settings', 'summarise', models)).toBe(found);
  }
  expect(page('smaller-model', 'decide', 'out-of-memory')).toBe('decide');
  expect(page('another-model', 'embed', 'untrusted')).toBe('embed');
  expect(page('free-space', 'chat', 'storage-full')).toBe('kept');
  expect(page('retry', 'chat', 'timeout')).toBeNull();
});
