import { describe, expect, test } from 'vitest';
import { promptedSummariser } from './prompted-summariser.ts';
import { scriptedGenerator } from './testing/scripted-generator.ts';

const turn = { message: 'How much is the 28E tram in Lisbon?', reply: 'A single ride costs €3.20 on board.' };
const summaryOf = (answer: string) => promptedSummariser(scriptedGenerator(answer)).summarise(turn);
const titleOf = (answer: string) => promptedSummariser(scriptedGenerator(answer)).title(turn);
const SENTENCE = 'The user asked for the price of the 28E tram in Lisbon and was told €3.20 a ride.';

test('the model is sent the turn, long ones clipped to their beginning and end', async () => {
  const generator = scriptedGenerator(SENTENCE);
  await promptedSummariser(generator).summarise({ ...turn, reply: `Begin ${'and so on '.repeat(900)} the end.` });
  const [, user] = generator.requests[0]?.messages ?? [];
  expect(user?.content).toMatch(
    /^User: How much is the 28E tram in Lisbon\?\nAssistant: Begin .* … .* the end\.\nSummary:$/,
  );
  expect(user?.content.length).toBeLessThan(3000);
});

test('the digest of the turn before stands first, so that “it” has a name', async () => {
  const generator = scriptedGenerator(SENTENCE);
  const before = 'The user asked about trams in Lisbon and was told of the 28E.';
  await promptedSummariser(generator).summarise({ ...turn, before, message: 'how much is it' });
  const [system, user] = generator.requests[0]?.messages ?? [];
  expect(system?.content).toContain('"Before" is what was said just before');
  expect(user?.content).toBe(
    'Before: The user asked about trams in Lisbon and was told of the 28E.\n' +
      'User: how much is it\nAssistant: A single ride costs €3.20 on board.\nSummary:',
  );
});

test('a message that has no reply is summarised alone', async () => {
  const generator = scriptedGenerator(SENTENCE);
  await promptedSummariser(generator).summarise({ ...turn, reply: '' });
  expect(generator.requests[0]?.messages[1]?.content).toBe(`User: ${turn.message}\nSummary:`);
});

test('what it is told to write about a text comes as it is, and a text that is too long is clipped', async () => {
  const generator = scriptedGenerator('<think>hm</think>\n1\n2');
  const { write } = promptedSummariser(generator);
  expect(await write?.('List the numbers.', 'a\nb')).toBe('1\n2');
  await write?.('List the numbers.', 'long '.repeat(generator.window));
  expect(generator.requests[0]?.messages.map(({ content }) => content)).toEqual(['List the numbers.', 'a\nb']);
  expect(generator.requests[1]?.messages[1]?.content).toMatch(/^long .* … .* long$/);
});

