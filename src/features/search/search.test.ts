import { describe, expect, test, vi } from 'vitest';
import { plainApp, toldOfChanges } from '../../app/testing/plain-app.ts';
import { recordsOf } from '../../domain/table.ts';
import type { Storage, TextsRow } from '../../engine/storage.ts';
import { bagEmbedder, countingChat, plainModels } from '../../engine/testing/plain-models.ts';
import { memoryStorage } from '../../storage/memory-storage.ts';
import { openSearch, type SearchResults } from './search.ts';

const never = new AbortController().signal;

/** Keeps searchable texts as a database does, until the log they are of has changed. */
const withTexts = (): Storage => {
  const storage = memoryStorage();
  const texts = new Map<string, TextsRow>();
  const keyOf = (id: string, part: number) => `${id} ${part}`;
  return {
    ...storage,
    append: (entries, meta) => {
      for (const [key, { conversationId }] of texts) if (conversationId === meta.id) texts.delete(key);
      return storage.append(entries, meta);
    },
    clear: async () => texts.clear(),
    textsKept: async () => [...texts.values()].flatMap((row) => (row.part === 0 ? [row.conversationId] : [])),
    readTexts: async (parts) => parts.map(([id, part]) => texts.get(keyOf(id, part))),
    saveTexts: async (row) => {
      texts.set(keyOf(row.conversationId, row.part), row);
      return true;
    },
  };
};

const excerpts = async ({ hits }: SearchResults) =>
  Promise.all(hits.map(async ({ excerpt }) => (await excerpt()).text));

const said = async (given: Storage | string, ...others: string[]) => {
  const [storage, messages] = typeof given === 'string' ? [memoryStorage(), [given, ...others]] : [given, others];
  const app = await plainApp(countingChat(), { storage });
  for (const message of messages) await app.actions.send(message);
  const find = (query: string): Promise<SearchResults> =>
    app.part(openSearch).then((search) => search.find(query, never, () => undefined));
  const numbers = async (query: string) => (await find(query)).hits.map(({ number }) => number);
  const idOf = (number: number): string =>
    recordsOf(app.store.getState().forest.nodes).find((node) => node.number === number)?.id ?? '';
  return { ...app, find, numbers, idOf };
};

