import { expect, test } from 'vitest';
import { baseUrlOf, isLoopback, isOnLocalNetwork, rootOf } from './base-url.ts';

test.each([
  ['localhost:11434', 'http://localhost:11434/v1'],
  [' http://localhost:1234/v1/ ', 'http://localhost:1234/v1'],
  ['127.0.0.1:8080', 'http://127.0.0.1:8080/v1'],
  ['[::1]:8080', 'http://[::1]:8080/v1'],
  ['workstation:8000', 'http://workstation:8000/v1'],
  ['gpu.local:8000', 'http://gpu.local:8000/v1'],
  ['api.example.com', 'https://api.example.com/v1'],
  ['https://api.example.com/v1/chat/completions', 'https://api.example.com/v1'],
  ['http://localhost:8080/v1/models', 'http://localhost:8080/v1'],
  ['https://example.com/api/openai/', 'https://example.com/api/openai'],
  ['HTTPS://Example.com/v1?x=1#y', 'https://example.com/v1'],
])('%j is %s', (typed, base) => {
  expect(baseUrlOf(typed)).toBe(base);
  expect(baseUrlOf(base)).toBe(base);
});

test.each([[''], ['   '], ['ftp://host/v1'], ['http://'], ['two words'], ['http://name:secret@host/v1']])(
  '%j is refused in words that do not repeat a password',
  (typed) => {
    expect(() => baseUrlOf(typed)).toThrow(expect.objectContaining({ kind: 'unreachable' }));
    expect(() => baseUrlOf(typed)).not.toThrow(/secret/);
  },
);

test.each([
  ['http://10.0.0.2:11434/v1', true],
  ['http://172.16.0.1/v1', true],
  ['http://172.32.0.1/v1', false],
  ['http://192.168.1.5:8080/v1', true],
  ['http://169.254.1.1/v1', true],
  ['http://192.0.2.1/v1', false],
  ['http://[fd12:3456::1]:8000/v1', true],
  ['http://[fe80::1]/v1', true],
  ['http://[2001:db8::1]/v1', false],
  ['http://gpu.local:8000/v1', true],
  ['http://10.0.0.2.example.com/v1', false],
])('%s shows that it is on the local network: %j', (baseUrl, isLocal) => {
  expect(isOnLocalNetwork(baseUrl)).toBe(isLocal);
});

test('what is on this machine, and what is not', () => {
  expect(['http://localhost:1/v1', 'http://127.0.0.1:1/v1', 'http://[::1]:1/v1'].map(isLoopback)).toEqual([
    true,
    true,
    true,
  ]);
  expect(isLoopback('http://127.0.0.1.example.com/v1')).toBe(false);
  expect(rootOf('http://localhost:11434/v1')).toBe('http://localhost:11434');
});
