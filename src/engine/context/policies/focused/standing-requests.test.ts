import { describe, expect, test } from 'vitest';
import type { Node } from '../../../../domain/forest.ts';
import { pathTo } from '../../../../domain/queries.ts';
import type { ChatModel } from '../../../ports.ts';
import { bareHost, contextOf, segmentsOf } from '../../../testing/bare-host.ts';
import { countingChat } from '../../../testing/plain-models.ts';
import { focused } from './focused.ts';
import { lastingNeeds } from './lasting-instructions.ts';
import { chatter } from './testing/talk.ts';

const turns = async (...messages: readonly string[]): Promise<readonly Node[]> => {
  const host = bareHost({ chat: countingChat(8192) }, { policy: focused, parameters: { replyReserve: 10 } });
  let last = '';
  for (const message of messages) last = await host.send(message);
  return pathTo(host.life.forest, last);
};

test.each([
  ['please answer in french from now on', true],
  ['from now on answer in German', true],
  ['bitte nur auf deutsch', true],
  ['ab jetzt deutsch', true],
  ['reply in spanish please', true],
  ['siempre en español', true],
  ['отвечай всегда коротко', true],
  ['从现在开始请用中文回答', true],
  ['必ず日本語で答えてください', true],
  ['앞으로 답은 짧게', true],
  ['never use emojis in your answers', true],
  ['please don’t use emojis', true],
  ['stop using emojis', true],
  ['keep answers under 100 words', true],
  ['no more than 100 words per answer', true],
  ['you should always cite sources', true],
  ['write short answers', true],
  ['please call me Sam', true],
  ['nenn mich Sam', true],
  ["i'm allergic to nuts", true],
  ["i'm vegan, what can i cook for dinner?", true],
  ['mein Sohn hat eine Nussallergie', true],
  ['je suis végétarienne', true],
  ['对花生过敏', true],
  ['Can you always answer in French?', true],
  ['I want you to always reply in Spanish. What is a good name for a dog?', true],
  ['answer in english', true],
  ['Hi! Please reply in German, and keep your answers short.', true],
  ['My name is Sam.', true],
  ['Hi, my name is Anna and never call me Annie', true],
  ["don't call me sir", true],
  ['you can call me Sam', true],
  ['please always write in british english', true],
  ['Please use simple words in your answers', true],
  ['keep your answers free of technical terms', true],
  ['your replies should be friendly', true],
  ['- Antworte auf Deutsch\n- Sei kurz', true],
  ['please answer\nin french', true],
  ['Antworte bitte immer auf Deutsch', true],
  ['Kannst du bitte auf Deutsch antworten?', true],
  ['in Zukunft bitte kürzer', true],
  ['bitte keine Emojis', true],
  ['Bitte duze mich', true],
  ['Ich heiße Max', true],
  ['du kannst mich Sam nennen', true],
  ['Ich bin Diabetiker', true],
  ['unsere Tochter ist allergisch gegen Milch', true],
  ['a partir de ahora responde en español', true],
  ['respóndeme siempre en inglés, por favor', true],
  ['llámame Sam', true],
  ['soy celíaca y busco pan', true],
  ['réponds toujours en français', true],
  ['désormais, réponses courtes', true],
  ["n'utilise jamais de tableaux", true],
  ['Écris-moi en anglais', true],
  ['appelle-moi Sam', true],
  ['d’ora in poi rispondi in inglese', true],
  ['sono vegetariana', true],
  ['responda sempre em português', true],
  ['antwoord altijd in het Nederlands', true],
  ['svar altid på dansk', true],
  ['пиши только на английском', true],
  ['у меня аллергия на орехи', true],
  ['od teraz odpowiadaj po polsku', true],
  ['vždy odpovídej stručně', true],
  ['şu andan itibaren kısa cevap ver', true],
  ['fıstığa alerjim var', true],
  ['mulai sekarang jawab dalam bahasa Indonesia', true],
  ['من الآن فصاعدًا أجب بالعربية', true],
  ['अब से हिंदी में जवाब दो', true],
  ['मुझे मूंगफली से एलर्जी है', true],
  ['以后都用中文', true],
  ['回答要简短', true],
  ['叫我小王', true],
  ['我對花生過敏', true],
  ['今後は短くお願いします', true],
  ['これからは敬語で答えて', true],
  ['卵アレルギーがあります', true],
  ['앞으로 존댓말을 사용해 줘', true],
  ['항상 한국어로 설명해줘', true],
  ['땅콩 알레르기가 있어요', true],
  ['my wife is pregnant', true],
  ['we are vegetarians. any ideas for lunch?', true],
  ['Note that I am colour-blind', true],
  ['im vegan what can i cook for dinner?', true],
  ['my wife is vegan what should i cook tonight?', true],
  ['i am allergic to penicillin is ibuprofen ok?', true],
  ['ich bin vegan was kann ich kochen?', true],
  ["actually i'm allergic to nuts", true],
  ["no i'm allergic to nuts", true],
  ["oh and i'm vegan", true],
  ["as i said i'm vegan", true],
  ['no soy vegano', false],
  ['is my wife vegan enough for this place?', false],
  ['sono vegetariana?', false],
  ['my budget is 200 euros', false],
  ['Proofread this:\nHi, my name is Anna. I am writing to apply for the job.', false],
  ['what is wrong with this sentence?\nMy name is Peter.', false],
  ['Check my english:\n\nI am vegan. I have two kids.', false],
  ['fix the grammar:\nmy wife is pregnant and we move to berlin.', false],
  ['Reply to this email:\nHi, my name is Peter. Please answer in English.', false],
  ['Reply to this message:\nHello! Please reply in German.', false],
  ['improve my letter. My name is Anna.', false],
  ['Please note:\n- I am vegan\n- answer in German', true],
  ["what can i cook tonight?\ni'm vegan", true],
  ['only 100 words', false],
  ['100 words only', false],
  ['only two sentences please', false],
  ['max 50 words only', false],
  ['only german please', false],
  ['only in french', true],
  ["let's practise french. please answer only in french", false],
  ['keep your answers under 20 words, we are playing 20 questions', false],
  ['i can spend no more than 200 euros', false],
  ['explain it in at most 3 sentences', false],
  ["don't add sugar please", false],
  ['keep it under 100 words', false],
  ['what is love, keep it short', false],
  ['for the rest of the story use first person', false],
  ['write the letter in german, keep it short', false],
  ['write a tweet about rain, no emojis', false],
  ["Write a poem about rain\ndon't use rhymes", false],
  ['höchstens 3 Sätze', false],
  ['no más de 100 palabras', false],
  ['nie więcej niż 5', false],
  ['只用JSON格式', false],
  ['100字以内で答えて', false],
  ['From now on you are a Linux terminal', false],
  ['from now on act as a job interviewer', false],
  ["let's play a game: from now on you are the goblin king", false],
  ['play a game where i say a word and you always answer with an animal', false],
  ['write a story about a dragon. always call him Smaug', false],
  ['write a limerick, never use the letter e', false],
  ['write a poem. never use rhymes', false],
  ['write an email to my team that from now on meetings start at 9', false],
  ['Write a notice: going forward, all reports are due on Friday', false],
  ['ich arbeite ab sofort in Teilzeit, wie viel netto bleibt', false],
  ['je travaille désormais à Paris, que visiter', false],
  ['mi presupuesto es 200, nunca he viajado a Japón', false],
  ['reply in German to this customer: where is my parcel', false],
  ['answer in spanish: how do you say good morning', false],
  ['please answer in German: what is photosynthesis', false],
  ['translate this: call me Sam', false],
  ['nenn mich nicht so', false],
  ['du kannst mich mal nennen', false],
  ['how do i know if my cat is pregnant', false],
  ['in my novel the heroine anna is pregnant', false],
  ['a guest is allergic to nuts, what can i serve', false],
  ['tom is allergic to nuts', false],
  ['she is vegan', false],
  ['my cat is pregnant', false],
  ['my friend is vegan, what can i cook', false],
  ["if i'm pregnant can i eat sushi?", false],
  ['bin ich schwanger?', false],
  ['how do you say i am allergic to nuts in french', false],
  ['translate into spanish: i am allergic to nuts', false],
  ['Translate this to Spanish:\nI am allergic to nuts', false],
  ['You are a pirate. Answer in Spanish. Call me Captain.', false],
  ['write an email to my boss. no emojis', false],
  ['write in german', false],
  ['schreib auf deutsch', false],
  ['in german please', false],
  ['can you speak german?', false],
  ['give me a short answer to this letter', false],
  ['short answer please', false],
  ['write short sentences', false],
  ['call me back', false],
  ['call me maybe lyrics', false],
  ['my name is misspelled on the ticket', false],
  ['du bist ein Pirat. antworte immer auf Englisch', false],
  ['从现在开始你是一个老师', false],
  ['我朋友对花生过敏', false],
  ['она веган', false],
  ['im Roman ist meine Frau schwanger', false],
  ['what if my answers are in german', false],
  ['how do i answer in german', false],
  ['reply in german:\nDear Sir, where is my parcel?', false],
  ['only use python', false],
])('"%s" holds in every topic: %s', async (message, holds) => {
  const path = await turns(message, 'boats');
  expect(lastingNeeds([], 'boats', path).has(path[0]?.id ?? '')).toBe(holds);
  // What holds in every topic is needed on its path, too.
  if (holds) expect(lastingNeeds(path.slice(0, 1), 'boats').get(path[0]?.id ?? '')).toHaveLength(1);
});

