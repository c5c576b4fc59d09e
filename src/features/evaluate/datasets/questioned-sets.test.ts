import { describe, expect, test } from 'vitest';
import { atMost, isDataFile, readDataFiles } from './data-files.ts';
import type { LabelledDialogue } from './dialogues.ts';

const read = (...files: (readonly [path: string, content: object[] | string])[]) =>
  readDataFiles(
    files.map(([path, content]) => ({
      path,
      text: typeof content === 'string' ? content : content.map((item) => JSON.stringify(item)).join('\n'),
    })),
  );
const texts = (dialogue: LabelledDialogue | undefined) => dialogue?.turns.map(({ message, reply }) => [message, reply]);

test('the files of these sets are known by folder and ending', () => {
  const paths = [
    'topiocqa/topiocqa_dev.json',
    'msc/msc_dialogue/session_5/test.txt',
    'msc/msc_self_instruct.jsonl',
    'msc/msc_personasummary/session_1/test.txt',
    'msc/msc_dialogue/summaries_subsample5.json',
    'locomo/locomo10.json',
    'implexconv/opposed.jsonl',
    'implexconv/README.md',
    'realtalk/data/Chat_1_Ada_Ben.json',
    'msc-e/chats.jsonl',
    'multihop-rag/corpus.json',
  ];
  const read = [0, 1, 2, 5, 6, 8, 9, 10];
  expect(paths.filter(isDataFile)).toEqual(read.map((at) => paths[at]));
});

describe('TopiOCQA', () => {
  const turn = (Conversation_no: number, Turn_no: number, Topic: string) => ({
    Conversation_no,
    Turn_no,
    Topic,
    Topic_section: 'Introduction',
    Question: `${Topic} ${Turn_no}?`,
    Answer: 'Yes.',
    Rationale: 'It says so.',
  });

  test('a turn hangs from the last one of its page, whatever the order of the file', () => {
    const { topiocqa } = read([
      'topiocqa/dev.json',
      [turn(1, 1, 'Kite'), turn(1, 3, 'Kite'), turn(1, 2, 'Owl'), turn(2, 1, 'Kite'), turn(1, 4, 'Kite')],
    ]);
    expect(topiocqa?.map(({ id }) => id)).toEqual(['dev.json-1', 'dev.json-2']);
    expect(topiocqa?.[0]?.turns.map(({ message, parent }) => [message, parent])).toEqual([
      ['Kite 1?', null],
      ['Owl 2?', null],
      ['Kite 3?', 0],
      ['Kite 4?', 2],
    ]);
  });

  test('a broken file is named with its line', () => {
    const text = `[\n${JSON.stringify(turn(1, 1, 'Kite'))},\n{"Conversation_no": 1,\n"Turn_no": "two"}]`;
    expect(() => read(['topiocqa/dev.json', text])).toThrow(
      /^topiocqa\/dev\.json: Line 4: expected "Turn_no" to be a number/,
    );
  });
});

describe('Multi-Session Chat', () => {
  const session = (...said: string[]) => ({ dialog: said.map((text) => ({ text })) });
  const line = (id: string, earlier: object[], now: object, more: object = {}) => ({
    metadata: { initial_data_id: id, session_id: 1 },
    previous_dialogs: earlier,
    ...now,
    personas: [[], []],
    ...more,
  });
  const first = session('I bake.', 'I dive.', 'Where?');
  const second = session('Back again!', 'Hello.');

  test('the sessions follow each other, and of a chat in several files the longest is kept', () => {
    const { msc } = read(
      ['msc/msc_dialogue/session_2/test.txt', [line('c1', [], first), line('c2', [], second)]],
      ['msc/msc_dialogue/session_3/test.txt', [line('c1', [first], second)]],
    );
    expect(msc?.map(({ id, questions }) => [id, questions])).toEqual([
      ['c1', []],
      ['c2', []],
    ]);
    expect(texts(msc?.[0])).toEqual([
      ['I bake.', 'I dive.'],
      ['Where?', null],
      ['Back again!', 'Hello.'],
    ]);
  });

  test('a question of MSC-Self-Instruct is by B, its answer by A, and no evidence is labelled', () => {
    const asked = line('c1', [first], second, { self_instruct: { A: 'Baking.', B: 'What was my hobby?' } });
    const { msc } = read(['msc/a.txt', [line('c1', [first], second)]], ['msc/msc_self_instruct.jsonl', [asked]]);
    expect(msc).toHaveLength(1);
    expect(msc?.[0]?.questions).toEqual([{ text: 'What was my hobby?', answers: ['Baking.'], evidence: [] }]);
  });

  test('a broken file is named with its line', () => {
    const text = `${JSON.stringify(line('c1', [], first))}\n{"dialog": []}`;
    expect(() => read(['msc/a.txt', text])).toThrow(/^msc\/a\.txt: Line 2: expected "metadata"/);
  });
});

