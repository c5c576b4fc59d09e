import { expect, test } from 'vitest';
import type { RoleState } from '../../app/model-control.ts';
import { readyRoles } from '../../app/testing/plain-app.ts';
import { GIVEN, type Node, type Reply } from '../../domain/forest.ts';
import { forestOf } from '../chat/testing/small-forest.ts';
import { modelNews, progressWords } from './notices.tsx';

const loading = (loaded: number): RoleState => ({
  choice: { kind: 'model', key: 'k' },
  name: 'Qwen3 0.6B',
  answering: 'recall',
  previous: null,
  missing: false,
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

test('what was cancelled is not said to have failed', () => {
  const message = 'Qwen3 0.6B was not loaded. Try again.';
  expect(heard(loading(10), { ...failed, failure: { kind: 'closed', message } })).toEqual([
    'Qwen3 0.6B: loading.',
    'Replies: Qwen3 0.6B was not loaded. Try again.',
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

test.each<[string, Partial<Reply>]>([
  ['Turn 2 has a reply.', {}],
  ['Turn 2 has a reply.', { model: GIVEN, text: '' }],
  ['Turn 2: the reply was stopped.', { state: 'stopped' }],
  ['Turn 2: the reply failed. The worker is gone.', { state: 'failed', failure: 'The worker is gone' }],
  ['Turn 2: the reply is empty.', { text: '<think>Hm.</think>' }],
])('how a reply ended is told as it is: %s', (words, parts) => {
  const forest = forestOf([[null], [1]]);
  const node = forest.nodes.n2 as Node;
  const reply: Reply = {
    id: 'r',
    text: 'Some of it',
    state: 'done',
    model: 'Qwen',
    at: 0,
    failure: null,
    context: null,
    timings: [],
    usage: null,
    ...parts,
  };
  forest.nodes.n2 = { ...node, replyId: 'r', replies: [reply] };
  const turn = { nodeId: 'n2', phase: 'summarising' as const, replyId: null, unsaved: '' };
  expect(progressWords({ turn, forest })).toBe(words);
});
