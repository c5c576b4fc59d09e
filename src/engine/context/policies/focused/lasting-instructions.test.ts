import { describe, expect, test } from 'vitest';
import type { Node } from '../../../../domain/forest.ts';
import { pathTo } from '../../../../domain/queries.ts';
import type { ChatModel, Embedder } from '../../../ports.ts';
import { bareHost, contextOf, segmentsOf } from '../../../testing/bare-host.ts';
import { bagEmbedder, countingChat } from '../../../testing/plain-models.ts';
import { contextMessages } from '../../context-text.ts';
import { focused } from './focused.ts';
import { lastingNeeds, withLasting } from './lasting-instructions.ts';

/** A conversation of messages and their replies. */
const talk = async (...said: readonly (readonly [message: string, reply: string])[]) => {
  const replies = said.map(([, reply]) => reply);
  const base = countingChat(8192);
  const chat: ChatModel = {
    ...base,
    async *reply(request) {
      base.requests.push(request);
      yield replies[base.requests.length - 1] ?? 'Yes.';
    },
  };
  const host = bareHost({ chat }, { policy: focused, parameters: { pathFloor: 120, pathShare: 0, replyReserve: 10 } });
  const ids: string[] = [];
  for (const [message] of said) ids.push(await host.send(message));
  const { forest } = host.life;
  return { host, ids, path: pathTo(forest, ids.at(-1) as string) };
};

const reasons = (path: readonly Node[], message: string) => {
  const lasting = lastingNeeds(path, message);
  return path.map(({ id }) => (lasting.get(id) ?? []).map(({ part, reason }) => `${part} ${reason}`));
};

const chatter = (about: string): string =>
  Array.from({ length: 12 }, (_, i) => `A remark number ${i} on ${about}${i}, which nobody asked for ${about}.`).join(
    ' ',
  );

const code = (body: string): string =>
  `Here:\n\n\`\`\`py\ndef total(rows):\n    out = 0\n    for row in rows:\n        ${body}\n    return out\n\`\`\``;

