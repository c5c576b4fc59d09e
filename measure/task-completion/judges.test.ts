import { expect, test } from 'vitest';
import { judgesNamed } from './judges.ts';

const chat = { model: 'talker', address: 'http://localhost:11434/v1', key: 'first' };
const keys = { COPPICE_JUDGE_KEY_1: 'one', COPPICE_JUDGE_KEY_2: 'two' };
const at = (name: string) => judgesNamed([name], chat, keys)[0];

test('the chat model judges itself where nobody else is named', () => {
  expect(judgesNamed([], chat, keys)).toEqual([chat]);
});

test('a judge is at the same server, or at the address after its @, with a key of its own', () => {
  expect(at('strict')).toEqual({ ...chat, model: 'strict' });
  expect(at('strict@localhost:11434')).toEqual({ ...chat, model: 'strict' });
  expect(judgesNamed(['strict', 'org/other:7b@https://api.example.com'], chat, keys)[1]).toEqual({
    model: 'org/other:7b',
    address: 'https://api.example.com/v1',
    key: 'two',
  });
  expect(at('strict@10.0.0.2:8000')).toMatchObject({ address: 'http://10.0.0.2:8000/v1', key: 'one' });
  expect(judgesNamed(['strict@10.0.0.2:8000'], chat, {})[0]?.key).toBe('');
});

test('an @ of its own name is no address', () => {
  for (const name of ['small@q4_k_m', '@cf/meta/llama']) expect(at(name)).toMatchObject({ model: name, key: 'first' });
  expect(at('small@q4_k_m@10.0.0.2:8000')).toMatchObject({ model: 'small@q4_k_m', key: 'one' });
});

test('the same judge by two spellings of its address is one', () => {
  expect(() => judgesNamed(['strict', 'strict@http://localhost:11434/'], chat, keys)).toThrow(/Both judges are strict/);
  expect(() => judgesNamed(['strict@http://'], chat, keys)).toThrow(/not a web address/);
});
