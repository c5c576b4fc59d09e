import { describe, expect, test } from 'vitest';
import { nodeOf, replyOf } from '../domain/queries.ts';
import { policyNamed } from './context/policies/policies.ts';
import type { ChatModel, MissingModel, Models } from './ports.ts';
import { bareHost, contextOf } from './testing/bare-host.ts';
import { bagEmbedder, countingChat, gate, namedChat } from './testing/plain-models.ts';

/** A chat model that is still loading; `asked` tells that a turn waits for it, `arrive` replaces it with another. */
const onItsWay = (models: { chat: ChatModel }) => {
  const { open: arrive, opened: loading } = gate();
  const { open: ask, opened: asked } = gate();
  const waiting: ChatModel = {
    ...countingChat(),
    name: 'on its way',
    prepare: (signal) => {
      ask();
      return Promise.race([loading, new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))]);
    },
    async *reply() {
      yield* [];
      throw new Error('It did not load.');
    },
  };
  models.chat = waiting;
  return { asked, arrive };
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
  const { asked } = onItsWay(models);
  const controller = new AbortController();
  const sending = send('hello', controller.signal);
  await asked;
  controller.abort();
  expect(replyOf(nodeOf(life.forest, await sending))).toMatchObject({ state: 'stopped' });
});

test('a message waits for a model as it is; whoever asks for a reply again has the model loaded again, once', async () => {
  const { send, engine, life, models } = host();
  const asked: boolean[] = [];
  models.chat = {
    ...countingChat(),
    name: 'missing',
    prepare: async (_, again) => {
      asked.push(again);
    },
    async *reply() {
      yield* [];
      throw new Error('It did not load.');
    },
  };
  const id = await send('hello');
  expect(asked).toEqual([false]);
  const { signal } = new AbortController();
  await engine.resume(id, signal);
  expect(asked).toEqual([false, true]);
  await engine.regenerate(id, life.id(), signal);
  expect(asked).toEqual([false, true, true]);
  await engine.regenerate(id, life.id(), signal, 'embedded');
  expect(asked).toHaveLength(3);
});

describe('a model that was chosen to decide, to compare or to summarise, and is not here,', () => {
  const absent = (role: MissingModel['role'], reload = () => undefined) => ({
    role,
    name: `the ${role} model`,
    why: 'it is still loading',
    reload,
  });
  const fallbacksOf = ({ life }: ReturnType<typeof host>, id: string) =>
    nodeOf(life.forest, id).decision.trace?.fallbacks.map(({ from, to, why }) => [from, to, why]);

  test('is loaded again for the next message, and waited for by none', async () => {
    const made = host();
    await made.send('#a hello');
    let reloads = 0;
    made.models.missing = [
      absent('embed', () => {
        reloads += 1;
        return undefined;
      }),
    ];
    await made.send('#a hello again');
    expect(reloads).toBe(1);
    made.models.embed = { ...bagEmbedder, name: 'the embed model' };
    delete made.models.missing;
    const { decision } = nodeOf(made.life.forest, await made.send('#a once more'));
    expect(decision.trace).toMatchObject({ embedder: 'the embed model', fallbacks: [] });
  });

  test('is named with what answers in its place, and its place is no worse than without it', async () => {
    const made = host();
    const first = await made.send('#a hello');
    expect(fallbacksOf(made, first)).toEqual([]);
    made.models.missing = [absent('embed'), absent('decide'), absent('summarise')];
    const id = await made.send('#a hello again');
    expect(fallbacksOf(made, id)).toEqual([
      ['the embed model', 'bag of words', 'it is still loading'],
      ['the decide model', 'tags', 'it is still loading'],
    ]);
    const { summary, treeId } = nodeOf(made.life.forest, id);
    expect(treeId).toBe(nodeOf(made.life.forest, first).treeId);
    expect(summary?.by).toBe('first words (in place of the summarise model)');
  });

  test.each([
    ['memory-bank', true],
    ['memory-stream', true],
    ['dh-rag', false],
    ['full-history', false],
  ])('is named by the context of a message if a memory has it write: %s', async (name, writes) => {
    const made = bareHost({}, { policy: policyNamed(name) });
    const models = made.models as ReturnType<typeof host>['models'];
    models.missing = [absent('summarise')];
    const told = async (message: string) => contextOf(made.life.forest, await made.send(message)).fallbacks;
    expect(await told('hello')).toBeUndefined();
    const to = 'rules that need no language model';
    const fallback = { role: 'summarise', from: 'the summarise model', to, why: 'it is still loading' };
    expect(await told('hello again')).toEqual(writes ? [fallback] : undefined);
    delete models.missing;
    expect(await told('once more')).toBeUndefined();
  });

  test('is not named by a first message, which is compared with nothing', async () => {
    const made = host();
    made.models.missing = [absent('embed'), absent('decide')];
    expect(fallbacksOf(made, await made.send('#a hello'))).toEqual([]);
  });

  test('is said where it would have been asked, being unsure', async () => {
    const made = host();
    await made.send('#a hello');
    made.models.missing = [absent('consult')];
    made.models.decide = { ...made.models.decide };
    const sure = await made.send('#a hello again');
    expect(fallbacksOf(made, sure)).toEqual([]);
    const { topic } = made.models.decide;
    made.models.decide = {
      ...made.models.decide,
      topic: async (...asked) => ({ ...(await topic(...asked)), confidence: 0 }),
    };
    const unsure = await made.send('#a and again');
    expect(fallbacksOf(made, unsure)).toEqual([
      ['tags, and the consult model where that is unsure', 'tags', 'it is still loading'],
    ]);
  });
});

test('a message does not wait until all of a long conversation that was imported is embedded; it says so, and the rest follows', async () => {
  const texts: string[] = [];
  const { open: goOn, opened: later } = gate();
  const embed = {
    ...bagEmbedder,
    embed: async (asked: readonly string[]) => {
      const behind = asked.some((text) => text.startsWith('old'));
      if (behind && texts.length > 100) await later;
      texts.push(...asked);
      return bagEmbedder.embed(asked);
    },
  };
  const { send, life } = bareHost({ embed });
  let parent: string | null = null;
  for (let i = 0; i < 600; i++) parent = life.say(parent, `old turn ${i}`);
  const traceOf = (id: string) => nodeOf(life.forest, id).decision.trace;
  const told = traceOf(await send('and then?'))?.fallbacks ?? [];
  // Read as “… was used instead of …” as well as “Used instead: …”.
  const to = 'a comparison with the turns embedded so far';
  expect(told).toMatchObject([{ role: 'embed', to, why: expect.stringContaining('still to be embedded') }]);
  expect(texts).not.toContain('old turn 3');
  goOn();
  await expect.poll(() => texts.filter((text) => text.startsWith('old')).length).toBe(600);
  expect(traceOf(await send('and after that?'))?.fallbacks).toEqual([]);
});