test.each([
  ['please answer in french from now on', true],
  ['i am allergic to nuts', true],
  ['no more than 100 words per answer', true],
  ['bitte nur auf deutsch', true],
  ['a partir de ahora responde en español', true],
  ['从现在开始请用中文回答', true],
  ['please don’t use emojis', true],
  ['I’m allergic to nuts', true],
  ['n’utilise jamais de tableaux', true],
  ['À partir de maintenant, sois bref', true],
  ['Écris-moi en anglais', true],
  ['d’ora in poi rispondi in inglese', true],
  ['i have a nut allergy', true],
  ['stop using emojis', true],
  ['no emojis please', true],
  ['我對花生過敏', true],
  ['從現在開始請用中文回答', true],
  ['jag är allergisk mot nötter', true],
  ['svar altid på dansk', true],
  ['у меня аллергия на орехи', true],
  ['отвечай всегда коротко', true],
  ['пиши только на английском', true],
  ['відтепер відповідай коротко', true],
  ['я вегетаріанка', true],
  ['od teraz odpowiadaj po polsku', true],
  ['jestem uczulona na orzechy', true],
  ['vždy odpovídej stručně', true],
  ['mám alergii na ořechy', true],
  ['şu andan itibaren kısa cevap ver', true],
  ['fıstığa alerjim var', true],
  ['mulai sekarang jawab dalam bahasa Indonesia', true],
  ['saya alergi kacang', true],
  ['من الآن فصاعدًا أجب بالعربية', true],
  ['عندي حساسية من المكسرات', true],
  ['अब से हिंदी में जवाब दो', true],
  ['मुझे मूंगफली से एलर्जी है', true],
  ['앞으로 항상 짧게 답해 줘', true],
  ['땅콩 알레르기가 있어요', true],
  ["i'm vegan, what can i cook for dinner?", true],
  ['my daughter is vegetarian', true],
  ['tom is allergic to nuts', true],
  ['can you always answer in french?', true],
  ['you should never use tables', true],
  ['reply in spanish please', true],
  ['please call me Sam', true],
  ['nenn mich Sam', true],
  ['du kannst mich Sam nennen', true],
  ['llámame Sam', true],
  ['appelle-moi Sam', true],
  ['llámame mañana', false],
  ['meine Frau ist schwanger', true],
  ['bin ich schwanger?', false],
  ['soy diabética', true],
  ['je suis enceinte', true],
  ['sono incinta', true],
  ['ik ben zwanger', true],
  ['just answer yes or no', true],
  ['explain it in at most 3 sentences', true],
  ['i can spend no more than 200 euros', true],
  ['ich bin allergisch gegen Nüsse', true],
  ['mein Sohn hat eine Nussallergie', true],
  ['wir leben vegan', true],
  ['bin Veganerin', true],
  ['antworte künftig kurz', true],
  ['in Zukunft bitte kürzer', true],
  ['höchstens 3 Sätze', true],
  ['soy alérgica a las nueces', true],
  ['mi hijo es celíaco', true],
  ['siempre en español', true],
  ['no más de 100 palabras', true],
  ['je suis végétarienne', true],
  ['mon fils est allergique aux noix', true],
  ['sono vegetariana', true],
  ['mio figlio è allergico alle noci', true],
  ['sempre in italiano', true],
  ['sou alérgico a amendoim', true],
  ['ik ben allergisch voor noten', true],
  ['对花生过敏', true],
  ['我吃素', true],
  ['以后都用中文', true],
  ['卵アレルギーがあります', true],
  ['必ず日本語で答えてください', true],
  ['100字以内で答えて', true],
  ['what time is it in lima', false],
  ['où vas-tu', false],
  ['my brother never came to the party', false],
  ['ich war gestern im kino', false],
  ['how do i stop using my phone at night', false],
  ['why do pubs have no tables', false],
  ['no tables left tonight', false],
  ['har du svar på brevet', false],
  ['как лечат аллергию у кошек', false],
  ['какие есть веганские рецепты', false],
  ['czym jest alergia na pyłki', false],
  ['bundan sonra ne yapmalıyım', false],
  ['apa itu alergi', false],
  ['ما هي حساسية الربيع', false],
  ['एलर्जी क्या होती है', false],
  ['알레르기 약 추천', false],
  ["why doesn't he call me back", false],
  ["my mum didn't call me yesterday", false],
  ['how do i reply in slack to a thread', false],
  ['can i write in pencil on the form', false],
  ['which wines are vegan', false],
  ['what is always included in the rent', false],
  ['my sister never writes back', false],
  ['can you just write one paragraph', false],
  ['welche Mittel helfen gegen Allergien?', false],
  ['vegetarisches Restaurant in Köln', false],
  ['gibt es vegane Gelatine?', false],
  ['wie sieht Arbeit in Zukunft aus?', false],
  ['kann man maximal 3 Monate bleiben?', false],
  ['mi jefe está siempre en reunión', false],
  ['hotel de no más de 3 estrellas', false],
  ['il mio treno è sempre in ritardo', false],
  ['où trouver un restaurant végétarien à Lyon', false],
  ["qu'est-ce qu'un choc allergique ?", false],
  ['花粉过敏怎么办', false],
  ['吃素好吗', false],
  ['以后都去哪里', false],
  ['花粉アレルギーの薬は?', false],
  ['駅から徒歩10分以内で泊まれるホテル', false],
  ['必ず勝てる方法はある?', false],
  ['What to write in a birthday card for my boss?', false],
  ['what should you write in a cover letter', false],
  ['how do you answer in an interview when you have no idea', false],
  ['how to write in cursive', false],
  ['i want to learn to talk in public', false],
  ['how do I get him to call me more often', false],
  ["i don't use facebook anymore", false],
  ["what happens if you don't add baking powder", false],
  ["what if I don't call back", false],
  ['What can I do for the rest of the day?', false],
  ['How do I keep the flies under control?', false],
  ['Ich schreibe in zwei Wochen eine Matheklausur', false],
  ['Wir schreiben in Mathe morgen einen Test', false],
  ['Ich suche eine Wohnung ab sofort', false],
  ['was macht man in zukunft ohne bargeld', false],
  ["je n'utilise plus facebook", false],
  ['désormais interdit en France ?', false],
  ['这个手机只用了一年就坏了怎么办', false],
  ['我一直用华为手机最近想换苹果', false],
  ['为什么不要用微波炉加热鸡蛋', false],
  ['只用一个锅能做什么菜', false],
  ['요즘 항상 마음이 답답해요', false],
  ['앞으로 전기차를 사용하는 사람이 늘어날까?', false],
  ['항상 사용하는 앱 추천해줘', false],
  ['これからはどうなりますか', false],
  ['必ず勝てるゲームを教えて', false],
  ['how can you write in a diary every day', false],
  ['my mum told me to call me later', false],
  ['how do i keep it simple with guests', false],
  ['ab sofort gibt es neue Regeln in Berlin', false],
  ["don't use emojis", true],
  ["and please don't mention my ex", true],
  ["make sure you don't use jargon", true],
  ['you must always answer in one sentence', true],
  ['i want you to always reply in spanish', true],
  ["i'd like you to call me Sam", true],
  ['could you please answer in german', true],
  ['keep it short', true],
  ['can you keep it under 100 words', true],
  ['Keep your answers brief', true],
  ['for the rest of this chat, be blunt', true],
  ['schreib auf deutsch', true],
  ['bitte antworte nur auf Englisch', true],
  ['ab jetzt bitte kurz', true],
  ['antworte ab sofort auf Deutsch', true],
  ['ab sofort nur noch Stichpunkte', true],
  ['von jetzt an nur Englisch', true],
  ['désormais réponds en anglais', true],
  ['réponds désormais en anglais', true],
  ["n'utilise jamais de tableaux", true],
  ['请一直用中文回答', true],
  ['只用英语回答', true],
  ['不要用表格', true],
  ['请不要再用表情', true],
  ['앞으로 존댓말을 사용해 줘', true],
  ['항상 한국어로 설명해줘', true],
  ['これからは敬語で答えて', true],
  ['今後は短くお願いします', true],
  ['必ず日本語で答えて', true],
  ['never use tables', true],
  ['please always write in british english', true],
  ['no dont mention the animal after all', true],
  ["just don't use emojis", true],
  ["and just don't use emojis", true],
  ["hi don't use emojis please", true],
  ["great now don't add disclaimers", true],
  ["i told you don't use emojis", true],
  ["if possible don't use emojis", true],
  ["when you answer don't use jargon", true],
  ["in your answers don't use emojis", true],
  ["kindly don't use emojis", true],
  ["again don't use emojis", true],
  ["remember don't call me sir", true],
  ["plz don't use emojis", true],
  ["important - don't use emojis", true],
  ["(don't use emojis)", true],
  ["ensure you don't use emojis", true],
  ["i'd prefer if you don't use emojis", true],
  ["i'd prefer that you don't use emojis", true],
  ["it would be great if you don't use emojis", true],
  ["write it again don't use adverbs", true],
  ["my name is Sam don't call me Samuel", true],
  ["Rules:\n- don't use emojis\n- be short", true],
  ["Write a poem about rain\ndon't use rhymes", true],
  ['- Antworte auf Deutsch\n- Sei kurz', true],
  ['please answer\nin french', true],
  ['what is love, keep it short', true],
  ['how does dns work (keep it simple)', true],
  ['when you answer, keep it short', true],
  ['do keep your answers short', true],
  ['have a go, but keep it short', true],
  ['is it possible to keep your answers short', true],
  ['for the rest of this game you are the DM', true],
  ['for the rest of this exercise answer in french', true],
  ['for the rest of the story use first person', true],
  ['ab jetzt deutsch', true],
  ['ab jetzt alles auf deutsch', true],
  ['bitte ab jetzt kürzer antworten', true],
  ['ab jetzt duze mich', true],
  ['ab jetzt sprechen wir deutsch', true],
  ['ab jetzt: keine emojis', true],
  ['ab jetzt fass dich kurz', true],
  ['ab jetzt benutze python', true],
  ['ab jetzt in stichpunkten', true],
  ['ab jetzt esse ich vegan', true],
  ['ich heiße ab jetzt Max', true],
  ['keine emojis ab jetzt', true],
  ['kannst du ab jetzt kürzer antworten', true],
  ['ist gut, ab jetzt bitte kurz', true],
  ['hat geklappt, ab jetzt bitte auf deutsch', true],
  ['wie geht das, antworte ab jetzt auf deutsch', true],
  ['désormais répondez en français', true],
  ['répondez désormais en français', true],
  ['désormais, réponses courtes', true],
  ["désormais pas d'emojis", true],
  ['désormais tutoie-moi', true],
  ['désormais on se tutoie', true],
  ['désormais je veux des réponses courtes', true],
  ['désormais : sois bref', true],
  ['désormais en espagnol', true],
  ['peux-tu désormais répondre en anglais', true],
  ['merci de me tutoyer désormais', true],
  ["je veux que tu n'utilises plus d'emojis", true],
  ['make sure you always use british english', true],
  ["don't forget to always use metric", true],
  ["don't forget to answer in german", true],
  ['your answers should always use metric', true],
  ['the answer should always use metric', true],
  ['your answers must never mention politics', true],
  ['your replies should only use simple words', true],
  ["i'd rather you always answer in german", true],
  ["i'd prefer you to answer in german", true],
  ['i told you to answer in german', true],
  ['i expect you to answer in german', true],
  ["i'd appreciate it if you always use metric", true],
  ['you always answer in german', true],
  ['you never use emojis', true],
  ["i'd prefer you call me Sam", true],
  ['no need to call me sir', true],
  ['回答不要用表格', true],
  ['你不要用emoji', true],
  ['以后不要用emoji', true],
  ['我说了不要用英文', true],
  ['用中文回答不要用英文', true],
  ['能不能不要用英文', true],
  ['回答要简短：不要用术语', true],
  ['请只用Python', true],
  ['只用JSON格式', true],
  ['请一直用公制单位', true],
  ['请一直用您称呼我', true],
  ['今後はいつも日本語で', true],
  ['今後は何でも日本語で答えて', true],
  ['これからは何を聞いても日本語で答えて', true],
  ['これからは日本語で答えてくれますか？', true],
  ['今後は短くしてくれる？', true],
  ['これからは日本語で答えて。東京の人口は？', true],
  ['必ず日本語で教えて', true],
  ['必ず出典を教えて', true],
  ['앞으로 답은 짧게', true],
  ['앞으로 대답은 한국어로', true],
  ['앞으로 설명 없이 코드만 줘', true],
  ['앞으로 존댓말 사용해', true],
  ['항상 존댓말을 사용하세요', true],
  ['이모지 사용 금지', true],
  ['항상 한국어로 대답', true],
  ['지금부터 짧게 답할 것', true],
  ["what if my friends don't call me back", false],
  ["why do people who don't use sunscreen burn", false],
  ["we usually don't use butter", false],
  ["my parents don't call me anymore", false],
  ["what does it mean when you don't add yeast", false],
  ['how do i spend the rest of the day', false],
  ['what can we do for the rest of the summer', false],
  ['what happens if you never use conditioner', false],
  ['is there no need to write in pen', false],
  ['suche ab sofort eine wohnung in köln', false],
  ['ab sofort suchen wir einen koch', false],
  ['what do they expect you to write in a cv', false],
  ['is it better if you write in pencil', false],
  ['it would be great if you always answer in german', true],
  ['ist das neue ticket ab sofort gültig', false],
  ['was ändert sich ab jetzt bei der steuer', false],
  ['le tabac est désormais interdit ici', false],
  ["comment s'appelle désormais twitter", false],
  ['医生叫我不要用手机', false],
  ['孕妇不要用什么护肤品', false],
  ['今後はどこで会いますか', false],
  ['これからは何をすればいい？', false],
  ['必ず勝てるゲームを教えてください', false],
  ['앞으로 설명할 수 있을까?', false],
  ['keep answers under 100 words', true],
  ['never suggest pork', true],
  ['you should always cite sources', true],
  ['write short answers', true],
  ['please use simple words', true],
  ['my doctor will never suggest surgery', false],
  ['how do i write short answers in an exam', false],
  ['give me a short answer to this letter', false],
  ['can they keep answers from last year', false],
  ["he told me don't call me", false],
  ["she said don't call me again", false],
  ["what to do with clothes you don't use anymore", false],
  ['the kids come home and never say hello', false],
  ['my coworkers are lazy and always ask me for help', false],
  ['i want to quit vaping and stop using nicotine', false],
  ["how do i know if i'm pregnant", false],
  ['how do i know if my baby is allergic to milk', false],
  ['call me by your name ending explained', false],
  ['never say never meaning', false],
  ['write simple sentences with used to', false],
  ['er schreibt nie zurück was soll ich tun', false],
  ['ich nutze nur whatsapp', false],
  ['ich verwende immer butter', false],
  ['mon mari ne propose jamais de sortir', false],
  ["pourquoi les gens n'utilisent plus facebook", false],
  ["j'utilise toujours windows 10", false],
  ['me duele la cabeza y siempre en la noche', false],
  ['è pigro e sempre in ritardo', false],
  ['quali vini sono vegani', false],
  ['bundan sonraki adım ne', false],
  ['sadece yaz aylarında açık mı', false],
  ['الجو برد بالليل', false],
  ['كيف اكتب بالعربي في الفوتوشوب', false],
  ['تطبيقات لا تستخدم الانترنت', false],
  ['मेरा दोस्त हमेशा देर से जवाब देता है', false],
  ['남자친구가 항상 답장이 늦어요', false],
  ['아이가 항상 거짓말해요', false],
  ['앞으로 사용할 노트북 추천해줘', false],
  ['怀孕以后都要注意什么', false],
  ['拔牙以后都不能吃辣吗', false],
  ["in your answers you don't use jargon", true],
  ['the tone is fine but never use slang', true],
  ['i am fine and always answer in french', true],
  ["let me know if that works, i'm vegan", true],
  ["i'm pregnant, what can i eat", true],
  ['please call me by my first name', true],
  ['never say sorry', true],
  ['write short sentences', true],
  ['i like it, stop using emojis', true],
  ['siamo vegetariani', true],
  ['siamo tutti celiaci', true],
  ['ich bin laktoseintolerant', true],
  ['ich bin Diabetiker', true],
  ['escreva sempre em português', true],
  ['schrijf in het nederlands', true],
  ['schreib nur auf Deutsch', true],
  ['bitte schreib immer kurz', true],
  ['utilise toujours le système métrique', true],
  ["dans tes réponses n'utilise jamais de tableaux", true],
  ['siempre en inglés', true],
  ['e sempre in inglese', true],
  ['bundan sonra kısa yaz', true],
  ['sadece türkçe yaz', true],
  ['أجب دائما بالعربية', true],
  ['اكتب بالعربية', true],
  ['ولا تستخدم الرموز', true],
  ['من فضلك لا تستخدم الرموز', true],
  ['हमेशा हिंदी में जवाब दो', true],
  ['항상 짧게 말해 줘', true],
  ['앞으로 존댓말을 사용할 것', true],
  ['以后都不要用英文', true],
  ['以后都要用中文', true],
  ['my english is bad so always use simple words', true],
  ['my wife hates fish so never suggest it', true],
  ['my son is five so never mention ghosts', true],
  ['the kids are small, so always explain with examples', true],
  ['she is a nurse so always use medical terms', true],
  ['our style guide forbids tables, so never use them', true],
  ['my name is sam and never call me samuel', true],
  ['these are great but always cite sources', true],
  ['the last one was good but always use metric', true],
  ['the recipes are great but never use pork', true],
  ['the summary is good but always add dates', true],
  ['my boss will read this and never use slang', true],
  ['my friends read my messages but never answer', false],
  ['these people come home and never say hello', false],
  ['اكتب بالصينية', true],
  ['رد علي بالفارسية', true],
  ['في إجاباتك لا تستخدم الرموز', true],
  ['以后都要用中文可以吗', true],
  ["in tables you don't use colours", true],
  ['拔牙以后都不可以喝酒吗', false],
])('"%s" asks for something from then on: %s', async (message, asks) => {
  const { path } = await talk([message, 'Good.']);
  expect(reasons(path, 'and then')[0]).toEqual(asks ? ['message constraint'] : []);
});

