import { describe, expect, test } from 'vitest';
import { glossedForEmbedder, loadGlossary } from '../text/glossary.ts';
import { plain } from '../text/words.ts';
import { announcesOther, type Cue, cuesOf, revises } from './cues.ts';

describe('cues', () => {
  test.each<[string, Cue, string]>([
    ['Right, let’s go back to the ferry.', 'returns', 'go back to'],
    ['By the way, who invented the zip?', 'opens', 'by the way'],
    ['Speaking of bread, how long does it keep?', 'associates', 'speaking of'],
    ['Make it four nights instead.', 'revises', 'instead'],
    ['What if we took the night train?', 'alternative', 'what if'],
    ['Please write the complete packing list.', 'wraps up', 'complete'],
    ['And what about the second one?', 'refers back', 'the second'],
    ['What is the difference between a lake and a loch?', 'asks in general', 'what is'],
    ['Should I take the blue one?', 'weighs a choice', 'should i'],
    ['Add a search box to the page.', 'instructs', 'add'],
    ['I have decided on oak.', 'decides', 'i have decided'],
  ])('%s', (message, cue, words) => {
    expect(cuesOf(message).get(cue)).toBe(words);
  });

  test.each([
    'Is there a word for a collector of stamps?',
    'There is a hole in my roof.',
    'How do I say that we need two weeks more?',
    'How long does it take to boil an egg?',
  ])('a word that points at nothing does not refer back: %s', (message) => {
    expect(cuesOf(message).has('refers back')).toBe(false);
  });

  test.each(['How long does it take?', 'Is that so?', 'And how do I get there?'])('one that does: %s', (message) => {
    expect(cuesOf(message).has('refers back')).toBe(true);
  });

  test.each([
    "I don't want the garlic",
    "what's the difference",
    "I'd rather have the blue one",
    "I've decided on oak",
    "I'm also looking for a tent",
    "let's not",
    "it won't start, that's why I'm asking",
    "how's the sea in May",
    "I'll take the blue one",
    "you're right, they've said so",
  ])('are the same without an apostrophe, or with another: %s', (message) => {
    const cues = [...cuesOf(message)];
    expect(cues).not.toEqual([]);
    expect([...cuesOf(message.replaceAll("'", ''))]).toEqual(cues);
    expect([...cuesOf(message.replaceAll("'", '’'))]).toEqual(cues);
  });

  test.each([
    'it lets you swim',
    'a fever makes me ill',
    'the id of the row',
    'its colour, as they were',
    'want',
    'antiques',
  ])('words that need none get none: %s', (message) => {
    expect(plain(message)).toBe(message);
  });

  test('finds none in a message that carries none', () => {
    expect([...cuesOf('Lisbon').keys()]).toEqual([]);
    expect([...cuesOf('').keys()]).toEqual([]);
  });
});