describe('LoCoMo', () => {
  const said = (dia_id: string, speaker: string, text: string, more: object = {}) => ({
    dia_id,
    speaker,
    text,
    ...more,
  });
  const sample = (qa: object[], more: object = {}) => ({
    sample_id: 'made-1',
    conversation: {
      speaker_a: 'Ada',
      speaker_b: 'Ben',
      session_2_date_time: '1 pm on 2 May, 2023',
      session_2: [said('D2:1', 'Ben', 'My owl flew.'), said('D2:2', 'Ada', 'Oh no.')],
      session_1_date_time: '1 pm on 1 May, 2023',
      session_1: [
        said('D1:1', 'Ada', 'I have a kite.', { blip_caption: 'a red kite', img_url: ['x'] }),
        said('D1:2', 'Ben', 'I have an owl.'),
        said('D1:3', 'Ada', 'Nice.'),
      ],
      session_3_date_time: '1 pm on 3 May, 2023',
      ...more,
    },
    qa,
    event_summary: {},
  });
  const question = (evidence: string[], answer: string | number | undefined, category: number) => ({
    question: 'What?',
    evidence,
    category,
    ...(answer === undefined ? { adversarial_answer: 'no' } : { answer }),
  });

  test('sessions are in order of their number, each utterance with its speaker and picture', () => {
    const { locomo } = read(['locomo/locomo10.json', [sample([])]]);
    expect(texts(locomo?.[0])).toEqual([
      ['Ada: I have a kite. [shares a red kite]', 'Ben: I have an owl.'],
      ['Ada: Nice.', null],
      ['Ben: My owl flew.', 'Ada: Oh no.'],
    ]);
  });

  test('the time of a session is that of its turns', () => {
    const { locomo } = read(['locomo/locomo10.json', [sample([])]]);
    const first = Date.UTC(2023, 4, 1, 13);
    expect(locomo?.[0]?.turns.map(({ at }) => at)).toEqual([first, first, Date.UTC(2023, 4, 2, 13)]);
    const [noon] =
      read(['locomo/a.json', [sample([], { session_1_date_time: '12:05 am on 8 May, 2023' })]]).locomo ?? [];
    expect(noon?.turns[0]?.at).toBe(Date.UTC(2023, 4, 8, 0, 5));
    const [none] = read(['locomo/a.json', [sample([], { session_1_date_time: 'some day' })]]).locomo ?? [];
    expect(none?.turns[0]).not.toHaveProperty('at');
  });

  test('evidence is the turns of the utterances, each once, however they are written', () => {
    const qa = [
      question(['D1:2', 'D1:1', 'D2:2'], 'red', 4),
      question(['D1:3; D2:1'], 2022, 1),
      question(['D:1:03', 'D9:9', 'D'], 'So; because', 3),
      question(['D2:1'], undefined, 5),
      question([], '2 May', 2),
    ];
    const { locomo } = read(['locomo/locomo10.json', [sample(qa)]]);
    expect(locomo?.[0]?.questions.map(({ evidence, answers }) => [evidence, answers])).toEqual([
      [[0, 2], ['red']],
      [[1, 2], ['2022']],
      [[1], ['So']],
      [[2], []],
      [[], []],
    ]);
  });

  test('a broken file is named with its line', () => {
    const broken = (item: object) => () => read(['locomo/a.json', `[\n${JSON.stringify(item)}]`]);
    expect(broken(sample([], { session_1: [{ speaker: 'Ada' }] }))).toThrow(
      /^locomo\/a\.json: Line 2: expected "dia_id"/,
    );
    expect(broken({ ...sample([]), conversation: { speaker_a: 'Ada' } })).toThrow(/Line 2: the conversation made-1/);
  });
});