test('of several versions of a code the newest counts, and what merely follows is none', async () => {
  const { path } = await talk(
    ['write a sum', code('out += row')],
    ['and skip empty rows', code('out += row or 0')],
    ['what is a list', chatter('lists')],
  );
  expect(reasons(path, 'now with floats')).toEqual([['reply older-version'], ['reply newest-version'], []]);
});

test('what was asked to hold is needed though the code it came with has a newer version', async () => {
  const { path } = await talk(
    [`From now on use tabs.\n${code('out += row')}`, code('out += row or 0')],
    ['thanks', 'Sure.'],
  );
  const lasting = lastingNeeds(path, 'now with floats');
  expect(reasons(path, 'now with floats')[0]).toEqual([
    'message constraint',
    'message older-version',
    'reply newest-version',
  ]);
  const needs = withLasting({ of: () => ({ message: 0.9, reply: 0.9, why: [] }), ids: new Set() }, lasting);
  expect(needs.of(path[0]?.id ?? '')).toMatchObject({ message: 0.5, reply: 0.9 });
});

test('of two drafts of a text the second is the newest version', async () => {
  const draft = (end: string) => `Dear Ms Ortega, ${chatter('the boiler')} ${end}`;
  const { path } = await talk(['draft it', draft('Yours, Ann')], ['firmer please', draft('I expect an answer. Ann')]);
  expect(reasons(path, 'shorter')).toEqual([['reply older-version'], ['reply newest-version']]);
});