test('of the requests that hold in every topic the newest few count, and of languages and names the newest', async () => {
  const held = async (...messages: string[]) => {
    const path = await turns(...messages);
    const lasting = lastingNeeds([], messages.at(-1) ?? '', path);
    return path.flatMap(({ id, message }) => (lasting.has(id) ? [message] : []));
  };
  expect(await held('answer in German', 'call me Sam', 'answer in English', 'call me Tom', 'boats')).toEqual([
    'answer in English',
    'call me Tom',
  ]);
  expect(await held('answer in German', 'call me Sam', 'answer in English')).toEqual(['call me Sam']);
  expect(await held('never use tables', "i'm vegan", "i'm diabetic", 'always cite sources', 'boats')).toEqual([
    "i'm vegan",
    "i'm diabetic",
    'always cite sources',
  ]);
  expect(await held('keep your answers short', "i'm vegan", 'Keep your answers short', 'boats')).toEqual([
    "i'm vegan",
    'Keep your answers short',
  ]);
  expect(await held("i'm vegan", 'never use tables', 'no emojis', 'always cite sources', 'boats')).toEqual([
    "i'm vegan",
    'no emojis',
    'always cite sources',
  ]);
});

test.each([
  ['write a caption for my cat', 'no hashtags', false],
  ['write a caption for my cat', 'never use hashtags', true],
  ['write a caption for my cat', "i'm vegan", true],
  ['write a caption for my cat', 'keep your answers short', true],
  ['help me with this mail: dear sir', 'reply in german please', false],
  [chatter('boats'), 'without emojis please', false],
  ['you are the goblin king, I am a knight', 'my name is Sir Galahad', false],
  ['you are the goblin king, I am a knight', 'keep your replies in character', false],
  ['you are my spanish teacher', 'always answer in spanish', false],
  ['i want to practise french', 'answer in french', false],
  ['why does it rain', 'answer in french', true],
])('in a topic that began with "%s", "%s" holds in every topic: %s', async (beginning, message, holds) => {
  const path = await turns(beginning, message, 'boats');
  expect(lastingNeeds([], 'boats', path).has(path[1]?.id ?? '')).toBe(holds);
});

