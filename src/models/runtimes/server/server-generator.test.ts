import { afterEach, describe, expect, test } from 'vitest';
import { spokenOf, type Usage } from '../../../domain/reply.ts';
import { CHOICE_SCHEMA } from '../../prompted/choice.ts';
import { serverRuntime } from './server-runtime.ts';
import { answered, loading, question } from './testing/asking.ts';
import { type OpenAiServer, type OpenAiServerOptions, startOpenAiServer } from './testing/open-ai-server.ts';

let server: OpenAiServer;
afterEach(() => server.close());

const loaded = async (options: OpenAiServerOptions = {}) => {
  server = await startOpenAiServer(options);
  const [first] = options.models ?? ['small-model'];
  const model = typeof first === 'string' ? first : `${first?.id}`;
  const runtime = serverRuntime({ keyFor: () => options.key ?? '' });
  return runtime.loadGenerator({ runtime: 'server', baseUrl: server.address, model }, loading());
};
const sent = () => server.requests.filter(({ path }) => path.endsWith('/chat/completions')).map(({ body }) => body);

describe('an answer', () => {
  test('streams, is asked for as was wished, and tells what it cost', async () => {
    const generator = await loaded({ key: 'k', usage: { prompt_tokens_details: { cached_tokens: 1 } } });
    const usages: Usage[] = [];
    const pieces: string[] = [];
    const request = question({ temperature: 0.5, topP: 0.9, maxTokens: 99, onUsage: (usage) => usages.push(usage) });
    for await (const piece of generator.generate(request, new AbortController().signal)) pieces.push(piece);
    expect(pieces.join('')).toBe('You said: Hello there');
    expect(pieces.length).toBeGreaterThan(2);
    expect(usages).toEqual([{ prefilled: 1, reused: 1, generated: 4 }]);
    expect(sent()).toEqual([
      {
        model: 'small-model',
        messages: [{ role: 'user', content: 'Hello there' }],
        stream: true,
        stream_options: { include_usage: true },
        temperature: 0.5,
        top_p: 0.9,
        max_tokens: 99,
      },
    ]);
    expect(server.requests.every(({ headers }) => headers.authorization === 'Bearer k')).toBe(true);
  });

  test('what is left to the model is not sent, and without a key there is no word of one', async () => {
    const generator = await loaded();
    await answered(generator);
    expect(Object.keys(sent()[0])).toEqual(['model', 'messages', 'stream', 'stream_options']);
    expect(server.requests.some(({ headers }) => 'authorization' in headers)).toBe(false);
  });

  const fields = ['reasoning_content', 'reasoning', 'content'] as const;
  test.each(fields)('thoughts in `%s` come marked', async (reasoningField) => {
    const generator = await loaded({ reasoningField, answer: { reasoning: 'Let me think.', text: 'It is 4.' } });
    const { text } = await answered(generator);
    expect(spokenOf(text)).toEqual({ reasoning: 'Let me think.', answer: 'It is 4.', thinking: false });
  });

  test.each([
    ['that arrive', 'Let me think.', undefined],
    ['that stay with the server', null, true],
  ])('tells whether the tokens it counts include thoughts: %s', async (_, reasoning, hidden) => {
    const usage = { completion_tokens_details: { reasoning_tokens: 3 } };
    const generator = await loaded({ usage, answer: { reasoning, text: 'It is 4.' } });
    const usages: Usage[] = [];
    await answered(generator, question({ onUsage: (one) => usages.push(one) }));
    expect(usages.map((one) => one.hidden)).toEqual([hidden]);
  });

  test('thoughts and text in one message of parts, without a stream, come apart', async () => {
    const generator = await loaded();
    const content = [
      {
        type: 'thinking',
        thinking: [
          { type: 'text', text: 'Let me ' },
          { type: 'text', text: 'think.' },
        ],
      },
      { type: 'reference', reference_ids: [1] },
      { type: 'text', text: 'It is 4.' },
    ];
    const body = { choices: [{ message: { role: 'assistant', content }, finish_reason: 'stop' }] };
    server.fail({ kind: 'status', status: 200, body });
    const { text } = await answered(generator);
    expect(spokenOf(text)).toEqual({ reasoning: 'Let me think.', answer: 'It is 4.', thinking: false });
  });

  describe('in chunks', () => {
    const delta = (one: object, finish: string | null = null) =>
      `data: ${JSON.stringify({ choices: [{ delta: one, finish_reason: finish }] })}\n\n`;
    /** What is read of a stream, to its end. */
    const read = async (...chunks: string[]) => {
      const { answerText } = await import('./answer-text.ts');
      server = await startOpenAiServer();
      const response = new Response(chunks.join(''), { headers: { 'content-type': 'text/event-stream' } });
      const call = { baseUrl: server.address, path: '', model: 'm', signal: new AbortController().signal };
      let text = '';
      const pieces = answerText(response, call, { begun: '', key: '', heard: () => undefined });
      for await (const piece of pieces) text += piece;
      return text;
    };

    test('thoughts between two parts of it do not make the first part a thought', async () => {
      const text = await read(
        delta({ reasoning: 'Let me think.' }),
        delta({ content: 'It is 4.' }),
        delta({ reasoning: 'Or is it?' }),
        delta({ content: ' Yes.' }, 'stop'),
      );
      expect(spokenOf(text)).toEqual({ reasoning: 'Let me think.', answer: 'It is 4. Yes.', thinking: false });
    });

    test('that breaks off is not whole because each of them names an end without a reason', async () => {
      const [first, last] = [delta({ content: 'It is' }, ''), delta({ content: ' 4.' }, 'stop')];
      await expect(read(first)).rejects.toMatchObject({ kind: 'stream-cut' });
      await server.close();
      expect(await read(first, last)).toBe('It is 4.');
    });
  });

  test('llama.cpp tells its cache in timings', async () => {
    const { usageIn } = await import('./answer-text.ts');
    expect(usageIn({ choices: [], timings: { cache_n: 588, prompt_n: 12, predicted_n: 7 } })).toEqual({
      prefilled: 12,
      reused: 588,
      generated: 7,
    });
  });

  test('aborting ends it without an error, and the server is let go', async () => {
    const generator = await loaded({ answer: 'word '.repeat(500), pieceDelay: 2 });
    const controller = new AbortController();
    let text = '';
    for await (const piece of generator.generate(question(), controller.signal)) {
      text += piece;
      if (text.length > 20) controller.abort();
    }
    expect(text.length).toBeGreaterThan(20);
    expect(text.length).toBeLessThan(500);
  });

  describe('whose limit is more than what is left of the window', () => {
    const tooLong = (message: string) =>
      ({ kind: 'status', status: 400, body: { error: { message: `maximum context length: ${message}` } } }) as const;

    test('gets what is left', async () => {
      const generator = await loaded();
      server.fail(tooLong('max_tokens is too large'));
      expect((await answered(generator, question({ maxTokens: 99 }))).text).toBe('You said: Hello there');
      expect(sent().map((body) => body.max_tokens)).toEqual([99, undefined]);
    });

    test('is refused if nothing is left, in the words that name the limit', async () => {
      const generator = await loaded();
      server.fail(tooLong('first'));
      server.fail(tooLong('second'));
      const { error } = await answered(generator, question({ maxTokens: 99 }));
      expect(error).toMatchObject({ kind: 'too-long', message: expect.stringContaining('first') });
      expect(sent()).toHaveLength(2);
    });
  });

  test('several at once do not mix', async () => {
    const generator = await loaded({ pieceDelay: 1 });
    const asked = ['one', 'two', 'three'].map((content) =>
      answered(generator, question({ messages: [{ role: 'user', content }] })),
    );
    expect((await Promise.all(asked)).map(({ text }) => text)).toEqual([
      'You said: one',
      'You said: two',
      'You said: three',
    ]);
  });

  test('closing rejects what is under way', async () => {
    const generator = await loaded();
    server.fail({ kind: 'silence', after: 1 });
    const asked = answered(generator);
    await expect.poll(() => sent().length).toBe(1);
    generator.close();
    expect((await asked).error).toMatchObject({ kind: 'closed' });
  });
});

