import { describe, expect, test } from 'vitest';
import { Entry } from '../../domain/entry.ts';
import { nodeOf } from '../../domain/queries.ts';
import { ModelFailure } from '../../engine/model-failure.ts';
import { bareHost } from '../../engine/testing/bare-host.ts';
import type { GenerationRequest, TextGenerator } from '../runtimes/runtime.ts';
import { CHOICE_SCHEMA } from './choice.ts';
import { promptedDecider } from './prompted-decider.ts';
import { PROMPTS_VERSION } from './prompts.ts';
import { scriptedGenerator } from './testing/scripted-generator.ts';

const asked = ({ messages }: GenerationRequest): string => messages.at(-1)?.content ?? '';
const aboutTopic = ({ messages }: GenerationRequest): boolean =>
  messages.some(({ content }) => content.includes('Current topic:'));

/** A conversation whose topics and branches are decided by a scripted model; each kind of question gets its answers in turn. */
const conversation = (answers: { topic?: (string | Error)[]; branch?: (string | Error)[] }, name = 'scripted') => {
  const next = { topic: [...(answers.topic ?? [])], branch: [...(answers.branch ?? [])] };
  const generator = scriptedGenerator(
    (request) => next[aboutTopic(request) ? 'topic' : 'branch'].shift() ?? '{"action":"continue","target":0}',
    { name },
  );
  return { generator, host: bareHost({ decide: promptedDecider(generator) }) };
};
const decisionOf = ({ host }: ReturnType<typeof conversation>, id: string) => nodeOf(host.life.forest, id).decision;

const isPlacementOf =
  (nodeId: string) =>
  ({ event }: Entry): boolean =>
    event.type === 'turn-placed' && event.nodeId === nodeId;

const CREATE = '{"action":"create","target":0}';