test('facts come before all else, and none is lost to a name or a language', async () => {
  const said = [
    'my son is allergic to nuts',
    "i'm vegan",
    "i'm diabetic",
    'call me Sam',
    'answer in German',
    'no emojis',
  ];
  const path = await turns(...said, 'no tables', 'boats');
  const lasting = lastingNeeds([], 'boats', path);
  expect(path.filter(({ id }) => lasting.has(id)).map(({ message }) => message)).toEqual([
    ...said.slice(0, -1),
    'no tables',
  ]);
});

test.each([
  ['keep your answers short', 'from now on answer in detail', true],
  ['keep your answers short', 'longer answers please', true],
  ['keep your answers short', 'please give detailed answers from now on', true],
  ['keep your answers short', "don't answer so short", true],
  ['keep your answers short', 'how long does it take', false],
  ['antworte immer kurz', 'antworte wieder ausführlich', true],
  ['antworte immer kurz', 'ab jetzt wieder lange antworten', true],
  ['answer in German', 'back to english please', true],
  ['answer in German', 'switch to english', true],
  ['answer in German', 'you can answer in english again', true],
  ['answer in German', 'how do you say dog in german', false],
  ['no emojis please', 'you can use emojis again', true],
  ['no emojis please', 'no tables', false],
  ["i'm vegan", 'i am no longer vegan', true],
  ["i'm vegan", 'is this cheese not vegan', false],
  ["I'm allergic to nuts", "turns out i'm not allergic to nuts", true],
  ["I'm allergic to nuts", "i'm not allergic to eggs", false],
])('"%s" is taken back by "%s" in the same topic: %s', async (message, later, isTakenBack) => {
  const path = await turns(message, later, 'boats');
  const holds = (some: readonly Node[]) => lastingNeeds([], 'boats', some).has(path[0]?.id ?? '');
  expect(holds(path)).toBe(!isTakenBack);
});