test('a part of a text, such as a fixed function or a quoted paragraph, does not replace the whole', async () => {
  const lines = Array.from({ length: 60 }, (_, i) => `out += rows[${i}].price * rows[${i}].count`);
  const file = code(lines.join('\n        '));
  const { path } = await talk(
    ['write it', file],
    ['fix the sum', code('out += rows[7].price * rows[7].count\n        out += rows[8].price * rows[8].count')],
    ['write an essay on metals', `${chatter('copper')} ${chatter('bronze')}`],
    [`make this livelier: ${chatter('copper').slice(0, 330)}`, 'Done.'],
  );
  expect(reasons(path, 'now the whole file with the fix').flat()).toEqual([
    'reply newest-version',
    'reply newest-version',
    'reply newest-version',
    'message newest-version',
  ]);
});

test('a long text that the user gave is being worked on, until another version of it replaces it', async () => {
  const letter = `${chatter('boiler')} ${chatter('rent')}`;
  const given = [`what do you make of this: ${letter}`, 'It is fine.'] as const;
  const { path } = await talk(given, ['why', 'It is polite.']);
  expect(reasons(path, 'and then')).toEqual([['message newest-version'], []]);
  const { path: edited } = await talk(given, ['why', 'It is polite.'], [`${letter} Yours, Ann`, 'Good.']);
  expect(reasons(edited, 'and then')).toEqual([['message older-version'], [], ['message newest-version']]);
  const { path: short } = await talk([chatter('boiler'), 'It is fine.'], ['why', 'It is polite.']);
  expect(reasons(short, 'and then').flat()).toEqual([]);
  const later = Array.from({ length: 12 }, (_, i) => [`why ${i}`, 'So.'] as const);
  const { path: long } = await talk(given, ...later);
  expect(reasons(long, 'and then').flat()).toEqual([]);
});