describe('the topic question', () => {
  test('a new topic, a return to the first, and the trace has the exact prompt and the answer as it came', async () => {
    const scene = conversation({ topic: [CREATE, '```json\n{"action":"switch","target":1}\n```'] });
    const first = await scene.host.send('A trip to Lisbon');
    await scene.host.send('Write a parser');
    const back = await scene.host.send('Which tram there?');
    expect(nodeOf(scene.host.life.forest, back).parentId).toBe(first);
    expect(decisionOf(scene, back)).toMatchObject({
      topic: 'switch-topic',
      trace: {
        decider: `scripted, ${PROMPTS_VERSION}`,
        topic: {
          answer: {
            action: 'switch-topic',
            raw: '```json\n{"action":"switch","target":1}\n```',
            confidence: null,
            prompt: scene.generator.requests[1]?.messages,
          },
        },
        fallbacks: [],
      },
    });
    expect(asked(scene.generator.requests[1] as GenerationRequest).split('\n')).toEqual([
      '1. A trip to: The user said: A trip to Lisbon',
      '2. Write a parser: The user said: Write a parser',
      'Current topic: 2',
      'Last turn: "Write a parser" – "I was sent 2 messages."',
      'New message: "Which tram there?"',
    ]);
  });

  test('every question of both kinds has the one schema, the same instructions, and asks for the likeliest answer', async () => {
    const scene = conversation({});
    for (const message of ['red apples grow', 'blue boats sail', 'green cars drive', 'red apples grow here']) {
      await scene.host.send(message);
    }
    const { requests } = scene.generator;
    expect(requests.filter((request) => !aboutTopic(request))).toHaveLength(1);
    expect(new Set(requests.map(({ schema }) => schema))).toEqual(new Set([CHOICE_SCHEMA]));
    expect(new Set(requests.map(({ temperature }) => temperature))).toEqual(new Set([0]));
    expect(new Set(requests.map(({ messages }) => messages[0]?.content)).size).toBe(2);
  });

  test.each([
    ['prose', 'It is about trams.', 'is no decision'],
    ['a number that was not listed', '{"action":"switch","target":7}', 'names a topic that was not listed'],
    ['switching to nothing', '{"action":"switch","target":0}', 'names a topic that was not listed'],
    ['a contradiction', '{"action":"continue","target":1}', 'goes on with the current topic and names another'],
    ['nothing', ' \n', 'scripted gave no answer.'],
    ['only thoughts', '<think>Trams? Lisbon.</think>', 'scripted gave no answer.'],
    ['a failure', new ModelFailure('worker-died', 'The worker died.'), 'The worker died.'],
  ])('%s: another decider stands in, and the trace says why', async (_, answer, why) => {
    const scene = conversation({ topic: [CREATE, answer, answer] });
    await scene.host.send('A trip to Lisbon');
    await scene.host.send('Write a parser');
    const id = await scene.host.send('Which tram there?');
    const { trace } = decisionOf(scene, id);
    expect(trace?.topic.answer?.decider).toBe('tags');
    expect(trace?.fallbacks).toMatchObject([{ role: 'decide', to: 'tags', why: expect.stringContaining(why) }]);
  });

  test('an answer that is not valid is asked for once more, with what is wrong with it, behind what was read already', async () => {
    const wrong = '{"action":"switch","target":7}';
    const scene = conversation({ topic: [CREATE, wrong, '{"action":"switch","target":1}'] });
    const first = await scene.host.send('A trip to Lisbon');
    await scene.host.send('Write a parser');
    const id = await scene.host.send('Which tram there?');
    expect(nodeOf(scene.host.life.forest, id).parentId).toBe(first);
    const [, asked, again] = scene.generator.requests;
    expect(again?.messages).toEqual([
      ...(asked?.messages ?? []),
      { role: 'assistant', content: wrong },
      {
        role: 'user',
        content: 'Your answer names a topic that was not listed. Answer the question again, with JSON only.',
      },
    ]);
    expect(again?.schema).toBe(CHOICE_SCHEMA);
    expect(decisionOf(scene, id).trace).toMatchObject({
      topic: { answer: { raw: '{"action":"switch","target":1}', prompt: again?.messages } },
      fallbacks: [],
    });
  });

  test('a model that fails is not asked again', async () => {
    const scene = conversation({ topic: [new ModelFailure('worker-died', 'The worker died.')] });
    await scene.host.send('A trip to Lisbon');
    await scene.host.send('Write a parser');
    expect(scene.generator.requests).toHaveLength(1);
  });

  test('no end in time: the trace keeps what was asked, and what had come', async () => {
    const generator = scriptedGenerator('');
    const slow: TextGenerator = {
      ...generator,
      async *generate(request, signal) {
        generator.requests.push(request);
        yield '{"action":';
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
      },
    };
    const host = bareHost({ decide: promptedDecider(slow) }, { parameters: { patience: 5 } });
    await host.send('one');
    const id = await host.send('two');
    expect(nodeOf(host.life.forest, id).decision.trace?.fallbacks).toMatchObject([
      { to: 'tags', prompt: generator.requests[0]?.messages, raw: '{"action":' },
    ]);
  });

  test('of many topics the active one and the nearest are listed, in order of creation', async () => {
    const scene = conversation({ topic: Array(14).fill(CREATE) });
    for (let i = 1; i <= 14; i++) await scene.host.send(`subject${i} about thing${i}`);
    await scene.host.send('subject3 and thing3 again');
    const lines = asked(scene.generator.requests.at(-1) as GenerationRequest).split('\n');
    const listed = lines.filter((line) => /^\d+\. /.test(line));
    expect(listed).toHaveLength(9);
    const numbers = listed.map((line) => Number(line.match(/subject(\d+)/)?.[1]));
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    expect(numbers).toContain(3);
    expect(numbers.at(-1)).toBe(14);
    expect(lines).toContain('Current topic: 9');
  });

  test('no more topics are listed than a small window has room for, and a long message is clipped', async () => {
    const generator = scriptedGenerator('{"action":"continue","target":0}', {
      window: 600,
      count: async (texts) => texts.map((text) => text.length / 4),
    });
    const tagged = bareHost();
    for (let i = 1; i <= 9; i++) await tagged.send(`#tag${i} ${'word '.repeat(60)}`);
    const host = bareHost({ decide: promptedDecider(generator) }, {}, tagged.life);
    const id = await host.send(`start ${'middle '.repeat(2000)} end`);
    expect(nodeOf(host.life.forest, id).decision.topic).toBe('continue-topic');
    const text = asked(generator.requests[0] as GenerationRequest);
    expect(text.match(/^\d+\. /gm)?.length).toBeLessThan(5);
    expect(text).toContain('Current topic:');
    expect(text).toMatch(/New message: "start .* … .* end"/);
    expect(text.length / 4).toBeLessThan(900);
  });

  test('Qwen3 is told not to think, and what another model thinks is not read as its answer', async () => {
    const qwen = conversation({}, 'Qwen3-0.6B-q4f16_1');
    await qwen.host.send('one');
    await qwen.host.send('two');
    expect(qwen.generator.requests[0]?.messages[0]?.content).toMatch(/\n\/no_think$/);

    const thought = `<think>\nMaybe ${CREATE}? No.\n</think>\n\n{"action":"continue","target":1}`;
    const r1 = conversation({ topic: [thought] }, 'DeepSeek-R1-Distill');
    await r1.host.send('one');
    const id = await r1.host.send('two');
    expect(decisionOf(r1, id)).toMatchObject({
      topic: 'continue-topic',
      trace: { topic: { answer: { raw: thought } } },
    });
    expect(r1.generator.requests[0]?.maxTokens).toBeGreaterThan(1000);
  });
});