describe('a cue says what the words mean where they stand', () => {
  const yes: readonly (readonly [Cue, string])[] = [
    ['revises', 'forget the sauna'],
    ['revises', 'drop the garlic'],
    ['revises', 'we dropped the garlic'],
    ['revises', 'cancel the booking'],
    ['revises', 'we’re cancelling the hotel'],
    ['revises', 'on second thoughts, leave it'],
    ['revises', 'nvm, the red one'],
    ['revises', 'scratch that, make it blue'],
    ['revises', 'i don’t like the blue one any more'],
    ['revises', 'not any more'],
    ['revises', 'lower the budget'],
    ['revises', 'change the oil, not the tyres'],
    ['revises', 'switch to the train'],
    ['reconsiders', 'on second thoughts, keep the ferry'],
    ['reconsiders', 'forget about the ferry'],
    ['drops', 'forget the sauna'],
    ['drops', 'no, the other one'],
    ['drops', 'no it isn’t'],
    ['drops', 'no mushrooms please'],
    ['drops', 'scrap the second part'],
    ['regards', 'about the tent: is it tight?'],
    ['regards', 'about a job I applied for'],
    ['goes on', 'next, the sauce'],
    ['goes on', 'first tell me why'],
    ['goes on', 'now the second part'],
    ['accepts', 'good, and now?'],
    ['accepts', 'good idea'],
    ['accepts', 'great thanks'],
    ['accepts', 'right but how long'],
    ['accepts', 'no'],
    ['accepts', 'no that is wrong'],
    ['adds', 'and the blue one too'],
    ['adds', 'me too, please'],
    ['decides', 'i need a visa'],
    ['decides', 'so we want a garden'],
    ['returns', 'earlier you had four'],
    ['returns', 'get back to the ferry'],
    ['returns', 'the earlier plan'],
    ['seeks', 'order a new filter'],
    ['associates', 'i read that bees sleep'],
    ['associates', 'I’ve heard that bees sleep'],
    ['opens', 'something else: who was Ada'],
    ['opens', 'ok, something completely else'],
    ['opens', 'let us talk about something else'],
    ['opens', 'i was wondering how bees sleep'],
    ['opens', 'on another note, who was Ada'],
    ['alternative', 'a different route'],
    ['wraps up', 'the whole letter'],
    ['wraps up', 'give me the final version'],
    ['wraps up', 'the current plan'],
  ];
  test.each(yes)('%s: %s', (cue, message) => {
    expect(cuesOf(message).has(cue)).toBe(true);
  });

  const no: readonly (readonly [Cue, string])[] = [
    ['revises', 'don’t forget the milk'],
    ['revises', 'noise cancelling headphones'],
    ['revises', 'i always forget the milk'],
    ['revises', 'how do i scrape a website'],
    ['revises', 'a scrapbook of our summer'],
    ['revises', 'what to do with scrap wood'],
    ['revises', 'a dropdown with colours'],
    ['revises', 'where do i drop off the keys'],
    ['revises', 'how many eye drops a day'],
    ['revises', 'noise cancelling headphones'],
    ['revises', 'is nail polish remover toxic'],
    ['revises', 'any more ideas?'],
    ['revises', 'my lower back hurts'],
    ['revises', 'how does climate change affect bees'],
    ['revises', 'how often is an oil change due'],
    ['revises', 'games for the nintendo switch'],
    ['reconsiders', 'don’t forget the milk'],
    ['drops', 'dont forget shes vegan'],
    ['drops', 'no bake cheesecake'],
    ['drops', 'no hot water since monday'],
    ['drops', 'Noël in Strasbourg'],
    ['drops', 'Noémie turns three'],
    ['regards', 'about 20 people'],
    ['regards', 'about an hour'],
    ['regards', 'about two weeks'],
    ['regards', 'about half of them'],
    ['goes on', 'next week i fly to Rome'],
    ['goes on', 'next monday is a holiday'],
    ['goes on', 'first aid kit for the car'],
    ['goes on', 'first time flying with a baby'],
    ['goes on', 'second hand bike'],
    ['goes on', 'second-hand bike'],
    ['goes on', 'now that the kids are gone'],
    ['accepts', 'good gift for a 5 year old'],
    ['accepts', 'nice hotels near Porto'],
    ['accepts', 'perfect scrambled eggs'],
    ['accepts', 'right knee hurts'],
    ['accepts', 'no bake cheesecake'],
    ['accepts', 'Noël in Strasbourg'],
    ['accepts', 'no-bake cheesecake'],
    ['adds', 'my soup is too salty'],
    ['adds', 'it is too expensive for us'],
    ['decides', 'do i need to preheat'],
    ['decides', 'how long do i need to rest it'],
    ['decides', 'should i want more'],
    ['decides', 'do we need a visa'],
    ['returns', 'i get back pain after sitting'],
    ['returns', 'when i come back home'],
    ['returns', 'how do i get back at him'],
    ['returns', 'is there an earlier flight'],
    ['returns', 'how do i wake up earlier'],
    ['seeks', 'in order to save time'],
    ['seeks', 'what order do the layers go in'],
    ['seeks', 'where is my order'],
    ['associates', 'how do i read a csv'],
    ['associates', 'can i read it twice'],
    ['opens', 'give me something else'],
    ['opens', 'i was wondering if you could make it shorter'],
    ['opens', 'put it on another note pad'],
    ['opens', 'another note: the client wants blue'],
    ['alternative', 'a different topic'],
    ['alternative', 'a different question'],
    ['wraps up', 'whole milk or semi'],
    ['wraps up', 'full time or part time'],
    ['wraps up', 'my final exam is on friday'],
    ['wraps up', 'quit my current job'],
    ['wraps up', 'i am a complete beginner'],
  ];
  test.each(no)('not %s: %s', (cue, message) => {
    expect(cuesOf(message).has(cue)).toBe(false);
  });

  test.each([
    'any ideas? 🙏',
    'is that safe?? thx',
    'really?!',
    'how long? 😊',
    '**how many?**',
    'كم؟',
    'how long? Thanks in advance :)',
  ])('asks: %s', (message) => {
    expect(cuesOf(message).has('asks')).toBe(true);
  });
  test.each(['why? because it is hungry.', 'no!', 'is it? I think so', 'thanks 😊'])('does not ask: %s', (message) => {
    expect(cuesOf(message).has('asks')).toBe(false);
  });
});