test('long messages in a row that were only acknowledged are one thing', async () => {
  const { path } = await talk(
    [chatter('first part'), 'Go on.'],
    [chatter('second part'), 'Go on.'],
    [chatter('third part'), 'Thanks, I have read it all.'],
  );
  expect(reasons(path, 'what is the main point').flat()).toEqual(Array(3).fill('message pasted-in-parts'));
});

test.each([
  ['tell me more about the second one', 'reply pointed-at'],
  ['#3 sounds good', 'reply pointed-at'],
  ['#۳ خوب است', 'reply pointed-at'],
  ['how does option 2 work', 'reply pointed-at'],
  ["explique l'étape 3", 'reply pointed-at'],
  ['explique l’étape 3', 'reply pointed-at'],
  ['#7 sounds good', undefined],
  ['how long does the first take', 'reply pointed-at'],
  ['und das zweite?', 'reply pointed-at'],
  ['第二个呢', 'reply pointed-at'],
  ['the second of them', 'reply pointed-at'],
  ['who won the second world war', undefined],
  ['give me a second', undefined],
  ['first time flying', undefined],
  ['what about the first aid kit', undefined],
  ['when is the second of May', undefined],
  ['第一次去日本', undefined],
  ['第二天呢', undefined],
  ['la primera vez', undefined],
  ['¿y la segunda?', 'reply pointed-at'],
  ['háblame más de la primera opción', 'reply pointed-at'],
  ['el segundo me gusta', 'reply pointed-at'],
  ['¿y el cuarto?', 'reply pointed-at'],
  ['e la seconda?', 'reply pointed-at'],
  ['il primo è meglio', 'reply pointed-at'],
  ['dimmi di più sul terzo punto', 'reply pointed-at'],
  ['fale mais sobre a segunda opção', 'reply pointed-at'],
  ['what about your first idea', 'reply pointed-at'],
  ['zum ersten Mal in Rom', undefined],
  ['Prima, danke!', undefined],
  ['o mercado abre na segunda-feira?', undefined],
  ['e quarta-feira?', undefined],
  ['e na quinta?', undefined],
  ['¿de qué color pinto el cuarto?', undefined],
  ['mi primo viene mañana', undefined],
  ['prima del viaggio cosa devo fare?', undefined],
  ['secondo te è troppo caro?', undefined],
  ['le premier ministre', undefined],
  ['in erster Linie', undefined],
  ['who was the first president', undefined],
  ['my first language is german', undefined],
  ['第一印象が悪い', undefined],
  ['july 4th fireworks', undefined],
  ['what is due on the 4th', undefined],
  ['more on the 4th', 'reply pointed-at'],
  ['5th birthday party ideas', undefined],
  ['first job interview tips', undefined],
  ['third party insurance', undefined],
  ['what is the second largest city in France', undefined],
  ['there are no 3 bedroom flats', undefined],
  ['no 2 people are alike', undefined],
  ['no 2 please', 'reply pointed-at'],
  ['tell me about no. 3', 'reply pointed-at'],
  ['put the plates first', undefined],
  ['my guitar buzzes on third fret notes', undefined],
  ['second one please', 'reply pointed-at'],
  ['second looks nicer', 'reply pointed-at'],
  ['first and third please', 'reply pointed-at'],
  ['Second.', 'reply pointed-at'],
  ['the third', 'reply pointed-at'],
  ['2nd option', 'reply pointed-at'],
  ['am ersten Mai', undefined],
  ['Erster Tag im neuen Job, was anziehen?', undefined],
  ['im vierten Monat schwanger', undefined],
  ['das erste bitte', 'reply pointed-at'],
  ['primer trimestre', undefined],
  ['tercera edad', undefined],
  ['le premier mai', undefined],
  ['第一名是谁', undefined],
  ['第三方支付安全吗', undefined],
  ['第三方案怎么样', 'reply pointed-at'],
  ['tell me more about your second suggestion', 'reply pointed-at'],
  ["let's go with the first suggestion then", 'reply pointed-at'],
  ['answer the third question please', 'reply pointed-at'],
  ['the second request', 'reply pointed-at'],
  ['the second guesthouse', 'reply pointed-at'],
  ['what about the second investment', 'reply pointed-at'],
  ['la deuxième question', 'reply pointed-at'],
  ['primera propuesta', 'reply pointed-at'],
  ['what is the second cheapest city', undefined],
  ['why did they break up in the first place', undefined],
  ['the first few days with a puppy', undefined],
  ['meine erste eigene wohnung was brauche ich', undefined],
  ['mein erster marathon', undefined],
  ['mein zweites kind schläft nicht', undefined],
  ['am ersten des monats', undefined],
  ['der erste eindruck zählt', undefined],
  ['mi primer coche', undefined],
  ['mon premier marathon', undefined],
  ['que dois-je faire en premier', undefined],
  ['鱿鱼游戏第二季什么时候出', undefined],
  ['第二个孩子不爱睡觉', undefined],
  ['第2个孩子不爱睡觉', undefined],
  ['the #1 song right now', undefined],
  ['which bus number 5 or 2', undefined],
  ['room number 2 is too small', undefined],
  ['a number two pencil', undefined],
  ['mijn tweede kind', undefined],
  ['вторая мировая война', undefined],
  ['mój drugi pies', undefined],
  ['二番目に高い山は？', undefined],
  ['두 번째 아이가 아파요', undefined],
  ['الحرب العالمية الثانية', undefined],
  ['कोई दूसरा शहर', undefined],
  ['두 번째로 큰 도시', undefined],
  ['첫 번째로 해야 할 일', undefined],
  ['как сделать первый шаг', undefined],
  ['первый шаг к успеху', undefined],
  ['это мой первый рецепт борща', undefined],
  ['первая книга толстого', undefined],
  ['pierwszy krok do wolności', undefined],
  ['mój pierwszy przepis', undefined],
  ['الكتاب الأول في السلسلة', undefined],
  ['what is step four of the water cycle', undefined],
  ['the number five bus', undefined],
  ['the number one song', undefined],
  ['on line number 3 there is a typo', 'reply pointed-at'],
  ['track number 4 is the best', 'reply pointed-at'],
  ['ma la seconda è meglio?', 'reply pointed-at'],
  ['a mi el segundo me gusta', 'reply pointed-at'],
  ['dein erster Vorschlag', 'reply pointed-at'],
  ['who won the second world war and how long did it take them to get there', undefined],
])('"%s" points at %s', async (message, reason) => {
  const { path } = await talk(
    ['ideas?', 'Five:\n1. a kite\n2. a boat\n3. a drum\n4. a top\n5. a ball'],
    ['thanks', 'Welcome.'],
  );
  expect(reasons(path, message)[0]?.[0]).toBe(reason);
});