describe('an answer in a form', () => {
  test('is held to the schema by the server', async () => {
    const generator = await loaded();
    const { text } = await answered(generator, question({ schema: CHOICE_SCHEMA }));
    expect(JSON.parse(text)).toEqual({ action: 'continue', target: 0 });
    expect(sent()[0].response_format).toEqual({
      type: 'json_schema',
      json_schema: { name: 'answer', strict: true, schema: CHOICE_SCHEMA },
    });
  });

  test.each([
    [['response_format:json_schema'], { type: 'json_object' }],
    [['response_format'], undefined],
    [['stream_options'], { type: 'json_schema' }],
    [['stream_options', 'response_format'], undefined],
  ])('a server that refuses %j is asked in a plainer way, and from then on at once', async (refuses, format) => {
    const generator = await loaded({ refuses, answer: '{"action":"continue","target":0}' });
    const request = question({ schema: CHOICE_SCHEMA });
    expect(await answered(generator, request)).toEqual({ text: '{"action":"continue","target":0}', error: null });
    const tries = sent().length;
    await answered(generator, request);
    expect(sent()).toHaveLength(tries + 1);
    expect(sent().at(-1).response_format).toEqual(format === undefined ? undefined : expect.objectContaining(format));
  });

  test('a model that takes neither max_tokens nor a temperature is asked in its own way', async () => {
    const generator = await loaded({ refuses: ['max_tokens', 'temperature'], namesParam: true, answer: 'Yes.' });
    const request = question({ temperature: 0, maxTokens: 99 });
    expect(await answered(generator, request)).toEqual({ text: 'Yes.', error: null });
    expect(sent()).toHaveLength(3);
    expect(sent()[2]).toMatchObject({ max_completion_tokens: 99, stream_options: { include_usage: true } });
    expect(sent()[2]).not.toHaveProperty('temperature');
    const own = await answered(generator, question({ temperature: 0.7 }));
    expect(own.error).toMatchObject({ message: expect.stringContaining('It says: unsupported: temperature') });
  });

  test.each([
    [{ id: 'm', max_model_len: 4096 }, 'chat_template_kwargs', { enable_thinking: false }],
    [{ id: 'm', owned_by: 'llamacpp' }, 'chat_template_kwargs', { enable_thinking: false }],
    [{ id: 'm', owned_by: 'library' }, 'reasoning_effort', 'none'],
  ])('without thinking is asked of %j by `%s`, unless it refuses that', async (entry, field, value) => {
    const generator = await loaded({ models: [entry] });
    await answered(generator, question({ thinking: false }));
    expect(sent()[0]).toMatchObject({ [field]: value });
    await answered(generator);
    expect(sent()[1]).not.toHaveProperty(field);
    server.set({ refuses: [field] });
    expect((await answered(generator, question({ thinking: false }))).error).toBeNull();
    expect(sent().at(-1)).not.toHaveProperty(field);
  });

  test.each([
    [['chat_template_kwargs', 'response_format']],
    [['temperature', 'response_format']],
    [['chat_template_kwargs', 'temperature', 'stream_options']],
  ])('a server that refuses %j without naming them still decides', async (refuses) => {
    const models = [{ id: 'm', max_model_len: 4096 }];
    const generator = await loaded({ models, refuses, answer: '{"action":"continue","target":0}' });
    const request = question({ schema: CHOICE_SCHEMA, temperature: 0, thinking: false });
    expect(await answered(generator, request)).toEqual({ text: '{"action":"continue","target":0}', error: null });
    for (const field of refuses) expect(sent().at(-1)).not.toHaveProperty(field);
  });

  test('a model without a system role reads its instructions in the first message, and from then on at once', async () => {
    const generator = await loaded({ refuses: ['role:system'], answer: 'Yes.' });
    const request = question({
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hello' },
      ],
      temperature: 0,
      schema: CHOICE_SCHEMA,
    });
    expect(await answered(generator, request)).toEqual({ text: 'Yes.', error: null });
    const tries = sent().length;
    await answered(generator, request);
    expect(sent()).toHaveLength(tries + 1);
    expect(sent().at(-1)).toMatchObject({
      messages: [{ role: 'user', content: 'Be brief.\n\nHello' }],
      temperature: 0,
      response_format: { type: 'json_schema' },
    });
  });

  test('a server that refuses everything is quoted', async () => {
    const generator = await loaded({ refuses: ['model'] });
    expect((await answered(generator)).error).toMatchObject({
      kind: 'unknown',
      message: expect.stringMatching(/refused the request \(400\). It says: unsupported: model/),
    });
  });
});

