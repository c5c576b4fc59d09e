import { expect, test } from 'vitest';
import { nodeOf } from '../../domain/queries.ts';
import { contextAgentCode as policy } from '../../engine/context/policies/context-agent-code.ts';
import { ModelFailure } from '../../engine/model-failure.ts';
import { bareHost } from '../../engine/testing/bare-host.ts';
import { promptedDecider, YES_OR_NO_SCHEMA, yesIn } from './prompted-decider.ts';
import { PATH_INSTRUCTIONS } from './prompts.ts';
import { scriptedGenerator } from './testing/scripted-generator.ts';

test.each([
  ['{"answer":"yes"}', true],
  ['```json\n{ "answer": "no" }\n```', false],
  ['It is about trams again: {"answer": "yes"}.', true],
  ['Yes.', true],
  ['"no"', false],
  ['{"answer":"no"} {"answer":"no"}', false],
])('reads %j', (answer, yes) => {
  expect(yesIn(answer)).toBe(yes);
});

test.each([
  ['Yes, it follows.'],
  ['yes no'],
  ['{"answer":"maybe"}'],
  ['{"answer":true}'],
  ['{"answer":"yes"} or {"answer":"no"}'],
])('refuses %j, quoting it', (answer) => {
  expect(() => yesIn(answer)).toThrow(expect.objectContaining({ kind: 'nonsense' }));
  expect(() => yesIn(answer)).toThrow(answer);
});

/** A conversation about Lisbon, then about a parser; later questions get these answers in turn. */
const conversation = async (...answers: (string | Error)[]) => {
  const all = ['{"answer":"no"}', ...answers];
  const generator = scriptedGenerator(() => all.shift() ?? '{"answer":"no"}');
  const host = bareHost({ decide: promptedDecider(generator) }, { policy });
  const first = await host.send('A trip to Lisbon');
  const second = await host.send('Write a parser');
  const id = await host.send('Which tram there?');
  return { generator, first, second, node: nodeOf(host.life.forest, id) };
};

test('a language model is asked about one path after the other, and the trace has each question and answer as they were', async () => {
  const { generator, first, second, node } = await conversation('{"answer":"no"}', '{"answer":"yes"}');
  expect(node.parentId).toBe(first);
  const asked = generator.requests.slice(-2);
  expect(asked.map(({ schema }) => schema)).toEqual([YES_OR_NO_SCHEMA, YES_OR_NO_SCHEMA]);
  expect(asked.map(({ messages }) => messages)).toEqual([
    [
      { role: 'system', content: PATH_INSTRUCTIONS },
      {
        role: 'user',
        content: [
          'Thread: Write a parser: The user said: Write a parser',
          'Last turn of the thread: "Write a parser" – "I was sent 2 messages."',
          'The conversation is in this thread now.',
          'New message: "Which tram there?"',
        ].join('\n'),
      },
    ],
    [
      { role: 'system', content: PATH_INSTRUCTIONS },
      {
        role: 'user',
        content: [
          'Thread: A trip to: The user said: A trip to Lisbon',
          'Last turn of the thread: "A trip to Lisbon" – "I was sent 2 messages."',
          'New message: "Which tram there?"',
        ].join('\n'),
      },
    ],
  ]);
  const { trace } = node.decision;
  expect(trace?.topic.paths).toMatchObject([
    { leaf: second, yes: false, confidence: null, raw: '{"answer":"no"}', prompt: asked[0]?.messages },
    { leaf: first, yes: true, confidence: null, raw: '{"answer":"yes"}', prompt: asked[1]?.messages },
  ]);
  expect(trace?.topic.answer).toMatchObject({ action: 'switch-topic', raw: '{"answer":"yes"}' });
});

test.each([
  ['prose, and again', 'It is about trams.', 'is neither yes nor no'],
  ['nothing', '', 'scripted gave no answer.'],
  ['a failure', new ModelFailure('worker-died', 'The worker died.'), 'The worker died.'],
])('%s: another decider stands in for the paths that are left, and the trace says why', async (_, answer, why) => {
  const { generator, node } = await conversation(answer, answer);
  const { trace } = node.decision;
  expect(trace?.fallbacks).toMatchObject([
    { role: 'decide', to: 'tags', why: expect.stringContaining(why), prompt: generator.requests.at(-1)?.messages },
  ]);
  expect(trace?.topic.answer?.decider).toBe('tags');
  // An unusable answer is requested once more.
  expect(generator.requests).toHaveLength(answer === 'It is about trams.' ? 3 : 2);
});

test('a long path is told by its first turn and the newest that fit', async () => {
  const generator = scriptedGenerator('{"answer":"yes"}', { window: 50 });
  const host = bareHost({ decide: promptedDecider(generator) }, { policy });
  for (let i = 1; i <= 6; i++) await host.send(`turn${i} of one long talk`);
  const [thread] = generator.requests.at(-1)?.messages.at(-1)?.content.split('\n') ?? [];
  expect(thread).toBe(
    'Thread: turn1 of one: The user said: turn1 of one long talk … The user said: turn5 of one long talk',
  );
});