describe('a summary', () => {
  test.each([
    [SENTENCE],
    [`Summary: ${SENTENCE}`],
    [`**Summary:** “${SENTENCE}”`],
    [`Here is the summary:\n\n${SENTENCE}\n\nI hope this helps!`],
    [`<think>\nShort.\n</think>\n\n${SENTENCE}`],
  ])('is read from %j', async (answer) => {
    expect(await summaryOf(answer)).toBe(SENTENCE);
  });

  test.each([
    ['以下是一句话总结：\n\n用户询问如何煮溏心蛋。', '用户询问如何煮溏心蛋。'],
    ['**摘要：** 用户询问如何煮溏心蛋。', '用户询问如何煮溏心蛋。'],
    ['要約：\n「ユーザーは半熟卵の作り方を尋ねた。」', 'ユーザーは半熟卵の作り方を尋ねた。'],
    ['Zusammenfassung: Der Nutzer fragte nach der Tram.', 'Der Nutzer fragte nach der Tram.'],
    ['Résumé : L’utilisateur a demandé le prix du tram.', 'L’utilisateur a demandé le prix du tram.'],
    ['《红楼梦》和《西游记》', '《红楼梦》和《西游记》'],
  ])('is read from an answer in another language: %j', async (answer, summary) => {
    expect(await summaryOf(answer)).toBe(summary);
  });

  test('keeps names as they are written', async () => {
    expect(await summaryOf('The user asked about `snake_case` in C#.')).toBe('The user asked about snake_case in C#.');
  });

  test.each([
    ['The user asked for 5*3 and 2**8 and was told 15 and 256.'],
    ['The user asked what *args and **kwargs are.'],
    ['* The user chose **Rome** and *not* ***Venice***.', 'The user chose Rome and not Venice.'],
    ['- The user asked what `**kwargs*` is, **in `C*`**.', 'The user asked what **kwargs* is, in C*.'],
    ['価格は**5ユーロ**です。', '価格は5ユーロです。'],
    ['The user compared **GPU**s and ***CPU***s.', 'The user compared GPUs and CPUs.'],
    ['The user asked what **kwargs and 2**8 are.'],
    ['**kwargs was explained to the user.'],
    ['**The user was told what a tram', 'The user was told what a tram'],
    ['**Summary: The user chose Rome.', 'The user chose Rome.'],
  ])('loses its marks but none of what it says: %s', async (answer, summary = answer) => {
    expect(await summaryOf(answer)).toBe(summary);
  });

  test('that goes on and on keeps whole sentences only, and never outgrows its room', async () => {
    expect(await summaryOf(`${SENTENCE} ${'More words follow here. '.repeat(40)}`)).toMatch(/^The user .* here\.$/);
    const endless = await summaryOf('so and on '.repeat(200));
    expect(endless).toMatch(/ …$/);
    expect(endless.length).toBeLessThan(330);
  });

  test.each([
    ['', 'empty'],
    ['<think>hm</think>', 'empty'],
    ['12 … 13!', 'nonsense'],
  ])('%j is none', async (answer, kind) => {
    await expect(summaryOf(answer)).rejects.toMatchObject({ kind });
  });
});

describe('a title', () => {
  test.each([
    ['Lisbon tram prices'],
    ['Title: Lisbon tram prices.'],
    ['"Lisbon tram prices"'],
    ['# Lisbon tram prices'],
    ['Lisbon tram prices\n\nThis title says what it is about.'],
  ])('is read from %j', async (answer) => {
    expect(await titleOf(answer)).toBe('Lisbon tram prices');
  });

  test('is asked for with the second turn, once there is one', async () => {
    const generator = scriptedGenerator('Lisbon trams');
    const second = { message: 'And for children?', reply: 'Under four they ride free.' };
    expect(await promptedSummariser(generator).title({ ...turn, second })).toBe('Lisbon trams');
    expect(generator.requests[0]?.messages[1]?.content).toBe(
      `User: ${turn.message}\nAssistant: ${turn.reply}\nUser: ${second.message}\nAssistant: ${second.reply}\nTitle:`,
    );
  });

  test.each([
    ['标题：溏心蛋的煮法', '溏心蛋的煮法'],
    ['《溏心蛋的煮法》', '溏心蛋的煮法'],
    ['タイトル：スマートフォンのバッテリー交換', 'スマートフォンのバッテリー交換'],
    ['วิธีต้มไข่ยางมะตูมให้อร่อย', 'วิธีต้มไข่ยางมะตูมให้อร่อย'],
    ['Titel: Preise der Lissabonner Tram', 'Preise der Lissabonner Tram'],
  ])('is read from an answer in another language: %j', async (answer, title) => {
    expect(await titleOf(answer)).toBe(title);
  });

  test.each([
    [SENTENCE],
    ['用户询问如何煮溏心蛋并得知需要六分钟'],
    ['ユーザーは半熟卵の作り方を尋ね、六分かかると教えられた'],
    ['ผู้ใช้ถามวิธีต้มไข่ยางมะตูมและได้รับคำตอบว่าต้องใช้เวลาหกนาที'],
  ])('that is a sentence is refused, so that the embedded one stands in: %s', async (sentence) => {
    await expect(titleOf(sentence)).rejects.toMatchObject({ kind: 'nonsense' });
  });
});