describe('going on with a reply', () => {
  const begun = 'The tram is';
  const goOn = async (options: OpenAiServerOptions) => answered(await loaded(options), question({ begun }));

  test('vLLM is told by a flag that the last message is open', async () => {
    const options = { models: [{ id: 'm', max_model_len: 4096 }], answer: ' yellow.' };
    expect((await goOn(options)).text).toBe(' yellow.');
    expect(sent()[0]).toMatchObject({
      continue_final_message: true,
      add_generation_prompt: false,
      messages: [{ role: 'user' }, { role: 'assistant', content: begun }],
    });
  });

  test('llama.cpp goes on with a last message of the assistant', async () => {
    expect((await goOn({ models: [{ id: 'm', owned_by: 'llamacpp' }], answer: ' yellow.' })).text).toBe(' yellow.');
    expect(sent()[0].messages).toHaveLength(2);
    expect(sent()[0]).not.toHaveProperty('continue_final_message');
  });

  test('any other is asked to go on, and words do not run together', async () => {
    expect((await goOn({ answer: 'yellow.' })).text).toBe(' yellow.');
    expect(sent()[0].messages.map(({ role }: { role: string }) => role)).toEqual(['user', 'assistant', 'user']);
  });

  test.each([
    ['words', 'The tram is', 'yellow.'],
    ['words in Cyrillic', 'Трамвай', 'жёлтый.'],
    ['words in Korean', '전차는', '노란색이다.'],
    ['a clause', 'The tram is yellow,', 'so'],
    ['a question', 'Is the tram yellow?!', 'Yes.'],
    ['a sentence', 'The tram is yellow.', 'The bus is red.'],
    ['a quoted sentence', 'She said: "It is yellow."', 'He nodded.'],
    ['a word in bold', 'The tram is **yellow**', 'today.'],
    ['a step', '1.', 'Get in.'],
  ])('a space goes between %s', async (_, begun, answer) => {
    expect((await answered(await loaded({ answer }), question({ begun }))).text).toBe(` ${answer}`);
  });

  test.each([
    ['Chinese', '我喜欢', '吃苹果。'],
    ['Japanese', 'コーヒー', 'が好き。'],
    ['Thai', 'ฉันชอบ', 'กาแฟ'],
    ['an address', 'See https://', 'example.org'],
    ['the name of a host', 'See https://example.', 'org'],
    ['a bracket', 'The tram (', 'line 28)'],
    ['a quotation', 'She said: "', 'Yes.'],
    ['code', 'np.', 'array'],
    ['C++', 'std::', 'vector'],
    ['a path', 'src/', 'main.ts'],
    ['a compound', 'well-', 'known'],
    ['a short form', 'It isn’', 't'],
    ['a fraction', '3.', '14'],
    ['thousands', '1,', '000'],
    ['a time', '10:', '30'],
  ])('no space goes into %s', async (_, begun, answer) => {
    expect((await answered(await loaded({ answer }), question({ begun }))).text).toBe(answer);
  });

  test('what is repeated is left out', async () => {
    expect((await goOn({ answer: 'The tram is yellow.' })).text).toBe(' yellow.');
    expect((await goOn({ answer: 'The trams are yellow.' })).text).toBe(' The trams are yellow.');
  });

  test('a server that knows no such flag is asked to go on', async () => {
    const models = [{ id: 'm', max_model_len: 4096 }];
    expect((await goOn({ models, refuses: ['continue_final_message'], answer: 'yellow.' })).text).toBe(' yellow.');
  });

  test('nothing more to say is no failure', async () => {
    const generator = await loaded();
    server.fail({ kind: 'empty', finish: 'stop' });
    expect(await answered(generator, question({ begun }))).toEqual({ text: '', error: null });
  });

  test.each([
    ['in a field', { reasoning: 'What colour?', text: 'yellow.' }],
    ['in the answer itself', '<think>\nWhat colour?\n</think>\n\nyellow.'],
  ])('new thoughts %s do not end up in the middle of the answer', async (_, answer) => {
    expect((await goOn({ answer })).text).toBe(' yellow.');
  });

  test('new thoughts that never end leave the answer as it was', async () => {
    expect(await goOn({ answer: '<think> What colour?' })).toEqual({ text: '', error: null });
    await server.close();
    expect((await goOn({ answer: '<thin line>' })).text).toBe('<thin line>');
  });

  describe('whose template opens its thoughts', () => {
    const begun = 'What colour?\n</think>\n\nThe tram is';

    test.each([
      ['new thoughts do not end up in the middle of the answer', 'Okay, I go on.\n</think>\n\nyellow.', ' yellow.'],
      ['an answer without thoughts is whole', 'yellow.', ' yellow.'],
    ])('%s', async (_, answer, text) => {
      expect(await answered(await loaded({ answer }), question({ begun }))).toEqual({ text, error: null });
    });

    test('new thoughts that are cut off leave the answer as it was', async () => {
      const generator = await loaded({ answer: 'Okay, I go on with the tram.' });
      server.fail({ kind: 'empty', finish: 'length', after: 3 });
      expect(await answered(generator, question({ begun }))).toEqual({ text: '', error: null });
    });

    test('a server that goes on with a last message of the assistant thinks no more', async () => {
      const models = [{ id: 'm', owned_by: 'llamacpp' }];
      const { text } = await answered(
        await loaded({ models, answer: ' yellow, </think> aside.' }),
        question({ begun }),
      );
      expect(text).toBe(' yellow, </think> aside.');
    });
  });

  test('thoughts that broke off are gone on with as thoughts', async () => {
    const generator = await loaded({ answer: { reasoning: 'again', text: 'Four.' } });
    const { text } = await answered(generator, question({ begun: '<think>\nFirst ' }));
    expect(spokenOf(`<think>\nFirst ${text}`)).toEqual({ reasoning: 'First again', answer: 'Four.', thinking: false });
    expect(sent()[0].messages).toHaveLength(1);
    expect(generator.forgetsThoughts).toBe(true);
  });

  test.each([
    // The server sends at most six characters at once, so the tag is split.
    [
      'thoughts in the answer itself',
      '<think> again, and more thoughts\n</think>\n\nFour.',
      'First again, and more thoughts',
    ],
    ['the same after a line break', '\n\n<think> again\n</think>\n\nFour.', 'First again'],
    ['no thoughts any more', 'Four.', 'First'],
    ['another tag', '<b>Four</b>', 'First'],
    ['less than a tag', '<t', 'First'],
  ])('thoughts that broke off are gone on with: %s', async (_, answer, reasoning) => {
    const begun = '<think>\nFirst';
    const { text, error } = await answered(await loaded({ answer }), question({ begun }));
    expect(error).toBeNull();
    const said = spokenOf(answer).answer;
    expect(spokenOf(begun + text)).toEqual({ reasoning, answer: said, thinking: false });
  });

  test('a model that was cut off while thinking gets room to think as far again, an answer only as much as was set', async () => {
    const generator = await loaded({ answer: { reasoning: 'again', text: 'Four.' } });
    const limits = async (begun: string) => {
      await answered(generator, question({ begun, maxTokens: 400 }));
      return sent().at(-1).max_tokens;
    };
    expect(await limits(`<think>\n${'word '.repeat(320)}`)).toBe(400 + Math.ceil((8 + 5 * 320) / 4));
    expect(await limits('<think>\nFirst\n</think>\n\nFo')).toBe(400);
    expect(await limits('')).toBe(400);
  });

  test.each([false, true])(
    'where the host does not allow that room, it gets as much as was set, then and later (knows one field: %s)',
    async (ignoresCompletionTokens) => {
      const answer = { reasoning: 'again', text: 'Four.' };
      const generator = await loaded({ maxTokens: 500, ignoresCompletionTokens, answer });
      const before = sent().length;
      const begun = `<think>\n${'word '.repeat(320)}`;
      const { text, error } = await answered(generator, question({ begun, maxTokens: 400 }));
      expect(error).toBeNull();
      expect(spokenOf(begun + text).answer).toBe('Four.');
      expect(sent().slice(before + 1)).toMatchObject([{ max_tokens: 400 }]);
      await answered(generator, question({ maxTokens: 400 }));
      expect(sent().at(-1)).toMatchObject({ max_tokens: 400 });
    },
  );

  test('thoughts in the answer itself may be stopped again', async () => {
    const begun = '<think>\nFirst';
    const { text } = await answered(await loaded({ answer: '<think> again' }), question({ begun }));
    expect(spokenOf(begun + text)).toEqual({ reasoning: 'First again', answer: '', thinking: true });
  });
});