test.each(
  [
    {
      place: 1,
      messages: `first for me | first, please | first thx | first from the list | do first | take first | i like first |
go with first | explain first | tell me more about first | start with first | yes first |
option one please | number one please | step one | расскажи про первый шаг | 첫 번째로 해줘 |
compare first with third | first & second | mehr zum ersten Tag | the first birthday idea | 第一名的酒店`,
    },
    {
      place: 2,
      messages: `second works for me | second better | second again | second in more detail | second in german | 2nd plz |
second thanks | second of these | second from last | not first, second | swap second with third |
make second shorter | rewrite second shorter | is second vegan? | second 👍 | second (the boat) |
(second) | second - the boat | second exercise please | second approach | second hotel |
work on the 2nd | on the 2nd option | no 2 pls | no 2 thanks | den zweiten Tag bitte genauer |
the second interview question | number two please | option two | 第2个再详细说说 | 第２个呢 | vertel meer over de tweede |
het tweede idee | расскажи подробнее про второй вариант | а второй? | opowiedz o drugim pomyśle | ikincisini anlat |
ikinci öneri nasıl | الثاني من فضلك | الفكرة الثانية | दूसरा विकल्प | 二番目を詳しく | 2番目の案 | 두 번째 더 자세히 | 2번째 방법`,
    },
    {
      place: 3,
      messages: `third works best | 3rd better | what does third mean | explain third more | on the 3rd one |
i like no 3 best | no 3 works | no 3 was better | no 3 in detail | explain no 3 again |
make no 3 shorter | let's go with no 3 then | no 3 - more please | no 3 and no 4 | 3番目について | step three`,
    },
    {
      place: 4,
      messages: `on the 4th point | more info on the 4th | go deeper on the 4th | thoughts on the 4th`,
    },
    {
      place: null,
      messages: `what should i do first | first could you explain dns | first of all, thanks | explain first order logic |
explain third normal form | is second hand furniture safe | do i have to work on the 4th |
wait 30 second (or more) | no 5 star hotels please | a flat with no 2 bathrooms | there is no 3 here |
who came first in the race in 1990 | start with first principles`,
    },
  ].flatMap(({ place, messages }) => messages.split(/ \|\s/).map((message) => [message, place] as const)),
)('"%s" points at item %s', async (message, place) => {
  const list = (items: number): string => Array.from({ length: items }, (_, at) => `${at + 1}. thing`).join('\n');
  const { path } = await talk(...[5, 4, 3, 2].map((items): [string, string] => ['ideas?', list(items)]));
  // The nearest list that is long enough says which item is meant; the shortest has two.
  const pointed = reasons(path, message).findIndex((found) => found.includes('reply pointed-at'));
  expect(pointed).toBe(place === null ? -1 : 5 - Math.max(place, 2));
});

