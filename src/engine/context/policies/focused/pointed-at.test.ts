import { expect, test } from 'vitest';
import { reasons, talk } from './testing/talk.ts';

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