describe('a search', () => {
  test('finds turns of the open conversation and of others, with the way to them', async () => {
    const { actions, store, find } = await said('#trip a flat in Lisbon', '#code a broken parser');
    const first = store.getState().conversationId;
    await actions.newConversation();
    await actions.send('#trip trains from Lisbon');
    const { hits, done } = await find('lisbon');
    expect(done).toBe(true);
    expect(hits.map(({ conversationId, number }) => [conversationId, number])).toEqual([
      [store.getState().conversationId, 1],
      [first, 1],
    ]);
    expect(hits[1]).toMatchObject({ topic: '#trip a flat', hidden: false, similarity: null });
    const excerpt = await hits[1]?.excerpt();
    expect(excerpt?.marks.map(([from, to]) => excerpt.text.slice(from, to))).toEqual(['Lisbon']);
  });

  test('puts words before meaning, and counts who can be found by words only', async () => {
    const { find } = await said('#a alpha beta gamma', '#a delta', '#b alpha beta');
    const { hits, wordsOnly } = await find('alpha beta gamma');
    expect(hits.map(({ number, similarity }) => [number, similarity === null])).toEqual([
      [1, true],
      [3, false],
    ]);
    expect(wordsOnly).toBe(0);
  });

  test('counts the turns whose vectors are gone: they are found by their words', async () => {
    const { actions, find, idOf } = await said('#a needle', '#a two', '#a three');
    await actions.newConversation();
    await actions.send('#b secret');
    // Purging words discards every vector.
    await actions.purgeTurns([idOf(1)]);
    const { hits, wordsOnly } = await find('needle');
    expect(hits.map(({ number }) => number)).toEqual([1]);
    expect(wordsOnly).toBe(3);
  });

  test('does not count hidden turns, which no model sees, once the vectors are gone', async () => {
    const { actions, find, idOf } = await said('#a needle', '#a two', '#a three');
    await actions.hideTurns([idOf(3)], true);
    await actions.newConversation();
    await actions.send('#b secret');
    await actions.purgeTurns([idOf(1)]);
    expect((await find('needle')).wordsOnly).toBe(2);
  });

  test('finds by meaning what was said in a language that is not the open conversation’s', async () => {
    const models = plainModels({ chat: countingChat(), embed: { ...bagEmbedder, languages: ['en'] } });
    const { store, actions, part } = await plainApp(countingChat(), { models: () => models });
    const inNext = async (language: string, ...messages: string[]) => {
      await actions.newConversation();
      for (const message of messages) await actions.send(message);
      await vi.waitFor(() => expect(store.getState().language).toBe(language));
      return store.getState().conversationId;
    };
    const find = async (query: string) => {
      const { hits } = await (await part(openSearch)).find(query, never, () => undefined);
      return hits.map(({ conversationId, number }) => [conversationId, number]);
    };
    await actions.send('#x boot fails');
    const { conversationId: short } = store.getState();
    const german = await inNext(
      'de',
      '#a im Sommer möchte ich mit meiner Schwester lange durch die Berge wandern',
      '#b mein Auto ist kaputt',
    );
    // In German, it is a boat.
    expect(await find('boot fails nightly')).toEqual([[short, 1]]);
    await inNext('en', '#c where can we find a cheap and quiet flat for the summer in Lisbon');
    expect(await find('Fahrzeug defekt')).toEqual([[german, 2]]);
  });

  test('finds by meaning in another language than the embedder reads, also from a conversation not begun yet', async () => {
    const models = plainModels({ chat: countingChat(), embed: { ...bagEmbedder, languages: ['en'] } });
    const { store, actions, part } = await plainApp(countingChat(), { models: () => models });
    await actions.send('#a im Sommer möchte ich mit meiner Schwester lange durch die Berge wandern');
    await actions.send('#b mein Auto ist kaputt');
    await vi.waitFor(() => expect(store.getState().language).toBe('de'));
    const find = async () => {
      const search = await part(openSearch);
      const { hits, wordsOnly } = await search.find('Fahrzeug defekt', never, () => undefined);
      return [hits.map(({ number }) => number), wordsOnly];
    };
    expect(await find()).toEqual([[2], 0]);
    await actions.newConversation();
    expect(await find()).toEqual([[2], 0]);
  });

  test('still finds turns of the open conversation by meaning once the vectors are gone, and counts all others', async () => {
    const { actions, find, store, idOf } = await said('#a alpha beta delta', '#a two');
    await actions.newConversation();
    await actions.send('#b alpha beta epsilon');
    await actions.send('#b secret');
    const byMeaning = async () => {
      const { hits, wordsOnly } = await find('alpha beta gamma');
      return [
        hits.map(({ conversationId, number }) => [conversationId === store.getState().conversationId, number]),
        wordsOnly,
      ];
    };
    const [open, other] = [
      [true, 1],
      [false, 1],
    ];
    expect(await byMeaning()).toEqual([[open, other], 0]);
    await actions.purgeTurns([idOf(2)]);
    expect(await byMeaning()).toEqual([[open], 2]);
  });

  test('finds signs and emoji as they stand, where there are no words to find', async () => {
    const { find, numbers } = await said(
      '#a it works🎉',
      '#a cost? 5 € (at most)',
      '#a I ❤\ufe0f it 👍\ufe0f',
      '#a no',
    );
    expect(await numbers('🎉')).toEqual([1]);
    expect(await numbers('( €')).toEqual([]);
    expect(await numbers('(')).toEqual([2]);
    expect(await numbers('❤\ufe0f')).toEqual([3]);
    expect(await numbers('?')).toEqual([2]);
    expect(await numbers('[-]/')).toEqual([]);
    const excerpt = await (await find('🎉')).hits[0]?.excerpt();
    expect(excerpt?.marks.map(([from, to]) => excerpt.text.slice(from, to))).toEqual(['🎉']);
  });

  test('does not find what was deleted, undone or purged, and marks what is hidden', async () => {
    const { actions, find, numbers, idOf } = await said('#a one needle', '#a two needle', '#a three needle', '#a four');
    await actions.hideTurns([idOf(1)], true);
    await actions.deleteTurns([idOf(3)], true);
    expect((await find('needle')).hits.map(({ number, hidden }) => [number, hidden])).toEqual([
      [2, false],
      [1, true],
    ]);
    await actions.purgeTurns([idOf(2)]);
    expect(await numbers('needle')).toEqual([1]);
    expect(await numbers('purged')).toEqual([]);
    await actions.newConversation();
    expect(await numbers('needle')).toEqual([1]);
  });

  test('finds nothing of a deleted conversation', async () => {
    const { actions, store, numbers } = await said('#a needle');
    await actions.deleteConversation(store.getState().conversationId);
    expect(await numbers('needle')).toEqual([]);
  });

  test('sees what was said since the last search', async () => {
    const { actions, numbers } = await said('#a needle');
    expect(await numbers('needle')).toEqual([1]);
    await actions.send('#a another needle');
    expect(await numbers('needle')).toEqual([2, 1]);
  });

  test('does not match by the title of a topic alone, but together with the words of a turn', async () => {
    const { numbers } = await said('#trip Lisbon flat', '#trip noisy street');
    expect(await numbers('noisy')).toEqual([2]);
    expect((await numbers('lisbon noisy'))[0]).toBe(2);
    expect(await numbers('lisbon')).not.toContain(2);
  });

  test('finds and shows what changed in a conversation while it was open, without having been used', async () => {
    const storage = withTexts();
    const { actions, store, find, idOf, part } = await said(storage, '#a the needle');
    const [turn, first] = [idOf(1), store.getState().conversationId];
    await actions.newConversation();
    await actions.send('#b something else');
    await (await part(openSearch)).storeBehind();
    expect((await find('needle')).total).toBe(1);
    await actions.openConversation(first);
    await actions.rewordSummary(turn, 'about a haystack');
    await actions.newConversation();
    expect(await excerpts(await find('haystack'))).toEqual(['about a haystack']);
    expect(await excerpts(await find('needle'))).toEqual(['#a the needle']);
  });

  test('shows what it found where the stored texts are gone: after a new name, or once they were cleared', async () => {
    const storage = withTexts();
    const { actions, store, find, part } = await said(storage, '#a one needle');
    const first = store.getState().conversationId;
    await actions.newConversation();
    await actions.send('#b something else');
    await (await part(openSearch)).storeBehind();
    expect((await find('something')).total).toBe(1);
    await actions.renameConversation(first, 'Found');
    const renamed = await find('needle');
    expect(renamed.hits[0]).toMatchObject({ conversation: 'Found' });
    expect(await excerpts(renamed)).toEqual(['#a one needle']);

    await (await part(openSearch)).storeBehind();
    const again = await said(storage);
    await again.actions.newConversation();
    expect((await again.find('nothing of that')).total).toBe(0);
    await again.actions.clearCopies('search');
    expect(await excerpts(await again.find('needle'))).toEqual(['#a one needle']);
  });

  test('that had to read a log has its texts stored again, where they were cleared', async () => {
    const storage = withTexts();
    const { actions, store, find, part } = await said(storage, '#a one needle');
    const first = store.getState().conversationId;
    await actions.newConversation();
    await actions.send('#b something else');
    await (await part(openSearch)).storeBehind();
    await actions.clearCopies('search');
    expect((await find('needle')).total).toBe(1);
    await vi.waitFor(async () => expect(await storage.textsKept()).toEqual([first]));
  });

  test.each([
    ['of another format', { format: 0 }],
    ['damaged', { text: '' }],
  ])('that finds stored texts %s has them stored again', async (_, wrong) => {
    const storage = withTexts();
    const { actions, store, find, part } = await said(storage, '#a one needle');
    const first = store.getState().conversationId;
    await actions.newConversation();
    await actions.send('#b something else');
    await (await part(openSearch)).storeBehind();
    const [row] = (await storage.readTexts([[first, 0]])) as [TextsRow];
    await storage.saveTexts({ ...row, ...wrong });
    expect((await find('needle')).total).toBe(1);
    await vi.waitFor(async () => expect(await storage.readTexts([[first, 0]])).toEqual([row]));
  });

  test('has no texts stored of a log that another tab changed while they were made of it', async () => {
    const { watchLog, hear } = toldOfChanges();
    const storage = withTexts();
    let changes = 1;
    const read: Storage['read'] = async (...portion) => {
      const entries = await storage.read(...portion);
      if (portion.length > 1 && changes-- > 0) hear(portion[0]);
      return entries;
    };
    const { actions, store, part } = await plainApp(countingChat(), { storage: { ...storage, read }, watchLog });
    await actions.send('#a one needle');
    const first = store.getState().conversationId;
    await actions.newConversation();
    await (await part(openSearch)).storeBehind();
    expect(await storage.textsKept()).toEqual([]);
    await actions.send('#b something else');
    await actions.newConversation();
    await expect.poll(() => storage.textsKept()).toContain(first);
  });

  test('is given up when another begins', async () => {
    const { part } = await said('#a needle');
    const controller = new AbortController();
    controller.abort();
    await expect((await part(openSearch)).find('needle', controller.signal, () => undefined)).rejects.toThrow();
  });
});