describe('revising', () => {
  test.each([
    'Remove the garlic.',
    'Actually, make it Tuesday.',
    'I changed my mind about the colour.',
    'Forget the sauna.',
    "we won't need a car",
    'that wont do',
  ])('%s', (message) => {
    expect(revises(message)).toBe(true);
  });

  test.each([
    'How warm is the sea in May?',
    'Add a chapter on owls.',
    'Thanks, that is lovely.',
    'my cat wont eat',
    "the door won't close",
  ])('not: %s', (message) => {
    expect(revises(message)).toBe(false);
  });
});

describe('announcing something else', () => {
  const asIs = (text: string) => text;
  test.each([
    'something else: my son wants a dog',
    'Ok, something completely different – who was Ada?',
    'Thanks, that helped. Different topic: how do I get wax out of linen?',
    'new topic, the car does not start',
    'By the way, unrelated question: is rye a grass?',
    'Change of subject. What is a loch?',
    'off topic but how do you boil eggs',
    'Sorry, this is a bit off topic, but how do you boil eggs?',
    'totally random but do cats dream',
    'unrelated but my cat sneezes',
    'different question but how do you boil eggs',
    'random question: do cats dream',
    'new topic please: bees',
    'switching gears: who was Ada',
    'Switching topics, who was Ada?',
    'topic change: bees',
    'let’s talk about something else: bees',
    'Can we talk about something else? My cat sneezes.',
    'lets change the subject: bees',
    'alright, new topic: bees',
    'cool, different topic, who was Ada',
    'Perfect 😊 Different topic: bees',
    'lol no, other topic: bees',
    'on a completely different note, who was Ada',
    'On another note: who was Ada',
    'New subject: who was Ada',
    'New subject: Who was Ada?',
    'Actually, different topic: my cat sneezes',
    'wait different topic: my cat sneezes',
    'off topic question: how do you boil eggs',
    'unrelated to this: how do you boil eggs',
    'moving on to another topic: bees',
    'i want to change the topic, who was Ada',
    'Let me change the subject: bees',
    'now for something completely different. who was Ada',
    'next topic, who was Ada',
    'Next topic: bees',
    'another topic please. who was Ada',
  ])('%s', (message) => {
    expect(announcesOther(message, asIs)).toBe(true);
  });

  test.each([
    'something else, cheaper',
    'something else',
    'do you have something else: smaller, say?',
    'a different topic for my essay',
    'another question about the tent: is it tight?',
    'what is the next topic: verbs or nouns?',
    'back to the alps: when do the huts close',
    'One other thing, can I freeze it?',
    'One other question: can I freeze it?',
    'Other question: does it need salt?',
    'The other thing: my oven has no fan',
    'Another note: she’s vegan',
    'another thing, she is vegan',
    'New subject: Your order has shipped',
    'new subject: “Your order has shipped”',
    'Change the subject. Too formal.',
    'I want to change the topic of my essay: bees',
    'unrelated to this plan: the third step',
    'moving on to the tent: is it tight?',
    'a random but easy password',
    'unrelated but similar words',
    'i want something else: smaller',
    'the topic is bees but shorter',
    "Something else? I've seen that one.",
    "Something else?\nI've seen that one.",
    'Something else?\nCheaper, please.',
    'Something else?\n\nCheaper, please',
    'no, something else. that is too sweet',
    "something different! i'm bored of pasta",
    'Next topic',
    'next topic please.',
    'next topic, please',
    'another topic please',
    '',
  ])('not: %s', (message) => {
    expect(announcesOther(message, asIs)).toBe(false);
  });

  test.each([
    ['de', 'was anderes: mein sohn will einen hund'],
    ['de', 'anderes thema, wie entkalke ich die maschine'],
    ['es', 'por cierto, otra cosa: cómo quito una mancha'],
    ['zh', '换个话题：孩子发烧怎么办'],
    ['ja', '別の話：猫がくしゃみをする'],
    ['fr', 'autre chose : mon chat tousse'],
    ['it', 'un’altra cosa: mia figlia non vuole andare a scuola'],
    ['pt', 'outra coisa: o carro não pega'],
    ['zh', '新话题，猫打喷嚏'],
    ['zh', '换个话题，孩子发烧怎么办'],
    ['ja', '新しい話題、猫がくしゃみをする'],
    ['ja', '話題を変えて、猫がくしゃみをする'],
    ['ko', '화제를 바꿔서, 고양이가 재채기를 해요'],
    ['ar', 'موضوع آخر، قطتي تعطس'],
    ['es', 'cambiando de tema, mi gato estornuda'],
    ['es', 'otro tema, mi gato estornuda'],
    ['it', 'cambiando argomento, il mio gatto starnutisce'],
    ['pt', 'mudando de assunto, meu gato espirra'],
    ['fr', 'changement de sujet, mon chat tousse'],
    ['fr', 'rien à voir mais comment soigner mon chat'],
    ['pl', 'zmiana tematu, mój kot kicha'],
    ['cs', 'změna tématu, moje kočka kýchá'],
    ['id', 'ganti topik, kucing saya bersin'],
    ['ru', 'другая тема, кошка чихает'],
    ['hi', 'नया विषय। बिल्ली छींक रही है'],
  ])('in %s: %s', async (language, message) => {
    await loadGlossary(language);
    expect(announcesOther(message, (text) => glossedForEmbedder(text, language))).toBe(true);
  });

  test.each([
    ['de', 'und noch was: wie lange hält das?'],
    ['de', 'noch etwas: ohne zucker bitte'],
    ['ru', 'ещё вопрос: сколько варить?'],
    ['ru', 'и ещё кое-что: без сахара'],
    ['uk', 'ще таке: без цукру'],
    ['uk', 'ще щось: без цукру'],
    ['zh', '另一个问题：要放盐吗'],
    ['zh', '其他问题：要放盐吗'],
    ['ar', 'سؤال آخر: هل أضيف الملح؟'],
    ['es', 'otra cosa, más barata'],
    ['fr', 'autre chose, moins cher'],
    ['ja', '別のこと、安いもの'],
  ])('not in %s: %s', async (language, message) => {
    await loadGlossary(language);
    expect(announcesOther(message, (text) => glossedForEmbedder(text, language))).toBe(false);
  });
});