describe('REALTALK', () => {
  const said = (dia_id: string, speaker: string, clean_text: string, date_time: string, more: object = {}) => ({
    dia_id,
    speaker,
    clean_text,
    date_time,
    ...more,
  });
  const chat = (qa: object[], more: object = {}) => ({
    name: { speaker_1: 'Ada', speaker_2: 'Ben' },
    session_2_date_time: '02.01.2024, 09:00:00',
    session_2: [said('D2:1', 'Ben', 'It flew!', '02.01.2024, 09:00:00')],
    events_session_1: { agent_a: [], agent_b: [] },
    session_1_date_time: '29.12.2023, 10:00:00',
    session_1: [
      said('D1:1', 'Ada', 'Look', '29.12.2023, 10:00:00', { img_url: ['x'], blip_caption: 'a red kite' }),
      said('D1:2', 'Ada', 'mine', '29.12.2023, 10:00:05'),
      said('D1:3', 'Ben', 'Lovely', '29.12.2023, 10:02:00'),
    ],
    qa,
    ...more,
  });

  test('a file is a chat: its sessions in order, each turn with its own time, its questions with the turns of their evidence', () => {
    const qa = [
      { question: 'What has Ada?', answer: 'A kite', evidence: ['D1:1', 'D1:2'], category: 1 },
      { question: 'When did it fly?', answer: '2 January', evidence: ['D2:1'], category: 2 },
      { question: 'Is Ben kind?', answer: 'Yes; he praises', evidence: 'D1:3; D2:1', category: '3' },
    ];
    const { realtalk } = read(['realtalk/Chat_1_Ada_Ben.json', [chat(qa)]]);
    expect(realtalk?.map(({ set, id }) => [set, id])).toEqual([['realtalk', 'Chat_1_Ada_Ben']]);
    expect(texts(realtalk?.[0])).toEqual([
      ['Ada: Look [shares a red kite]\nAda: mine', 'Ben: Lovely'],
      ['Ben: It flew!', null],
    ]);
    expect(realtalk?.[0]?.turns.map(({ at }) => at)).toEqual([Date.UTC(2023, 11, 29, 10), Date.UTC(2024, 0, 2, 9)]);
    expect(realtalk?.[0]?.questions.map(({ evidence, answers }) => [evidence, answers])).toEqual([
      [[0], ['A kite']],
      [[1], []],
      [[0, 1], ['Yes']],
    ]);
  });

  test('a broken file is named with its line', () => {
    const broken = (item: object) => () => read(['realtalk/a.json', `\n${JSON.stringify(item)}`]);
    expect(broken({ qa: [] })).toThrow(/^realtalk\/a\.json: Line 2: expected "name"/);
    expect(broken(chat([], { session_1: 'none', session_2: undefined }))).toThrow(/the chat a has no session_1/);
    expect(broken(chat([], { session_1: [{ speaker: 'Ada' }] }))).toThrow(/session_1 of a has an utterance without/);
  });
});

describe('MSC-E', () => {
  const questions = [{ question: 'What do you grow?', response: 'Beans.' }];

  test('lines of the two are turns, as one text or a list, and questions have answers and no evidence', () => {
    const lines = ['Alex: I grow beans.', 'Bob: Do they climb?', 'Alex: They do: high.'];
    const { 'msc-e': chats } = read(
      ['msc-e/a.jsonl', [{ dialogue: lines.join('\n'), questions }]],
      ['msc-e/b.json', [{ id: 7, dialogue: lines, questions: [] }]],
    );
    expect(chats?.map(({ id }) => id)).toEqual(['a-0', '7']);
    for (const chat of chats ?? []) {
      expect(texts(chat)).toEqual([
        ['Alex: I grow beans.', 'Bob: Do they climb?'],
        ['Alex: They do: high.', null],
      ]);
    }
    expect(chats?.[0]?.questions).toEqual([{ text: 'What do you grow?', answers: ['Beans.'], evidence: [] }]);
  });

  test('a dialogue without lines is named with its line', () => {
    const text = JSON.stringify({ dialogue: 'nothing was said', questions });
    expect(() => read(['msc-e/a.jsonl', text])).toThrow(/^msc-e\/a\.jsonl: Line 1: the dialogue a-0 has no lines/);
  });
});