describe('pictures', () => {
  const cat = { id: 'c1', name: 'cat.png', mediaType: 'image/png', size: 3 };
  const messages = [{ role: 'user' as const, content: 'What is it?\n\n[picture cat.png]', pictures: [cat] }];
  const pictures = { c1: 'data:image/png;base64,YWJj' };

  test('go with their message, in parts; other messages stay words', async () => {
    const generator = await loaded({ models: ['some-vision-model'] });
    expect(generator.sees).toBe(true);
    const before = { role: 'system' as const, content: 'Be brief.' };
    const { text } = await answered(generator, question({ messages: [before, ...messages], pictures }));
    expect(text).toContain('I see 1 picture.');
    expect(sent()[0].messages).toEqual([
      before,
      {
        role: 'user',
        content: [
          { type: 'text', text: messages[0]?.content },
          { type: 'image_url', image_url: { url: pictures.c1 } },
        ],
      },
    ]);
  });

  test('that a server refuses are owned up to, and the next reply is made without', async () => {
    const generator = await loaded({ models: ['some-vision-model'], refuses: ['part:image_url'] });
    const { error } = await answered(generator, question({ messages, pictures }));
    expect(error).toMatchObject({
      kind: 'unsupported',
      message: expect.stringMatching(/did not accept the pictures.*Regenerate the reply/),
    });
    expect(generator.sees).toBe(false);
  });

  test.each([true, false])(
    'are not blamed for a request refused for something else, whether the server names it (%s) or not',
    async (namesParam) => {
      const generator = await loaded({ models: ['some-vision-model'], refuses: ['temperature'], namesParam });
      const { error } = await answered(generator, question({ messages, pictures, temperature: 0.7 }));
      expect(error).toMatchObject({ kind: 'unknown', message: expect.stringContaining('unsupported: temperature') });
      expect(generator.sees).toBe(true);
      expect((await answered(generator, question({ messages, pictures }))).text).toContain('I see 1 picture.');
    },
  );
});
