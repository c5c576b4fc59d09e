import { expect, test } from 'vitest';
import type { RoleState } from '../../app/model-control.ts';
import { readyRoles } from '../../app/testing/plain-app.ts';
import { modelNews } from './notices.tsx';

const loading = (loaded: number): RoleState => ({
  choice: { kind: 'model', key: 'k' },
  name: 'Qwen3 0.6B',
  state: 'loading',
  progress: { phase: 'downloading', loaded, total: 100, speed: null, timeLeft: null },
  failure: null,
});
const ready: RoleState = { ...loading(100), state: 'ready', progress: null };
const failed: RoleState = {
  ...ready,
  state: 'failed',
  failure: { kind: 'out-of-memory', message: 'It needs more memory than there is.' },
};

/** What is announced while the chat model goes through these states, without the silences. */
const heard = (...states: readonly RoleState[]): string[] => {
  let before = readyRoles;
  return states.flatMap((chat) => {
    const now = { ...readyRoles, chat };
    const said = modelNews(before, now);
    before = now;
    return said === null ? [] : [said];
  });
};

test('a download is told of at its quarters, however often it reports', () => {
  const states = Array.from({ length: 101 }, (_, at) => loading(at));
  expect(heard(...states, ready)).toEqual([
    'Qwen3 0.6B: loading.',
    'Qwen3 0.6B: 25 %.',
    'Qwen3 0.6B: 50 %.',
    'Qwen3 0.6B: 75 %.',
    'Qwen3 0.6B is ready.',
  ]);
});

test('a failure is said once, with its role and what to do', () => {
  expect(heard(loading(10), failed, { ...failed })).toEqual([
    'Qwen3 0.6B: loading.',
    'Replies: Qwen3 0.6B failed. It needs more memory than there is.',
  ]);
});

test('being at work, and what ships with the page, go unsaid', () => {
  expect(heard(ready, { ...ready, state: 'busy' }, ready)).toEqual([]);
  const embedded = { ...readyRoles.chat, state: 'loading' as const };
  expect(heard(embedded, readyRoles.chat)).toEqual([]);
});

test('one model in two roles is told of once', () => {
  const both = (state: RoleState) => ({ ...readyRoles, chat: state, decide: state });
  expect(modelNews(readyRoles, both(loading(0)))).toBe('Qwen3 0.6B: loading.');
  expect(modelNews(both(loading(0)), both(ready))).toBe('Qwen3 0.6B is ready.');
});
