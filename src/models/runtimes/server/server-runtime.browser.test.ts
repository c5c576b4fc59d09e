import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { commands } from 'vitest/browser';
import { serverRuntime } from './server-runtime.ts';
import { answered, loading, question } from './testing/asking.ts';
import type { OpenAiServerOptions } from './testing/open-ai-server.ts';

/*
 * What only a browser does, since it stands between the page and the server.
 */

let address = '';
beforeEach(() => {
  address = '';
});
afterEach(() => commands.stopServer(address));

const start = async (options: OpenAiServerOptions) => {
  address = await commands.startServer(options);
};
const load = (key = '') =>
  serverRuntime({ keyFor: () => key }).loadGenerator(
    { runtime: 'server', baseUrl: address, model: 'small-model' },
    loading(),
  );

describe('from a page', () => {
  test('it is isolated, and may all the same ask whether a server is there', async () => {
    expect(crossOriginIsolated).toBe(true);
    await start({ cors: false });
    await expect(fetch(`${address}/models`, { mode: 'no-cors' })).resolves.toBeInstanceOf(Response);
  });

  test('an answer streams through the browser, key and all', async () => {
    await start({ key: 'k' });
    const generator = await load('k');
    expect(await answered(generator)).toEqual({ text: 'You said: Hello there', error: null });
  });

  test('a server that lets no page read it is told from one that is not there', async () => {
    await start({ cors: false });
    await expect(load()).rejects.toMatchObject({
      kind: 'cors',
      message: expect.stringContaining(`OLLAMA_ORIGINS=${location.origin}`),
    });
    await commands.stopServer(address);
    await expect(load()).rejects.toMatchObject({
      kind: 'unreachable',
      message: expect.stringContaining('Is the server running'),
    });
  });

  test('a server that gives pages no leave to send a key or JSON', async () => {
    await start({ cors: 'simple', key: 'k' });
    await expect(load('k')).rejects.toMatchObject({ kind: 'cors' });
    await commands.stopServer(address);
    await start({ cors: 'simple' });
    const generator = await load();
    expect((await answered(generator)).error).toMatchObject({ kind: 'cors' });
  });

  test('a connection that broke before the answer is not taken for a refusal', async () => {
    await start({});
    const generator = await load();
    // Browsers retry by themselves when a kept-alive connection breaks.
    for (let i = 0; i < 3; i++) await commands.failNext(address, { kind: 'reset' });
    expect((await answered(generator)).error).toMatchObject({
      kind: 'unreachable',
      message: expect.stringContaining('closed the connection'),
    });
  });

  test('a cut stream keeps what came', async () => {
    await start({ answer: 'one two three four five', pieceDelay: 20 });
    const generator = await load();
    await commands.failNext(address, { kind: 'cut', after: 2 });
    expect(await answered(generator)).toMatchObject({ text: 'one two', error: { kind: 'stream-cut' } });
  });

  test('stopping ends the answer at once', async () => {
    await start({ answer: 'word '.repeat(500), pieceDelay: 5 });
    const generator = await load();
    const controller = new AbortController();
    let text = '';
    for await (const piece of generator.generate(question(), controller.signal)) {
      text += piece;
      if (text.length > 20) controller.abort();
    }
    expect(text.length).toBeLessThan(500);
  });
});