test('what another topic says takes a request back only if it holds in every topic, too', async () => {
  for (const [message, later, holds] of [
    ['no emojis please', 'you can use emojis again', true],
    ['keep your answers short', 'longer answers please', false],
  ] as const) {
    const path = await turns(message, later, 'boats');
    const [first, second, third] = path as [Node, Node, Node];
    expect(lastingNeeds([], 'boats', [first, { ...second, treeId: 'elsewhere' }, third]).has(first.id)).toBe(holds);
  }
});

test('a message is read for what lasts only once, however long the path', async () => {
  const path = await turns(...Array.from({ length: 45 }, (_, i) => `boats ${i}`));
  let read = 0;
  const [first] = path as [Node];
  const counted: Node = Object.defineProperty({ ...first }, 'message', { get: () => `boats ${read++}` });
  for (let i = 0; i < 3; i++) lastingNeeds([counted, ...path.slice(1)], 'cars');
  expect(read).toBe(1);
});

describe('what was asked to hold in every topic', () => {
  const talking = (parameters = {}) => {
    const chat = countingChat(16_384);
    const rain: ChatModel = {
      ...chat,
      async *reply(request) {
        chat.requests.push(request);
        yield chat.requests.length === 1 ? chatter('rain') : 'Yes.';
      },
    };
    const host = bareHost({ chat: rain }, { policy: focused, parameters: { replyReserve: 10, ...parameters } });
    const sent = async (...[message, signal, target]: Parameters<typeof host.send>) => {
      const id = await host.send(message, signal, target);
      const request = chat.requests.at(-1)?.messages ?? [];
      return { id, context: contextOf(host.life.forest, id), text: request.map(({ content }) => content).join('\n') };
    };
    return { host, sent };
  };
  const requests = ({ text }: { text: string }): number => text.split('call me Sam').length - 1;

  test('is sent in the others, only its message and once, and stays as it was when they go on and come back', async () => {
    const { sent } = talking();
    const { id } = await sent('please call me Sam. #a');
    const first = await sent('#b blue boats');
    expect(segmentsOf(first.context, 'fetched')).toMatchObject([
      { nodeId: id, message: null, why: expect.arrayContaining([{ reason: 'constraint' }]) },
    ]);
    expect(segmentsOf(first.context, 'fetched')[0]).not.toHaveProperty('reply');
    // A title may change, and what was sent with it could not be sent again.
    expect(segmentsOf(first.context, 'fetched')[0]).toMatchObject({
      head: 'From elsewhere in this conversation, turn 1',
    });
    expect(segmentsOf(first.context, 'fetched')[0]).not.toHaveProperty('treeId');
    const second = await sent('green boats');
    const other = await sent('#c red cars');
    const back = await sent('#b old boats');
    for (const one of [first, second, other, back]) expect(requests(one)).toBe(1);
    expect(second.text.startsWith(`${first.text}\nYes.`)).toBe(true);
    expect(back.text.startsWith(`${second.text}\nYes.`)).toBe(true);
  });

  test('finds room beside a long pinned turn of another topic, but is not sent where nothing is to be fetched', async () => {
    for (const [parameters, times] of [
      [{}, 1],
      [{ neededFrom: 2 }, 0],
      [{ unsureBudget: 0 }, 0],
    ] as const) {
      const { host, sent } = talking(parameters);
      await sent('please call me Sam. #a');
      const { id } = await sent(`#p ${`${chatter('contract')} `.repeat(6)}`);
      host.life.do({ type: 'record', step: host.life.id(), event: { type: 'turn-pinned', nodeId: id, pinned: true } });
      const now = await sent('#b blue boats');
      expect(now.text).toContain(chatter('contract'));
      expect(requests(now)).toBe(times);
    }
  });

  test('is no longer sent once its message was edited, or its turn hidden', async () => {
    const { sent } = talking();
    const { id: root } = await sent('#a rain');
    await sent('please call me Sam. why does it rain in summer');
    expect(requests(await sent('#b blue boats'))).toBe(1);
    await sent('why does it rain in summer', new AbortController().signal, { kind: 'under', nodeId: root });
    expect(requests(await sent('#c red cars'))).toBe(0);

    for (const [before, after] of [
      ['always use tables', 'never use tables'],
      ['always answer in French', 'boats'],
    ] as const) {
      const { host: talked, sent: say } = talking();
      const { id: top } = await say('#a rain');
      await say(before);
      await say(after, new AbortController().signal, { kind: 'under', nodeId: top });
      expect((await say('#c red cars')).text).not.toContain(before);
      const imported = (Object.values(talked.life.forest.nodes) as Node[]).map((node) => ({
        ...node,
        decision: { ...node.decision, by: 'import' as const },
      }));
      const edited = imported.find(({ message }) => message === before)?.id ?? '';
      expect(lastingNeeds([], '', imported).has(edited)).toBe(false);
      const { id: own } = await say(before, new AbortController().signal, { kind: 'new-topic' });
      const { id: edit } = await say(`${before}?`, new AbortController().signal, { kind: 'new-topic' });
      const { nodes } = talked.life.forest;
      expect(lastingNeeds([], '', [nodes[own], nodes[edit], nodes[top]] as Node[]).has(own)).toBe(false);
    }

    const { sent: tell } = talking();
    const { id: begun } = await tell('#a rain');
    await tell("i'm allergic to nuts, ideas?");
    await tell('and what about a picnic?', new AbortController().signal, { kind: 'under', nodeId: begun });
    expect((await tell('#c red cars')).text).toContain('allergic to nuts');
    await tell("i'm allergic to eggs, ideas?", new AbortController().signal, { kind: 'under', nodeId: begun });
    expect((await tell('#d old cars')).text).not.toContain('allergic to nuts');

    const { host, sent: say } = talking();
    const { id } = await say('please call me Sam. #a');
    const event = { type: 'turns-hidden' as const, nodeIds: [id], hidden: true };
    host.life.do({ type: 'record', step: host.life.id(), event });
    expect(requests(await say('#b blue boats'))).toBe(0);
  });

  test('is not sent where another version of the same message stands, or the topic has a request of its own', async () => {
    const { sent } = talking();
    const stop = new AbortController().signal;
    const { id: top } = await sent('#a rain');
    const { id: german } = await sent('answer in German');
    const { id: english } = await sent('answer in English', stop, { kind: 'under', nodeId: top });
    await sent('please answer in Dutch', stop, { kind: 'under', nodeId: english });
    const back = await sent('why is it wet', stop, { kind: 'under', nodeId: german });
    expect(back.text).toContain('answer in German');
    expect(back.text).not.toMatch(/answer in (?:English|Dutch)/);
  });

  test('is not sent a second time where the path says the same', async () => {
    const path = await turns('always cite sources', 'boats', 'Always cite sources', 'cars');
    const lasting = lastingNeeds(path.slice(2, 3), 'cars', path);
    expect(path.map(({ id }) => lasting.has(id))).toEqual([false, false, true, false]);
  });

  test('leaves each topic the language that was asked for there, even where another was asked for elsewhere since', async () => {
    const { sent } = talking();
    await sent('rain #a');
    await sent('from now on answer in French');
    await sent('pasta #b');
    await sent('answer in English please');
    const back = await sent('snow #a');
    expect(back.text).toContain('answer in French');
    expect(back.text).not.toContain('answer in English');
    await sent('please answer in French');
    const again = await sent('rice #b');
    expect(again.text).toContain('answer in English');
    expect(again.text).not.toContain('please answer in French');
  });
});