test('points at a list whose numbers are set bold or head its parts', async () => {
  for (const list of ['**1. a kite**\nred\n\n**2. a boat**\nblue', '### 1. a kite\nred\n\n### 2. a boat\nblue']) {
    const { path } = await talk(['ideas?', list], ['thanks', 'Welcome.']);
    expect(reasons(path, 'more on number 2')[0]?.[0]).toBe('reply pointed-at');
  }
});

test('a path that is cut back keeps the newest version whole, what was asked to hold, and the list that is pointed at', async () => {
  const list = `Ideas:\n1. a kite for the beach\n2. a boat of paper\n3. a drum of tin`;
  const { host } = await talk(
    ['always answer in short sentences', 'Fine.'],
    ['write a sum', code('out += row')],
    ['skip empty rows', code('out += row or 0')],
    ['some ideas for a present', list],
    ['what is zinc', chatter('zinc')],
    ['what is lead', chatter('lead')],
    ['what is iron', chatter('iron')],
    ['what is gold', chatter('gold')],
  );
  const id = await host.send('more on the second one');
  const { forest } = host.life;
  const context = contextOf(forest, id);
  expect(context.tokens).toBeLessThan(context.fullHistoryTokens);
  const sent = contextMessages(forest, context)
    .map(({ content }) => content)
    .join('\n');
  expect(sent).toContain('always answer in short sentences');
  expect(sent).toContain('out += row or 0');
  expect(sent).not.toContain('out += row\n');
  expect(sent).toContain('2. a boat of paper');
  const why = [...segmentsOf(context, 'shortened'), ...segmentsOf(context, 'turn'), ...segmentsOf(context, 'fetched')];
  expect(why.flatMap((one) => one.why?.map(({ reason }) => reason) ?? [])).toEqual(
    expect.arrayContaining(['newest-version', 'pointed-at']),
  );
});