describe('MultiHop-RAG', () => {
  const article = (title: string, published_at: string, body: string) => ({
    title,
    author: 'Ada',
    source: 'The Kite',
    published_at,
    category: 'science',
    url: `https://example.org/${title}`,
    body,
  });
  const fact = (title: string, words: string) => ({ title, url: `https://example.org/${title}`, fact: words });
  const query = (evidence_list: object[], question_type = 'inference_query', answer = 'Yes') => ({
    query: 'Did it?',
    answer,
    question_type,
    evidence_list,
  });
  const long = 'The owl flew over the wide river. '.repeat(28);
  const articles = [
    article('Owls', '2023-11-02T10:00:00+00:00', `${long}\n\nThen it said “hoo”, twice.`),
    article('Kites', '2023-10-01T08:00:00+00:00', 'Kites rose. They were red.'),
  ];
  const whole = (list: readonly object[]) => JSON.stringify(list);

  test('articles are told by date, a turn a passage; evidence is the passages that the facts stand in', () => {
    const queries = [
      query([fact('Kites', 'They were red.'), fact('Owls', 'Then it said "hoo", twice.')]),
      query([fact('Owls', 'It never flew.'), fact('Kites', 'Kites rose.')]),
      query([], 'null_query', 'Insufficient information.'),
    ];
    const { 'multihop-rag': sets } = read(
      ['multihop-rag/MultiHopRAG.json', whole(queries)],
      ['multihop-rag/corpus.json', whole(articles)],
    );
    expect(sets).toHaveLength(1);
    const [one] = sets ?? [];
    expect(one?.turns.map(({ message }) => message.split('\n')[0])).toEqual([
      'Kites (The Kite, 2023-10-01)',
      'Owls (The Kite, 2023-11-02)',
    ]);
    expect(one?.turns[0]).toMatchObject({ reply: null, at: Date.UTC(2023, 9, 1, 8) });
    expect(one?.questions.map(({ evidence, answers }) => [evidence, answers])).toEqual([
      [[0, 1], ['Yes']],
      [[], ['Yes']],
      [[], []],
    ]);
    const longer = [{ ...articles[0], body: long + long }];
    const parted = read(
      ['multihop-rag/corpus.json', whole(longer)],
      ['multihop-rag/q.json', whole([query([fact('Owls', 'The owl flew')])])],
    )['multihop-rag']?.[0];
    expect(parted?.turns.length).toBe(2);
    expect(parted?.questions[0]?.evidence).toEqual([0]);
  });

  test('questions without their articles are not read in silence', () => {
    expect(() => read(['multihop-rag/MultiHopRAG.json', whole([query([])])])).toThrow(
      /^multihop-rag\/MultiHopRAG\.json: its articles are not there: they belong in multihop-rag\/corpus\.json/,
    );
  });
});

describe('ImplexConv', () => {
  const KNEE =
    'Speaker1: My knee hurts.\nAssistant: Rest it.\n\nSpeaker1: How long?\nAssistant: Two weeks:\nNote: or three.';
  const item = (conversation: object, retrieved_conv: string | string[]) => ({
    conversation,
    qa: [{ question: 'Which sport suits me?', answer: 'Not running.', retrieved_conv, opposed_reasoning: 'A knee.' }],
  });

  test('sessions are in order of their number, without what stands before the first speaker', () => {
    const sessions = {
      0: 'Speaker1: Hi.\nAssistant: Hello.',
      10: KNEE,
      2: `Here it is:\nSpeaker1: Run?\nAssistant: Yes.`,
      3: null,
    };
    const { implexconv } = read(['implexconv/opposed.json', [item(sessions, `A session:\n${KNEE}\n`)]]);
    expect(texts(implexconv?.[0])).toEqual([
      ['Hi.', 'Hello.'],
      ['Run?', 'Yes.'],
      ['My knee hurts.', 'Rest it.'],
      ['How long?', 'Two weeks:\nNote: or three.'],
    ]);
    expect(implexconv?.[0]?.questions[0]).toMatchObject({ evidence: [2, 3], answers: ['Not running.'] });
  });

  test('lists of sessions are read, too; a session that is not there is no evidence', () => {
    const { implexconv } = read(['implexconv/supportive.jsonl', [item([KNEE], ['Speaker1: Other.', KNEE])]]);
    expect(implexconv?.[0]?.questions[0]?.evidence).toEqual([0, 1]);
    const lost = read(['implexconv/a.jsonl', [item([KNEE], 'Speaker1: Other.')]]);
    expect(lost.implexconv?.[0]?.questions[0]?.evidence).toEqual([]);
  });

  test('a broken file is named with its line', () => {
    const text = `${JSON.stringify(item([KNEE], KNEE))}\n${JSON.stringify(item({ 0: 'Hi. Hello.' }, KNEE))}`;
    expect(() => read(['implexconv/a.jsonl', text])).toThrow(/^implexconv\/a\.jsonl: Line 2: no session has lines/);
  });
});

test('the first dialogues of each set can be taken', () => {
  const line = (id: string) => ({ conversation_id: id, user_turns: [{ content: id }] });
  const chat = (id: string) => ({
    metadata: { initial_data_id: id },
    previous_dialogs: [],
    dialog: [{ text: 'Hi.' }],
  });
  const data = read(['ntm/a.jsonl', ['a', 'b', 'c'].map(line)], ['msc/a.txt', ['x', 'y', 'z'].map(chat)]);
  const cut = atMost(data, 2);
  expect([...cut.conversations.keys()]).toEqual(['a', 'b']);
  expect(cut.msc?.map(({ id }) => id)).toEqual(['x', 'y']);
});
