import { expect, test } from 'vitest';
import { nodeOf, replyOf } from '../domain/queries.ts';
import type { ChatModel, Models } from './ports.ts';
import { bareHost } from './testing/bare-host.ts';
import { countingChat, namedChat } from './testing/plain-models.ts';

/** A chat model on its way: `arrive` puts another in its place. */
const onItsWay = (models: { chat: ChatModel }) => {
  let arrive: () => void = () => undefined;
  const loading = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const waiting: ChatModel = {
    ...countingChat(),
    name: 'on its way',
    prepare: (signal) =>
      Promise.race([loading, new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))]),
    async *reply() {
      yield* [];
      throw new Error('It did not load.');
    },
  };
  models.chat = waiting;
  return { arrive };
};

const host = () => {
  const made = bareHost();
  return { ...made, models: made.models as { -readonly [K in keyof Models]: Models[K] } };
};

test('a message waits for a chat model that is on its way, and is answered by what arrives', async () => {
  const { send, life, models } = host();
  const { arrive } = onItsWay(models);
  const sending = send('hello');
  models.chat = namedChat('arrived');
  arrive();
  expect(replyOf(nodeOf(life.forest, await sending))).toMatchObject({ state: 'done', model: 'arrived' });
});

test('what did not arrive says so in the reply, and the turn has its place', async () => {
  const { send, life, models } = host();
  const { arrive } = onItsWay(models);
  arrive();
  const node = nodeOf(life.forest, await send('hello'));
  expect(replyOf(node)).toMatchObject({ state: 'failed', model: 'on its way', failure: 'It did not load.' });
});

test('waiting ends when the person stops', async () => {
  const { send, life, models } = host();
  onItsWay(models);
  const controller = new AbortController();
  const sending = send('hello', controller.signal);
  setTimeout(() => controller.abort());
  expect(replyOf(nodeOf(life.forest, await sending))).toMatchObject({ state: 'stopped' });
});
