import { expect, test } from 'vitest';
import type { ModelChoice, RecommendedSet } from '../../app/model-control.ts';
import { readyRoles } from '../../app/testing/plain-app.ts';
import {
  byReason,
  calledAmong,
  isEmbedded,
  listOffers,
  offerFacts,
  runtimesOf,
  sameChoice,
  setDownloadWords,
  smallerThan,
  storedBytes,
} from './offer-list.ts';
import { someOffers } from './testing/some-offers.ts';

const offers = someOffers(true);
const QWEN_8 = 'webllm:Qwen3-8B-q4f16_1-MLC';
const SMOL = 'wllama:ggml-org/SmolLM2-360M-Instruct-GGUF/q8.gguf';
const LLAMA = 'webllm:Llama-3.2-3B-Instruct-q4f16_1-MLC';
const stored = [
  { key: LLAMA, name: 'Llama 3.2 3B', bytes: 612_000_000, total: 1_820_000_000 },
  { key: SMOL, name: 'SmolLM2 360M', bytes: 386_000_000, total: 386_000_000 },
];
const all = { text: '', runtime: null };
const named = (key: string) => {
  const found = offers.find((offer) => offer.key === key);
  if (found === undefined) throw new Error(`no offer ${key}`);
  return found;
};

test('the same as a chat without a language model is the embedded one', () => {
  const model = { kind: 'model', key: SMOL } as const;
  const withRoles = (chat: ModelChoice, decide: ModelChoice) => ({
    ...readyRoles,
    chat: { ...readyRoles.chat, choice: chat },
    decide: { ...readyRoles.decide, choice: decide },
  });
  expect(isEmbedded(readyRoles, 'decide')).toBe(true);
  expect(isEmbedded(withRoles({ kind: 'embedded' }, { kind: 'same-as-chat' }), 'decide')).toBe(true);
  expect(isEmbedded(withRoles(model, { kind: 'same-as-chat' }), 'decide')).toBe(false);
  expect(isEmbedded(withRoles({ kind: 'embedded' }, model), 'decide')).toBe(false);
});

test('a role lists its models that fit apart from those that do not, what is here whole first', () => {
  const { fit, unfit } = listOffers(offers, 'chat', stored, all);
  expect(fit[0]?.key).toBe(SMOL);
  expect(fit.every((offer) => offer.unfit === null && offer.roles.includes('chat'))).toBe(true);
  expect(fit.map(({ name }) => name)).not.toContain('all-MiniLM-L6-v2');
  expect(unfit.map(({ name }) => name)).toEqual(['Qwen3 8B', 'Browser’s own model']);
  expect(fit.length + unfit.length).toBe(9);
});

test.each([
  ['all of it', { bytes: 1_815_000_000, total: 1_815_000_000 }, true],
  ['a part of it', { bytes: 612_000_000, total: 1_820_000_000 }, false],
  ['a part of it, of unknown total', { bytes: 612_000_000, total: null }, false],
  ['its small files', { bytes: 17_000_000, total: 17_000_000 }, false],
])('a model of which this machine has %s', (_, kept, first) => {
  const { fit } = listOffers(offers, 'chat', [{ key: LLAMA, name: 'Llama 3.2 3B', ...kept }], all);
  expect(fit[0]?.key === LLAMA).toBe(first);
});

test('a file of one’s own, whose size no offer tells, is here', () => {
  const kept = { key: 'wllama:file:story', name: 'story-tuned.gguf', bytes: 5, total: 5 };
  expect(listOffers(offers, 'chat', [kept], all).fit[0]?.key).toBe(kept.key);
});

test('a filter finds words in any order and anywhere, and keeps to a runtime', () => {
  const names = (text: string, runtime: Parameters<typeof listOffers>[3]['runtime'] = null) =>
    listOffers(offers, 'chat', [], { text, runtime }).fit.map(({ name }) => name);
  expect(names('0.6b  QWEN')).toEqual(['Qwen3 0.6B']);
  expect(names('apache llama.cpp')).toEqual(['Qwen3 0.6B', 'SmolLM2 360M']);
  expect(names('', 'server')).toEqual(['llama3.2:3b']);
  expect(names('qwen', 'server')).toEqual([]);
  expect(runtimesOf(offers, 'embed')).toEqual(['transformers']);
});

