import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { fold } from '../domain/apply.ts';
import type { Fallback } from '../domain/decision.ts';
import { recordsOf } from '../domain/table.ts';
import { Life } from '../domain/testing/random-life.ts';
import { policyNamed } from './context/policies/policies.ts';
import { EngineCore } from './core.ts';
import { CostMeter } from './memories/memory-access.ts';
import type { Embedder, Models } from './ports.ts';
import { bagEmbedder, countingChat, firstWords, namedChat, plainModels, tagDecider } from './testing/plain-models.ts';

test('the language is detected once for a message, however many steps of its turn ask for it', async () => {
  // Test files share their modules, and the engine may already be loaded.
  vi.resetModules();
  onTestFinished(() => {
    vi.doUnmock('./text/spoken-language.ts');
    vi.resetModules();
  });
  const heard: (readonly string[])[] = [];
  vi.doMock('./text/spoken-language.ts', async (load) => {
    const original = await load<typeof import('./text/spoken-language.ts')>();
    const languageSpoken = (messages: readonly string[]) => {
      heard.push(messages);
      return original.languageSpoken(messages);
    };
    return { ...original, languageSpoken };
  });
  const { bareHost } = await import('./testing/bare-host.ts');
  const host = bareHost();
  for (const message of ['#trip one', 'two', '#code three']) await host.send(message);
  expect(heard).toEqual([['#trip one'], ['#trip one', 'two'], ['#trip one', 'two', '#code three']]);
});

/** An engine's core on a life as it is whenever it is asked, with the models that are chosen then. */
const coreOf = (life: Life, chosen: () => Partial<Models>): EngineCore =>
  new EngineCore(
    {
      models: () => plainModels(chosen()),
      embedded: { chat: namedChat('quoting'), decide: tagDecider(), summarise: firstWords },
      vectors: { readVectors: async (_, hashes) => hashes.map(() => undefined), saveVectors: async () => undefined },
      now: () => 0,
      newId: life.id,
    },
    {
      forest: () => fold(life.entries),
      commit: async (intent) => life.do(intent),
      received: () => undefined,
      phase: () => undefined,
      time: () => life.time,
    },
  );

/** An embedder that knows English only, and the texts that it was given. */
const englishEmbedder = (): { readonly embed: Embedder; readonly given: string[] } => {
  const given: string[] = [];
  const embed: Embedder['embed'] = (texts) => {
    given.push(...texts);
    return bagEmbedder.embed(texts);
  };
  return { embed: { ...bagEmbedder, languages: ['en'], embed }, given };
};

test('memories are given texts in English word by word, as turns are, in the language heard last, and focused as they are', async () => {
  const life = new Life();
  const { embed, given } = englishEmbedder();
  const core = coreOf(life, () => ({ embed }));
  const read = async (policy: string, text = 'mein fahrrad quietscht') => {
    const { memory } = await core.watchedMemory(policyNamed(policy), new AbortController().signal);
    const bill = new CostMeter(() => false, memory.now);
    await memory.tools(bill).embed([text]);
    return { by: memory.by, given: given.splice(0).at(-1) };
  };
  const before = await read('memtree');
  expect(before.given).toBe('mein fahrrad quietscht');
  for (const message of ['mein fahrrad quietscht so laut', 'und die bremse muss ich auch noch einstellen']) {
    life.place(life.send(message), null);
  }
  const german = await read('memtree');
  expect(german.given).toMatch(/^my bicycle/);
  expect(german.by).not.toBe(before.by);
  expect(await read('focused', 'mein hund bellt')).toEqual({ by: before.by, given: 'mein hund bellt' });
  // English is read as it is, so that no memory has to be made anew for it.
  for (let at = 0; at < 9; at++) life.place(life.send('and how long does it take me to repair the brakes'), null);
  expect((await read('memtree')).by).toBe(german.by);
});

test('what was said in another language is given to the embedder in English, also once the person writes English and the page is opened again', async () => {
  const life = new Life();
  for (const message of ['mein fahrrad quietscht', 'und die bremse muss ich auch noch einstellen, wie geht das']) {
    life.place(life.send(message), null);
  }
  for (let at = 0; at < 9; at++) life.place(life.send(`and how long do i boil the eggs for ${at} people`), null);
  const { embed, given } = englishEmbedder();
  await coreOf(life, () => ({ embed })).compareMessage('does my bicycle squeak', new AbortController().signal, []);
  expect(given).toContainEqual(expect.stringMatching(/^my bicycle/));
  expect(given).not.toContain('mein fahrrad quietscht');
});

describe('a model that is loaded again under its name', () => {
  /** A task that is refused once the model that it belongs to was closed. */
  const closable = <A extends unknown[], T>(task: (...args: A) => Promise<T>) => {
    let isClosed = false;
    const close = () => {
      isClosed = true;
    };
    const run = async (...args: A): Promise<T> => {
      if (isClosed) throw new Error('it was closed');
      return task(...args);
    };
    return { run, close };
  };

  test('counts what the one before, closed by now, has not counted', async () => {
    const chat = countingChat();
    const [first, second] = [closable(chat.tokens.count), closable(chat.tokens.count)];
    let tokens = { name: 'own', count: first.run };
    const core = coreOf(new Life(), () => ({ chat: { ...chat, tokens } }));
    await core.tokens.prepare(['one two']);
    first.close();
    tokens = { name: 'own', count: second.run };
    await core.tokens.prepare(['one two', 'three']);
    expect([core.tokens.count('one two'), core.tokens.count('three')]).toEqual([2, 1]);
  });

  test('is compared with, and embeds what the one before, closed by now, has not embedded', async () => {
    const [first, second] = [closable(bagEmbedder.embed), closable(bagEmbedder.embed)];
    let embed = { ...bagEmbedder, embed: first.run };
    const life = new Life();
    const core = coreOf(life, () => ({ embed }));
    const compared = async (message: string) => {
      const fallbacks: Fallback[] = [];
      const near = await core.compareMessage(message, new AbortController().signal, fallbacks);
      return { fallbacks, similarities: recordsOf(fold(life.entries).nodes).map(({ id }) => near.to(id)) };
    };
    life.place(life.send('red apples'), null);
    await compared('red apples');
    first.close();
    embed = { ...bagEmbedder, embed: second.run };
    life.place(life.send('green pears'), null);
    expect(await compared('green pears')).toEqual({ fallbacks: [], similarities: [0, expect.closeTo(1)] });
  });
});
