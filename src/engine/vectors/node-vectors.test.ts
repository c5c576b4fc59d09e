import { expect, test, vi } from 'vitest';
import { RECALL } from '../../domain/forest.ts';
import type { Intent } from '../../domain/handle.ts';
import { nodeOf } from '../../domain/queries.ts';
import { recordsOf } from '../../domain/table.ts';
import { Life } from '../../domain/testing/random-life.ts';
import type { Embedder } from '../ports.ts';
import { StorageFailure } from '../storage.ts';
import { Queue } from '../tasks.ts';
import { bagEmbedder, gate } from '../testing/plain-models.ts';
import { contentHash, NodeVectors, startOf, vectorsAsWritten } from './node-vectors.ts';

type Cache = ConstructorParameters<typeof NodeVectors>[1];

const NO_CACHE: Cache = {
  readVectors: async (_, hashes) => hashes.map(() => undefined),
  saveVectors: async () => undefined,
};

/** Vectors of a conversation whose first message was embedded before its language was known, by an embedder that records its input. */
const firstRead = async (message: string, cache = NO_CACHE) => {
  const life = new Life();
  const nodeId = life.send(message);
  life.place(nodeId, null);
  const given: string[] = [];
  let fails = false;
  const embedder: Embedder = {
    name: 'notes',
    dimensions: 1,
    theta: 0.6,
    languages: ['en'],
    embed: async (texts) => {
      if (fails) throw new Error('no embedder');
      given.push(...texts);
      return texts.map(() => Float32Array.of(given.length));
    },
  };
  const vectors = new NodeVectors(embedder, cache);
  await vectors.ensure([nodeOf(life.forest, nodeId)], () => null);
  const readAnew = (spoken: string | null) => vectors.readAnew(life.forest, () => spoken);
  const failing = (now: boolean) => {
    fails = now;
  };
  return {
    given,
    embedder,
    life,
    vectors,
    nodeId,
    readAnew,
    failing,
    similarity: () => vectors.table.similarity(nodeId, Float32Array.of(1)),
  };
};

test('what was said before its language could be told is read in it, once it can be', async () => {
  const { given, readAnew, similarity } = await firstRead('mein fahrrad quietscht');
  expect(given).toEqual(['mein fahrrad quietscht']);
  await readAnew(null);
  expect(given).toHaveLength(1);
  await readAnew('de');
  expect(given[1]).toMatch(/^my bicycle/);
  expect(similarity()).toBe(2);
  // Only once.
  await readAnew('de');
  expect(given).toHaveLength(2);
});

test('a text is embedded once, also one that the embedder received in other words, and again once it says something else', async () => {
  const { given, life, vectors, nodeId, readAnew } = await firstRead('mein fahrrad quietscht');
  await readAnew('de');
  const again = async (message: string) => {
    await vectors.ensure([{ ...nodeOf(life.forest, nodeId), message }], () => 'de');
    return given.length;
  };
  expect(await again('mein fahrrad quietscht')).toBe(2);
  expect(await again('my bicycle squeaks')).toBe(3);
  expect(await again('my bicycle squeaks')).toBe(3);
  expect(await again('mein fahrrad quietscht')).toBe(4);
});

test('the vector of a message that was put into English is cached by what was written as well, for a search alone', async () => {
  const kept = new Map<string, Float32Array>();
  const cache: Cache = {
    readVectors: async (model, hashes) => hashes.map((hash) => kept.get(`${model} ${hash}`)),
    saveVectors: async (model, vectors) => {
      for (const [hash, vector] of vectors) kept.set(`${model} ${hash}`, vector);
    },
  };
  const message = 'mein fahrrad quietscht';
  const { given, embedder, life, vectors, nodeId, readAnew } = await firstRead(message, cache);
  const nodes = [nodeOf(life.forest, nodeId)];
  const found = async () => (await vectorsAsWritten(cache, embedder, [contentHash(message)]))[0];
  expect(await found()).toEqual(Float32Array.of(1));
  await readAnew('de');
  expect(await found()).toEqual(Float32Array.of(2));
  // What the embedder makes of the text as it stands is another vector.
  expect(await cache.readVectors(embedder.name, [contentHash(message)])).toEqual([Float32Array.of(1)]);

  kept.clear();
  await vectors.save(nodes);
  expect(await found()).toEqual(Float32Array.of(2));

  // As it was cached before a search could find it.
  for (const key of kept.keys()) if (key.endsWith(contentHash(message))) kept.delete(key);
  expect(await found()).toBeUndefined();
  await new NodeVectors(embedder, cache).ensure(nodes, () => 'de');
  expect(await found()).toEqual(Float32Array.of(2));
  expect(given).toHaveLength(2);
});

test('vectors that are made up leave the page to everything else, those that a message waits for do not', async () => {
  const { vectors, life } = await firstRead('my bicycle squeaks');
  const priorities = new Set<string>();
  const postTask = async (_: () => void, { priority }: { priority: string }) => void priorities.add(priority);
  vi.stubGlobal('scheduler', { postTask });
  let clock = 0;
  const time = vi.spyOn(performance, 'now').mockImplementation(() => (clock += 10));
  try {
    const nodes = [nodeOf(life.forest, life.say(null, 'and its chain'))];
    await vectors.makeUp(nodes, () => 'en');
    expect([...priorities]).toEqual(['background']);
    priorities.clear();
    await vectors.ensure(nodes, () => 'en');
    expect([...priorities]).toEqual(['user-visible']);
  } finally {
    time.mockRestore();
    vi.unstubAllGlobals();
  }
});