test('what is smaller than a model that was too large is the largest that still fits', () => {
  expect(smallerThan(offers, 'chat', QWEN_8)?.name).toBe('Llama 3.2 3B');
  expect(smallerThan(offers, 'chat', LLAMA)?.name).toBe('Qwen3 1.7B');
  expect(smallerThan(offers, 'embed', 'transformers:Xenova/all-MiniLM-L6-v2:auto:auto')).toBeNull();
  expect(smallerThan(offers, 'chat', 'server:http://localhost:11434/v1:llama3.2:3b')).toBeNull();
  expect(smallerThan(offers, 'chat', 'of no offer')).toBeNull();
});

test('the facts say what is yet to be downloaded', () => {
  expect(offerFacts(named(LLAMA), 0)).toEqual(['1.8 GB to download', '3.0 GB of memory', 'medium', 'Llama 3.2']);
  expect(offerFacts(named(LLAMA), storedBytes(stored, LLAMA))[0]).toBe('1.2 GB yet to download');
  expect(offerFacts(named(SMOL), storedBytes(stored, SMOL))[0]).toBe('on this machine');
  expect(offerFacts(named(LLAMA), null)[0]).toBe('3.0 GB of memory');
  expect(offerFacts(named('server:http://localhost:11434/v1:llama3.2:3b'), 0)).toEqual(['no download']);
});

test('a recommended set says what is yet to be downloaded of it', () => {
  const ships = { kind: 'embedded' } as const;
  const set = (key: string): RecommendedSet => ({
    choices: { chat: { kind: 'model', key }, decide: ships, summarise: { kind: 'same-as-chat' }, embed: ships },
    about: '',
    downloadBytes: offers.find((offer) => offer.key === key)?.downloadBytes ?? 0,
  });
  expect(setDownloadWords(set(LLAMA), offers, [])).toBe('1.8 GB to download');
  expect(setDownloadWords(set(LLAMA), offers, stored)).toBe('1.2 GB yet to download');
  expect(setDownloadWords(set(SMOL), offers, stored)).toBe('all here');
  const smaller = { key: LLAMA, name: 'Llama 3.2 3B', bytes: 1_800_000_000, total: 1_800_000_000 };
  expect(setDownloadWords(set(LLAMA), offers, [smaller])).toBe('all here');
  expect(setDownloadWords(set('prompt-api'), offers, [])).toBe('all here');
});

test('a name that two have is told apart by what runs them', () => {
  const llama = named(LLAMA);
  const twin = { ...llama, key: 'wllama:twin', runtime: 'wllama' as const };
  expect(calledAmong([...offers, twin], twin)).toBe('Llama 3.2 3B (llama.cpp)');
  expect(calledAmong([...offers, twin], llama)).toBe('Llama 3.2 3B (WebLLM)');
  expect(calledAmong(offers, llama)).toBe('Llama 3.2 3B');
});

test('a reason that many share is told once', () => {
  const { unfit } = listOffers(someOffers(false), 'chat', [], all);
  expect(byReason(unfit).map(({ offers: alike }) => alike.length)).toEqual([3, 1]);
});

test('choices are the same by what they choose', () => {
  expect(sameChoice({ kind: 'model', key: 'a' }, { kind: 'model', key: 'a' })).toBe(true);
  expect(sameChoice({ kind: 'model', key: 'a' }, { kind: 'model', key: 'b' })).toBe(false);
  expect(sameChoice({ kind: 'embedded' }, { kind: 'embedded' })).toBe(true);
  expect(sameChoice({ kind: 'embedded' }, { kind: 'same-as-chat' })).toBe(false);
});
