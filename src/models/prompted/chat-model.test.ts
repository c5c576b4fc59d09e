import { expect, test } from 'vitest';
import type { Usage } from '../../domain/reply.ts';
import { ModelFailure } from '../../engine/model-failure.ts';
import type { ChatRequest } from '../../engine/ports.ts';
import { watchedGenerator } from '../runtimes/runtime.ts';
import { chatModel } from './chat-model.ts';
import { scriptedGenerator } from './testing/scripted-generator.ts';

const request = (parts: Partial<ChatRequest> = {}): ChatRequest => ({
  messages: [{ role: 'user', content: 'Hello' }],
  begun: '',
  settings: { systemPrompt: null, temperature: 0.3, topP: 0.9, maxTokens: 50 },
  quotable: () => ({ path: [], nearest: [] }),
  ...parts,
});
const replyOf = async (say: string | Error, asked = request(), signal = new AbortController().signal) => {
  let text = '';
  for await (const piece of chatModel(scriptedGenerator(say)).reply(asked, signal)) text += piece;
  return text;
};

test('hands on messages and settings, and streams what comes, usage included', async () => {
  const usage: Usage = { prefilled: 3, reused: 7, generated: 2 };
  const generator = scriptedGenerator((asked) => {
    asked.onUsage?.(usage);
    return 'Good morning to you.';
  });
  const told: Usage[] = [];
  const pieces: string[] = [];
  const signal = new AbortController().signal;
  for await (const piece of chatModel(generator).reply(request({ onUsage: (one) => told.push(one) }), signal)) {
    pieces.push(piece);
  }
  expect(pieces.join('')).toBe('Good morning to you.');
  expect(pieces.length).toBeGreaterThan(1);
  expect(told).toEqual([usage]);
  expect(generator.requests[0]).toMatchObject({
    messages: [{ role: 'user', content: 'Hello' }],
    temperature: 0.3,
    topP: 0.9,
    maxTokens: 50,
    schema: null,
  });
});

test('an empty reply is a failure, but going on with one that was finished is not, nor one that was stopped', async () => {
  await expect(replyOf(' \n')).rejects.toMatchObject({ kind: 'empty' });
  expect(await replyOf('', request({ begun: 'Good' }))).toBe('');
  expect(await replyOf('Good morning', request(), AbortSignal.abort())).toBe('');
});

test('the failure of its model is its own', async () => {
  await expect(replyOf(new ModelFailure('stream-cut', 'cut'))).rejects.toMatchObject({ kind: 'stream-cut' });
});

test('its counter says whether it counts or estimates', () => {
  expect(chatModel(scriptedGenerator('')).tokens.name).toBe('scripted');
  expect(chatModel(scriptedGenerator('', { estimates: true })).tokens.name).toBe('≈ characters');
});

test('says what its model is like, also of one that is watched', () => {
  const watch = { active: () => undefined, refused: () => undefined };
  const like = (parts: Parameters<typeof scriptedGenerator>[1]) =>
    chatModel(watchedGenerator(scriptedGenerator('', parts), watch));
  expect(like({ sees: true, forgetsThoughts: true })).toMatchObject({ sees: true, forgetsThoughts: true });
  expect(like({})).toMatchObject({ sees: false, forgetsThoughts: false });
});
