import { describe, expect, it } from 'vitest';
import { factsOf } from './download.ts';

const answer = (status: number, headers: Record<string, string>): Response => new Response('', { status, headers });

describe('what an answer says of a file', () => {
  it('is the place and the whole length, where it is a range', () => {
    const range = answer(206, { 'Content-Range': 'bytes 100-999/1000', 'Content-Length': '900', ETag: '"a"' });
    expect(factsOf(range, 100)).toEqual({ from: 100, total: 1000, version: '"a"', sha256: null });
  });

  it('is worked out of the length where the server lets no page see the range', () => {
    expect(factsOf(answer(206, { 'Content-Length': '900' }), 100)).toMatchObject({ from: 100, total: 1000 });
  });

  it('is the file from its start where the range was ignored', () => {
    expect(factsOf(answer(200, { 'Content-Length': '1000' }), 100)).toMatchObject({ from: 0, total: 1000 });
  });

  it('knows no length where none was told', () => {
    expect(factsOf(answer(200, {}), 0)).toEqual({ from: 0, total: null, version: null, sha256: null });
    expect(factsOf(answer(206, { 'Content-Range': 'bytes 0-9/*' }), 0).total).toBeNull();
  });

  it('takes a hash only from where one is meant: an ETag of the same form may be another', () => {
    const hex = 'ab'.repeat(32);
    expect(factsOf(answer(200, { 'X-Linked-ETag': `"${hex}"` }), 0).sha256).toBe(hex);
    expect(factsOf(answer(200, { ETag: `"${hex}"` }), 0).sha256).toBeNull();
    const digest = btoa(String.fromCharCode(...new Array<number>(32).fill(0xab)));
    expect(factsOf(answer(200, { 'Repr-Digest': `sha-256=:${digest}:` }), 0).sha256).toBe(hex);
  });
});