test('of very many that were said before, each message waits for some, and none is left as it was', async () => {
  const { given, vectors, life, readAnew } = await firstRead('mein fahrrad quietscht');
  for (let at = 0; at < 99; at++) life.say(null, `mein fahrrad quietscht ${at}`);
  await vectors.ensure(recordsOf(life.forest.nodes), () => null);
  const readInEnglish = () => given.filter((text) => text.startsWith('my bicycle')).length;
  await readAnew('de');
  expect(readInEnglish()).toBe(64);
  await readAnew('de');
  expect(readInEnglish()).toBe(100);
});

test('each is read in the language of its time', async () => {
  const { given, vectors, life } = await firstRead('mein fahrrad quietscht');
  const nodes = ['mein hund bellt', 'my dog barks', 'mein auto'].map((message) =>
    nodeOf(life.forest, life.say(null, message)),
  );
  await vectors.ensure(nodes, ({ number }) => (number === 3 ? 'en' : 'de'));
  expect(given.slice(1)).toEqual([expect.stringMatching(/^my dog/), 'my dog barks', expect.stringMatching(/^my car/)]);
});

test('where the embedder knows the language, it stays', async () => {
  const { given, readAnew } = await firstRead('my bicycle squeaks');
  await readAnew('en');
  await readAnew('de');
  expect(given).toEqual(['my bicycle squeaks']);
});

test('an embedder that fails meanwhile leaves what there was, and it is read the next time', async () => {
  const { readAnew, failing, similarity } = await firstRead('mein fahrrad quietscht');
  failing(true);
  await expect(readAnew('de')).rejects.toThrow('no embedder');
  expect(similarity()).toBe(1);
  failing(false);
  await readAnew('de');
  expect(similarity()).toBe(2);
});

test('the beginning of a reply does not end in half an emoji', () => {
  expect(startOf(`${'x'.repeat(499)}😀 and so on`)).toBe('x'.repeat(499));
});

test('a reply that gave way to one that only quotes is compared no longer', async () => {
  const { vectors, nodeId, life } = await firstRead('my bicycle squeaks');
  const similarity = () => vectors.replies.similarity(nodeId, Float32Array.of(1));
  const reply = (replyId: string, model: string, text: string) => {
    const record = (event: (Intent & { type: 'record' })['event']) => life.do({ type: 'record', step: null, event });
    record({ type: 'reply-started', nodeId, replyId, model, context: null });
    record({ type: 'reply-received', nodeId, replyId, text });
    return vectors.ensureReplies([nodeOf(life.forest, nodeId)], () => null);
  };
  await reply('r1', 'm', 'Oil it.');
  expect(similarity()).toBe(2);
  await reply('r2', RECALL, 'my bicycle squeaks');
  expect(similarity()).toBeNull();
  await reply('r3', 'm', 'Oil it.');
  expect(similarity()).toBe(3);
});

test('a turn that is purged while it is embedded leaves no vector, and of a conversation that was left no more are made', async () => {
  const life = new Life();
  const ids = Array.from({ length: 100 }, () => life.say(null));
  const gone = new Set<string>();
  const saved = new Set<string>();
  const held = gate();
  let asked = 0;
  const embedder: Embedder = {
    ...bagEmbedder,
    embed: async (texts) => {
      asked += texts.length;
      await held.opened;
      return bagEmbedder.embed(texts);
    },
  };
  const cache = {
    readVectors: async (_: string, hashes: readonly string[]) => hashes.map(() => undefined),
    saveVectors: async (_: string, vectors: ReadonlyMap<string, Float32Array>) => {
      for (const hash of vectors.keys()) saved.add(hash);
    },
  };
  const queue = new Queue();
  const live = { isThere: (id: string) => !gone.has(id), inQueue: queue.run.bind(queue) };
  const vectors = new NodeVectors(embedder, cache, null, live);
  const made = vectors.makeUp(recordsOf(life.forest.nodes), () => null);
  await vi.waitFor(() => expect(asked).toBe(32));
  // All but the first are purged in the queue, which the vectors wait for.
  const purged = queue.run(async () => {
    for (const id of ids.slice(1)) gone.add(id);
  });
  held.open();
  await Promise.all([made, purged]);
  expect([...saved]).toEqual([contentHash(`said-${ids[0]}`)]);
  expect(asked).toBe(32);
  // Nor do others that use these as well.
  await new NodeVectors(embedder, cache, vectors).ensure(recordsOf(life.forest.nodes), () => null);
  expect(asked).toBe(100);
  expect(saved.size).toBe(1);
});

test('vectors that find no room in the cache are used all the same', async () => {
  const life = new Life();
  life.say(null);
  const nodes = recordsOf(life.forest.nodes);
  const cache = {
    readVectors: async (_: string, hashes: readonly string[]) => hashes.map(() => undefined),
    saveVectors: () => Promise.reject(new Error('no room')),
  };
  const vectors = new NodeVectors(bagEmbedder, cache);
  await expect(vectors.ensure(nodes, () => null)).rejects.toThrow('no room');
  expect(vectors.countLacking(life.forest)).toBe(0);
  await vectors.ensure(nodes, () => null);
});

test('vectors that were found in the cache are used, though they find no room there for a search', async () => {
  const message = 'mein fahrrad quietscht';
  const { given, embedder, life, vectors, nodeId, readAnew } = await firstRead(message);
  await readAnew('de');
  const [, english = ''] = given;
  const found = new NodeVectors(embedder, {
    readVectors: async (model, hashes) =>
      hashes.map((hash) => (model === embedder.name && hash === contentHash(english) ? Float32Array.of(2) : undefined)),
    saveVectors: () => Promise.reject(new StorageFailure('full', 'No space is left.')),
  });
  await found.ensure([nodeOf(life.forest, nodeId)], () => 'de');
  expect(found.table.vectorOf(nodeId)).toEqual(vectors.table.vectorOf(nodeId));
  expect(given).toHaveLength(2);
});
