import { expect, test } from 'vitest';
import type { Choice, RoleState } from '../../app/model-control.ts';
import type { ModelFailureKind } from '../../engine/model-failure.ts';
import { remediesFor, remedyPage } from './remedies.ts';

const failed = (kind: ModelFailureKind, choice: Choice): RoleState => ({
  choice,
  name: 'x',
  state: 'failed',
  progress: null,
  failure: { kind, message: 'It failed.' },
});
const model: Choice = { kind: 'model', key: 'webllm:x' };

test('what ships can only be tried again; another model can always give way to it', () => {
  expect(remediesFor(failed('worker-died', { kind: 'embedded' }))).toEqual(['retry']);
  expect(remediesFor(failed('out-of-memory', model))).toEqual(['smaller-model', 'embedded']);
  expect(remediesFor(failed('storage-full', model))).toContain('embedded');
  expect(remediesFor({ ...failed('unknown', model), failure: null })).toEqual([]);
});

test('a remedy that is a place leads there: a server’s settings to the server', () => {
  const server: Choice = { kind: 'model', key: 'server:http://localhost:11434/v1:llama3.2' };
  expect(remedyPage('settings', 'chat', failed('cors', server))).toBe('server');
  expect(remedyPage('settings', 'chat', failed('not-found', model))).toBe('add');
  expect(remedyPage('smaller-model', 'decide', failed('out-of-memory', model))).toBe('decide');
  expect(remedyPage('free-space', 'chat', failed('storage-full', model))).toBe('kept');
  expect(remedyPage('retry', 'chat', failed('timeout', model))).toBeNull();
});
