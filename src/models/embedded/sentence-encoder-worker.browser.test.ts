import { afterEach, describe, expect, it } from 'vitest';
import type { ModelState } from '../runtimes/runtime.ts';
import { createEncoderClient, type EncoderClient } from './encoder-client.ts';

const FOLDER = new URL('/models/use-lite-en/', location.href).href;

describe('the sentence encoder in its worker', () => {
  const states: ModelState['state'][] = [];
  let client: EncoderClient | null = null;
  const open = (folder: string): EncoderClient => {
    states.length = 0;
    client = createEncoderClient(folder, ({ state }) => states.push(state));
    return client;
  };
  afterEach(() => client?.close());

  it('loads on first use, embeds and counts, and says what it is doing', async () => {
    const encoder = open(FOLDER);
    const [a, b, c] = await encoder.embed([
      'How do I sort a list in Python?',
      'Which Python function puts a list in order?',
      '',
    ]);
    if (!a || !b || !c) throw new Error('a vector is missing');
    expect(a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0)).toBeCloseTo(0.84, 1);
    expect(Math.hypot(...c)).toBe(0);
    expect(await encoder.count(['The ferry to the island leaves at nine.', ''])).toEqual([11, 0]);
    expect(states).toContain('loading');
    await expect.poll(() => states.at(-1)).toBe('ready');
    expect(states.filter((state) => state === 'busy')).toHaveLength(1);
  });

  it('keeps the order of many texts, with a count in between', async () => {
    const encoder = open(FOLDER);
    const texts = Array.from({ length: 50 }, (_, i) => `${i} bottles of juice stand on the table.`);
    const [vectors, counts] = await Promise.all([encoder.embed(texts), encoder.count(texts)]);
    expect(vectors).toHaveLength(50);
    expect(counts).toHaveLength(50);
    expect(vectors[37]).toEqual((await encoder.embed([texts[37] ?? '']))[0]);
  });

  it('lets whoever cannot wait go before what can', async () => {
    const encoder = open(FOLDER);
    await encoder.load();
    const ended: string[] = [];
    const many = Array.from({ length: 60 }, (_, i) => `${i} pears lie in the basket.`);
    const waiting = encoder.embed(many, undefined, 'idle').then((vectors) => {
      ended.push('idle');
      return vectors;
    });
    for (const text of ['How long do pears keep?', 'And apples?']) {
      await encoder.embed([text]);
      ended.push(text);
    }
    expect(ended).toEqual(['How long do pears keep?', 'And apples?']);
    expect((await waiting)[59]).toEqual((await encoder.embed([many[59] ?? '']))[0]);
    const stop = new AbortController();
    const never = encoder.embed(['Never.'], stop.signal, 'idle');
    stop.abort();
    await expect(never).rejects.toThrow('abort');
  });

  it('rejects with a reason when its files are not there, and starts afresh on the next call', async () => {
    const encoder = open(new URL('/nowhere/', location.href).href);
    await expect(encoder.load()).rejects.toThrow('The embedded sentence encoder failed');
    expect(states.at(-1)).toBe('failed');
    await expect(encoder.embed(['again'])).rejects.toThrow('The embedded sentence encoder failed');
    expect(states.filter((state) => state === 'failed')).toHaveLength(2);
  });

  it('ends a call at once when it is aborted, and goes on with others', async () => {
    const encoder = open(FOLDER);
    await encoder.load();
    const stop = new AbortController();
    const long = encoder.embed(
      Array.from({ length: 500 }, (_, i) => `Sentence number ${i}.`),
      stop.signal,
    );
    stop.abort();
    await expect(long).rejects.toThrow('abort');
    expect(await encoder.embed(['Next.'])).toHaveLength(1);
    await expect(encoder.embed(['Never.'], stop.signal)).rejects.toThrow('abort');
  });

  it('rejects what is under way when it is closed', async () => {
    const encoder = open(FOLDER);
    const call = encoder.embed(['Too late.']);
    encoder.close();
    await expect(call).rejects.toThrow('closed');
    expect(states.at(-1)).toBe('idle');
  });
});
