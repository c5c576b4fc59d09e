import { expect, test } from 'vitest';
import type { TopicQuestion } from './ports.ts';
import { bareHost } from './testing/bare-host.ts';
import { bagEmbedder, countingChat, tagDecider } from './testing/plain-models.ts';

/** A host whose chat model gives one reply after another, and the topic question that was asked last. */
const replying = (replies: readonly string[], name = 'a language model') => {
  let next = 0;
  const asked: ReturnType<typeof similaritiesIn>[] = [];
  const embedded: string[] = [];
  const tags = tagDecider();
  const host = bareHost(
    {
      chat: {
        ...countingChat(),
        name,
        async *reply() {
          yield replies[next++] ?? '';
        },
      },
      decide: {
        ...tags,
        topic: async (question) => {
          asked.push(similaritiesIn(question));
          return tags.topic(question);
        },
      },
      embed: {
        ...bagEmbedder,
        embed: async (texts, signal) => {
          embedded.push(...texts);
          return bagEmbedder.embed(texts, signal);
        },
      },
    },
    {},
  );
  return { host, embedded, asked: () => asked.at(-1) };
};

/** Read while the forest is as it was asked about. */
const similaritiesIn = ({ topics, path }: TopicQuestion) => ({
  topics: topics.map(({ activeReplySimilarity, replySimilarity }) => ({ activeReplySimilarity, replySimilarity })),
  tip: path.at(-1)?.replySimilarity,
});

test('a message is compared with what was replied, in every topic', async () => {
  const { host, asked } = replying(['violin cello', 'granite slate']);
  await host.send('#music which strings');
  await host.send('#stone which rocks');
  await host.send('violin cello');
  const [music, stone] = asked()?.topics ?? [];
  expect(music?.activeReplySimilarity).toBeCloseTo(1);
  expect(music?.replySimilarity).toBeCloseTo(1);
  expect(stone?.replySimilarity).toBeLessThan(0.5);
  expect(asked()?.tip).toBe(stone?.activeReplySimilarity);
});

test('of the last replies of a topic the nearest counts', async () => {
  const { host, asked } = replying(['violin cello', 'granite slate']);
  await host.send('#music which strings');
  await host.send('and then');
  await host.send('violin cello');
  const [music] = asked()?.topics ?? [];
  expect(music?.activeReplySimilarity).toBeLessThan(0.5);
  expect(music?.replySimilarity).toBeCloseTo(1);
});

test('replies that only quote are not compared, nor embedded', async () => {
  const { host, asked, embedded } = replying(['violin cello'], 'recall');
  await host.send('#music which strings');
  await host.send('violin');
  expect(asked()?.topics[0]).toMatchObject({ activeReplySimilarity: null, replySimilarity: null });
  expect(embedded).not.toContain('violin cello');
});

test('a reply is embedded once, and another one in its place anew', async () => {
  const { host, asked, embedded } = replying(['violin cello', 'granite slate']);
  const first = await host.send('#music which strings');
  await host.engine.regenerate(first, 'again', new AbortController().signal);
  await host.send('granite slate');
  expect(asked()?.topics[0]?.replySimilarity).toBeCloseTo(1);
  expect(embedded.filter((text) => text === 'violin cello')).toHaveLength(1);
});