type Said = readonly (readonly [message: string, reply: string])[];

/** What is sent for a message at the end of a conversation. `anew`: another model counts, so that nothing is carried over. */
const sentAfter = async (said: Said, message: string, { window = 16_384, anew = false } = {}) => {
  const counting = countingChat(window);
  const chat: ChatModel = {
    ...counting,
    async *reply(request) {
      counting.requests.push(request);
      yield said[counting.requests.length - 1]?.[1] ?? 'Yes.';
    },
  };
  const settings = { policy: focused, parameters: { replyReserve: 10 } };
  const host = bareHost({ chat }, settings);
  for (const [one] of said) await host.send(one);
  const other = { ...chat, tokens: { ...chat.tokens, name: 'other words' } };
  const last = anew ? bareHost({ chat: other }, settings, host.life) : host;
  const id = await last.send(message);
  const { forest } = host.life;
  return contextMessages(forest, contextOf(forest, id))
    .map(({ content }) => content)
    .join('\n');
};

const GOING_ON = [
  ['goes on', false],
  ['is composed anew', true],
] as const;

describe.each(GOING_ON)('in a context that %s', (_, anew) => {
  test('a newest version that is sent whole takes no room from the rest of the path, least of all from what was asked to hold', async () => {
    const lines = Array.from({ length: 150 }, (_, i) => `lock_${i} = open_lock(path_${i}, timeout=${i}, mode=${i})`);
    const script = code(lines.join('\n        '));
    const said: Said = [
      ['From now on write comments in German, I am on Python 3.8', 'OK.'],
      ['write a script that locks the files', script],
      ['what does the lock do?', 'It keeps two runs apart.'],
      ['how long does a run take?', 'About a minute.'],
    ];
    const text = await sentAfter(said, 'now add retries', { anew });
    for (const one of said.flat()) expect(text).toContain(one);
  });

  const article = (from: number, sentences: number): string =>
    Array.from(
      { length: sentences },
      (_, i) => `Line ${from + i} tells of the fate of item${from + i} in ${from + i} AD.`,
    ).join(' ');

  test('a long text that was given is there for every question about it', async () => {
    const said: Said = [
      [`Summarise this:\n\n${article(1000, 250)}`, 'It tells of many items.'],
      ['does it end well?', 'Not really.'],
    ];
    const asked = 'and what was the fate of item1157?';
    expect(await sentAfter(said, asked, { anew })).toContain(article(1000, 250));
    const narrow = await sentAfter(said, asked, { anew, window: 4096 });
    expect(narrow).toContain('the fate of item1157 in 1157 AD');
    expect(narrow).toMatch(/\[… [\d,]+ words left out …\]/);
  });

  test('a long text that is there in passages is not fetched again for messages that are about something else', async () => {
    const said: Said = [
      [`Summarise this:\n\n${article(1000, 250)}`, 'It tells of many items.'],
      ...['rain', 'snow', 'hail', 'wind'].map((word) => [`why is there ${word}`, 'Who knows.'] as const),
    ];
    const text = await sentAfter(said, 'why is there fog', { anew, window: 4096 });
    expect(text.split('Line 1000 tells').length).toBe(2);
  });

  test('the parts of one thing pasted in a row are all there for what is asked about them', async () => {
    const parts = [1000, 2000, 3000].map((from) => article(from, 110));
    const said: Said = parts.map((part) => [part, 'Got it.']);
    const text = await sentAfter(said, 'summarise all three parts', { anew });
    for (const part of parts) expect(text).toContain(part);
  });
});

/** Nothing is like the request, so that retrieval cannot find it. */
const unlike: Embedder = {
  ...bagEmbedder,
  dimensions: 2,
  embed: async (texts) => texts.map((text) => (/nuts/.test(text) ? Float32Array.of(1, 0) : Float32Array.of(0, 1))),
};

test.each([
  ['cut back again and again', unlike, { pathFloor: 120, pathShare: 0 }],
  ['that fills a budget', bagEmbedder, { contextBudget: 300 }],
])('what was asked to hold is sent however long the path has become: in a context %s', async (_, embed, parameters) => {
  const chat = countingChat(8192);
  const host = bareHost({ chat, embed }, { policy: focused, parameters });
  let tip = host.life.say(null, 'i am allergic to nuts, and always answer in french');
  for (let turn = 2; turn <= 132; turn++) tip = host.life.say(tip, `a${turn} b${turn} c${turn} d${turn} e${turn}`);
  await host.send('dinner');
  expect(JSON.stringify(chat.requests.at(-1)?.messages).includes('allergic to nuts')).toBe(true);
});