describe('the branch question', () => {
  /** Three turns in a row; the fourth message is most similar to the first. */
  const grown = async (...branch: string[]) => {
    const scene = conversation({ branch });
    const ids = [
      await scene.host.send('red apples grow here'),
      await scene.host.send('blue boats sail'),
      await scene.host.send('green cars drive'),
    ];
    return { scene, ids, fourth: await scene.host.send('red apples grow here too') };
  };

  test('shows the path, the places and the message, n* first', async () => {
    const { scene } = await grown();
    expect(asked(scene.generator.requests.at(-1) as GenerationRequest).split('\n')).toEqual([
      'Turns: The user said: red apples grow here The user said: blue boats sail The user said: green cars drive',
      'Last turn: "green cars drive" – "I was sent 6 messages."',
      'Places:',
      '1. create, back at: The user said: red apples grow here (in place of: The user said: blue boats sail)',
      '2. create, back at: The user said: blue boats sail (in place of: The user said: green cars drive)',
      'New message: "red apples grow here too"',
    ]);
  });

  test('creates from n*, or from another place by its number', async () => {
    const atFork = await grown('{"action":"create","target":1}');
    expect(nodeOf(atFork.scene.host.life.forest, atFork.fourth).parentId).toBe(atFork.ids[0]);
    const elsewhere = await grown('{"action":"create","target":2}');
    expect(nodeOf(elsewhere.scene.host.life.forest, elsewhere.fourth).parentId).toBe(elsewhere.ids[1]);
    expect(decisionOf(elsewhere.scene, elsewhere.fourth).trace?.fork.point).toBe(elsewhere.ids[1]);
  });

  test('who switches to a turn of the path itself means to go back to it', async () => {
    const { scene, ids, fourth } = await grown('{"action":"switch","target":1}');
    expect(nodeOf(scene.host.life.forest, fourth)).toMatchObject({
      parentId: ids[0],
      decision: { branch: 'create-branch' },
    });
  });

  test('going on means the same as among topics: it names nothing', async () => {
    const { scene, ids, fourth } = await grown('{"action":"continue","target":2}', '{"action":"continue","target":0}');
    expect(nodeOf(scene.host.life.forest, fourth).parentId).toBe(ids[2]);
    expect(asked(scene.generator.requests.at(-1) as GenerationRequest)).toContain(
      'Your answer goes on after the last turn and names another place.',
    );
  });

  test('switches to another branch', async () => {
    const { scene, ids } = await grown('{"action":"create","target":1}', '{"action":"switch","target":1}');
    const back = await scene.host.send('green cars drive');
    expect(nodeOf(scene.host.life.forest, back)).toMatchObject({
      parentId: ids[2],
      decision: { branch: 'switch-branch', trace: { fallbacks: [] } },
    });
    expect(asked(scene.generator.requests.at(-1) as GenerationRequest)).toContain(
      '1. switch, to the branch that ended with: The user said: green cars drive',
    );
  });

  test('a place that was not offered: another decider stands in, and the trace keeps what was asked and answered', async () => {
    const wrong = '{"action":"create","target":8}';
    const { scene, fourth } = await grown(wrong, wrong);
    expect(decisionOf(scene, fourth).trace).toMatchObject({
      branch: { answer: { decider: 'tags' } },
      fallbacks: [
        {
          why: expect.stringContaining('names a place that was not offered'),
          prompt: scene.generator.requests.at(-1)?.messages,
          raw: '{"action":"create","target":8}',
        },
      ],
    });
    expect(Entry.parse(JSON.parse(JSON.stringify(scene.host.life.entries.find(isPlacementOf(fourth)))))).toMatchObject({
      event: { decision: { trace: { fallbacks: [{ raw: '{"action":"create","target":8}' }] } } },
    });
  });
});
