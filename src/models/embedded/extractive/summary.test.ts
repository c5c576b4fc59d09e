import { describe, expect, it } from 'vitest';
import { summaryOf } from './summary.ts';

const summary = (message: string, reply = ''): string => summaryOf({ message, reply });

describe('what the user said, in the third person', () => {
  it.each([
    ['How do I sort a list in Python?', 'The user asks how to sort a list in Python.'],
    ['Hi there! Could you please write a haiku about my cat?', 'The user asks for a haiku about their cat.'],
    ['You are a chef. Suggest three soups without onions.', 'The user asks for three soups without onions.'],
    ['Wait, my wife is allergic to nuts.', 'The user writes: “Wait, my wife is allergic to nuts.”'],
    [
      "I've decided to take the night train on 4 May instead.",
      'The user has decided to take the night train on 4 May instead.',
    ],
    ['I need a cheaper hotel.', 'The user needs a cheaper hotel.'],
    ["I'd like to see Porto first.", 'The user wants to see Porto first.'],
    ["let's not go", 'The user wants to not go.'],
    ['Let’s skip the museum.', 'The user wants to skip the museum.'],
    ["Don't book anything yet.", "The user writes: “Don't book anything yet.”"],
    ['What about trains?', 'The user asks about trains.'],
    ['Should I take the ferry or the bus?', 'The user asks: “Should I take the ferry or the bus?”'],
    ['Is it safe to fly at night?', 'The user asks: “Is it safe to fly at night?”'],
    ['How does Redis implement queues?', 'The user asks how Redis implements queues.'],
    ['How do I center a <div> inside a `<section>`?', 'The user asks how to center a <div> inside a <section>.'],
    ['Explain why the sky turns red.', 'The user asks why the sky turns red.'],
    ['If we travel in May, what should we pack?', 'The user asks what to pack if they travel in May.'],
    ['Thanks so much!', 'The user thanks the assistant.'],
    ['Yes.', 'The user agrees.'],
    ['wanna learn chess', 'The user wants to learn chess.'],
  ])('%s', (message, expected) => {
    expect(summary(message)).toBe(expected);
  });

  it('keeps what leads to the question, where there is room', () => {
    expect(summary("I'm choosing a camera for my daughter. What features matter?")).toBe(
      "The user asks: “I'm choosing a camera for my daughter. What features matter?”",
    );
  });

  it('prefers what is asked to how the answer is to look', () => {
    const told = summary(
      'Describe the siege of Vienna in 1683. Keep your answer under 50 words and use bullet points.',
    );
    expect(told).toContain('siege of Vienna in 1683');
  });

  it('quotes what it cannot turn honestly', () => {
    expect(summary('Whence come ye, stranger?')).toBe('The user asks: “Whence come ye, stranger?”');
    expect(summary('请写一首关于秋天的诗。')).toBe('The user writes: “请写一首关于秋天的诗。”');
    expect(summary('कल की ट्रेन रद्द हो गई है।', 'परसों की टिकट ले लीजिए।')).toBe(
      'The user writes: “कल की ट्रेन रद्द हो गई है।” The assistant: “परसों की टिकट ले लीजिए।”',
    );
    expect(summary('do i need to let it sit', 'Two hours, covered.')).toBe(
      'The user asks: “do i need to let it sit”. The assistant: “Two hours, covered.”',
    );
    expect(summary('I live in Oslo and work nights')).toBe('The user writes: “I live in Oslo and work nights”.');
    expect(summary('unser leiter im hort geht in rente, 22 jahre')).toContain(
      '“unser leiter im hort geht in rente, 22 jahre”',
    );
    expect(summary('When it rains the whole lower end is a pond.')).toMatch(/^The user writes: /);
    expect(summary('what do I ask her')).toBe('The user asks: “what do I ask her”.');
  });

  it.each([
    ['https://www.youtube.com/watch?v=abc', 'youtube.com/watch?v=abc'],
    ['https://example.org/recipes/lentil-soup', 'example.org/recipes/lentil-soup'],
    ['http://example.org/', 'example.org'],
    [`https://example.org/recipes?from=${'x'.repeat(60)}`, 'example.org/recipes'],
    [`https://example.org/${'x'.repeat(60)}`, 'example.org'],
    ['https://example.org/recipes is down', 'example.org is down'],
  ])('keeps what a lone address is of: %s', (message, said) => {
    expect(summary(message)).toBe(`The user writes: “${said}”.`);
  });

  it.each([
    ['- Anna\n- Maria Lopez\n- Jose\n\nsend them an invite', 'Anna, Maria Lopez, Jose; send them an invite'],
    ['shopping list\n- milk\n- eggs\n- bread', 'shopping list: milk, eggs, bread'],
    ['Suggest islands:\n- in May\n- cheap, quiet\n- near Athens', 'Suggest islands: in May, cheap, quiet; near Athens'],
    ['Rome is far.\nwe go by train', 'Rome is far. we go by train'],
  ])('tells the items of a list apart: %j', (message, said) => {
    expect(summary(message)).toBe(`The user writes: “${said}”.`);
  });

  it('tells the items of a list in a reply apart', () => {
    expect(
      summary(
        'go on',
        'What to bring with you for such a long day out in the hills with two children and a dog:\n- two litres of water for each of you and the dog\n- a warm coat for the evening on the hill',
      ),
    ).toContain('for each of you and the dog, a warm coat');
  });

  it('names code and emptiness for what they are', () => {
    expect(summary('```python\na = 1\nb = 2\n```')).toBe('The user shares 2 lines of python.');
    expect(summary('Why does this fail?\n```js\nboom()\n```')).not.toContain('boom');
    expect(summary('  ')).toBe('The user sends an empty message.');
    expect(summary('🎉')).toBe('The user writes: “🎉”.');
  });
});

describe('every digest is good English, and says what was said', () => {
  it.each([
    ["What's the weather like in Oslo?", 'asks what the weather is like in Oslo.'],
    ['What is Python used for?', 'asks what Python is used for.'],
    ['what is the nobel prize worth', 'asks what the nobel prize is worth.'],
    ['What were the causes of the war?', 'asks about the causes of the war.'],
    ['What is compound interest?', 'asks about compound interest.'],
    ['How much does it cost?', 'asks how much it costs.'],
    ['When does the show let out?', 'asks when the show lets out.'],
    ['how long does it usually last', 'asks how long it usually lasts.'],
    ['who was on the throne in 1935', 'asks who was on the throne in 1935.'],
    ['Who is the president of France?', 'asks who the president of France is.'],
    ['Who is coming to dinner?', 'asks who is coming to dinner.'],
    ['where was chopin born', 'asks where chopin was born.'],
    ['How much is that in dollars?', 'asks how much that is in dollars.'],
    ['how old was mozart when he died', 'asks how old mozart was when he died.'],
    ['how tall is a door in the us', 'asks how tall a door is in the us.'],
    ['How hard is Mandarin to learn?', 'asks how hard Mandarin is to learn.'],
    ['How do people live there?', 'asks how people live there.'],
    ['How could I have known?', 'asks how they could have known.'],
    ['how could i lose 500 euros in one night', 'asks how they could lose 500 euros in one night.'],
    ['how do i rank on google', 'asks how to rank on google.'],
    ['how could i improve my essay', 'asks how to improve their essay.'],
    ['how do i look up a word', 'asks how to look up a word.'],
    ['how do i compare two files', 'asks how to compare two files.'],
    ['Which one is lighter?', 'asks which one is lighter.'],
    ['how long is a passport valid for a child', 'asks how long a passport is valid for a child.'],
    ['How much is in my savings?', 'asks how much is in their savings.'],
    ['What should I have done?', 'asks what they should have done.'],
    ['Any tips for a first marathon?', 'asks for tips for a first marathon.'],
    ['Can I have a list of vegan cheeses?', 'asks for a list of vegan cheeses.'],
    ['share a photo of my garden shed', 'asks for a photo of their garden shed.'],
    ['Offer me a trade', 'asks for a trade.'],
    ['draft a speech for my mother', 'asks for a speech for their mother.'],
    ['Give me a name for the dog', 'asks for a name for the dog.'],
    ['give us a quiz about space', 'asks for a quiz about space.'],
    ['I need a cheaper hotel for us', 'needs a cheaper hotel for them.'],
    ['suggest a gift for a friend of mine', 'asks for a gift for a friend of theirs.'],
    ['how do i fix the car i bought', 'asks how to fix the car they bought.'],
    ['what should i do when i miss my bus', 'asks what to do when they miss their bus.'],
    ['how do i translate my cv', 'asks how to translate their cv.'],
    ['i wrote my thesis', 'wrote their thesis.'],
    ['i wrote a letter to my boss', 'wrote a letter to their boss.'],
    ['i sang in our choir', 'sang in their choir.'],
    ['write lyrics for my song', 'asks for lyrics for their song.'],
    ['who sings my favourite song', 'asks who sings their favourite song.'],
    ['i lost mine', 'lost theirs.'],
    ['how do i clean mine', 'asks how to clean theirs.'],
    ['i bought mine in 2010', 'bought theirs in 2010.'],
    ['how far is the sun from us', 'asks how far the sun is from them.'],
    ['how can it save us time', 'asks how it can save them time.'],
    ['recommend us some books', 'asks for some books.'],
    ["i was born in '85", "was born in '85."],
    ['i know the type I want', 'knows the type they want.'],
    ['i forgot the title I used', 'forgot the title they used.'],
    ['I fly to Rome tomorrow', 'flies to Rome tomorrow.'],
    ['I hardly ever cook', 'hardly ever cooks.'],
    ['I agreed to it', 'agreed to it.'],
    ['I fell down the stairs', 'fell down the stairs.'],
    ['I threw it away', 'threw it away.'],
    ['Looking for a job in Graz', 'is looking for a job in Graz.'],
    ['Trying to lose weight', 'is trying to lose weight.'],
    ['Thinking about a dog', 'is thinking about a dog.'],
    ["I'm Irish", 'is Irish.'],
    ['Need a place to stay in Rome.', 'needs a place to stay in Rome.'],
    ['I once met him', 'once met him.'],
    ['I even tore my shirt', 'even tore their shirt.'],
    ['I wants to go home', 'wants to go home.'],
    ['We are moving to Oslo', 'is moving to Oslo.'],
    ['i need it by 5pm pls', 'needs it by 5pm.'],
    ['btw I moved to Leeds', 'moved to Leeds.'],
    ['Thanks for the tip. I sold my car yesterday.', 'sold their car yesterday.'],
    ['Thanks a lot for your help!', 'thanks the assistant.'],
    ['Thanks for the tip - suggest a cheaper hotel for us', 'asks for a cheaper hotel.'],
    ['3. How do I boil eggs?', 'asks how to boil eggs.'],
    ['New topic: how do i boil eggs', 'asks how to boil eggs.'],
    ["Let's change the subject: how do i boil eggs", 'asks how to boil eggs.'],
    ['A different question – how do i boil eggs', 'asks how to boil eggs.'],
    ['New topic. How do I boil eggs?', 'asks how to boil eggs.'],
    ['Different question! How do I boil eggs?', 'asks how to boil eggs.'],
    ["Let's change the topic completely. How do I boil eggs?", 'asks how to boil eggs.'],
    ['Change topic: how do I boil eggs', 'asks how to boil eggs.'],
    ['Switch topic - how do I boil eggs', 'asks how to boil eggs.'],
    ['Change the subject: how do I boil eggs', 'asks how to boil eggs.'],
    ['Change of topic: how do I boil eggs', 'asks how to boil eggs.'],
    ['Another question about the eggs: how do I peel an egg', 'asks how to peel an egg.'],
    ['You are asked to act as a doctor. How do I boil eggs?', 'asks how to boil eggs.'],
    ['thanks for your quick help', 'thanks the assistant.'],
    ['thanks for your honest feedback', 'thanks the assistant.'],
    ['thanks for the two recipes', 'thanks the assistant.'],
    ['thanks for your help so far', 'thanks the assistant.'],
    ['thanks for the heads up', 'thanks the assistant.'],
    ['thanks for your time and help', 'thanks the assistant.'],
    ['thanks for being so patient with me', 'thanks the assistant.'],
    ['thanks for this see you later', 'thanks the assistant.'],
    ['thanks for this have a nice day', 'thanks the assistant.'],
    ['thanks for the tip on ferries', 'thanks the assistant.'],
    ['thanks for the recipe idea', 'thanks the assistant.'],
    ['thanks for helping me with the garden', 'thanks the assistant.'],
    ['thank you so much for all your help with this', 'thanks the assistant.'],
  ])('%s', (message, told) => {
    expect(summary(message)).toBe(`The user ${told}`);
  });

  it.each([
    'Another question about visas: how long does it take',
    'Another question about Oslo: can i swim there',
    "What's wrong with my code?",
    'What is going on with my order?',
    "What's new in Python 3.12?",
    "What's next?",
    "What's inside?",
    'What time is dinner?',
    'When is rent due?',
    'how much does a urine test cost at the vets',
    'When is best to plant garlic?',
    'Which records ought I to keep?',
    'what alarms do i have',
    'Why would anyone spell it like that?',
    'Does it really work?',
    "Tell him I'm late",
    'Give the dog a bath',
    'Send John an email',
    'send 12 to omar',
    'get wax off a ski jacket',
    'Show me',
    "let's not",
    'present for my mother',
    "Present for my dad's 60th",
    'draft for my speech',
    'Write about my holiday',
    'prepare for colonoscopy',
    'offer for a used car',
    'share for the weekend',
    "Tell me I'm pretty",
    'Tell me about yourself',
    'Present tense too?',
    'Any idea why my cat sneezes?',
    'any fish in it',
    'any help appreciated',
    'how could i forget my own birthday',
    'how do i look in this dress',
    'how do i sound in this email',
    'Do you have feelings?',
    'Do you know me?',
    'Can I have a dog in a rented flat?',
    'Could I have done it better?',
    'can you freeze cooked rice',
    'We are vegetarians',
    'We are a family of four',
    'We both work nights',
    'we three are vegan',
    'We Germans like bread',
    'We have been together for five years',
    'I kind of like it',
    'I myself am Dutch',
    'I read two books a week',
    'I have a cat what should I feed it',
    'need to strip it or key it',
    'who won World War I?',
    'how long does phase I take',
    'when did Elizabeth I die',
    'how long is I-95',
    'how do i use I in an essay',
    'how to say I miss home in german',
    "how to say 'my name is Anna' in japanese",
    'write a story that starts with I woke up late',
    'who wrote My Fair Lady',
    'how much is 100 euros in us dollars',
    'how do i get a us visa',
    'how many us states are there',
    'how does a coal mine work',
    'how do i mine bitcoin',
    'thanks for the list add two more items',
    'thanks for the list and add two more items',
    'thanks for the list but shorten the second item',
    'thanks for your help please write the summary in german',
    'thanks for your answer tell me more',
    'thanks for the memories lyrics',
    'thank you for your order email template',
    'thank you note to my teacher',
    'Thank you for your help; can you shorten it',
    'Thank you for helping, my mum died yesterday',
    'thanks for your help i found the key',
    "thanks for the pancake recipe it was great but next time please don't add sugar to it",
    'You are invited to a wedding. What should I wear?',
    "could you please explain to me like i'm 5 how inflation works",
    'Change the subject of the email. Keep it short.',
    'I want to change the topic of my thesis. Suggest a new one.',
    'Switch the topic to space. Give me 5 questions.',
    'Change the order of the questions. Add two more.',
    'So?',
    'ok?',
  ])('is the words themselves where no rule is sure: %s', (message) => {
    expect(summary(message)).toMatch(/^The user (?:asks|writes): “/);
    expect(summary(message)).toContain(message);
  });
});

describe('a refusal of more is told apart from other answers', () => {
  it.each([
    'nothing works',
    'nothing works!',
    'nothing else works',
    'nothing seems right',
    'No, nothing looks good.',
    'not really',
    'not really good',
    "no it's fine",
    'no it looks great',
    'yes but no',
    'yes and no',
    'no and yes, thanks',
    'i am fine',
    "that's it, exactly",
    'yes that is it!',
    'ok i am done. go on',
    "i'm done, continue",
    'never mind, continue',
    'no thanks, continue',
    'not now, go on',
    'nothing else, please continue',
    'no thank you, please go on',
  ])('quoted: %s', (message) => {
    expect(summary(message)).toMatch(/^The user writes: “/);
    expect(summary(message)).toContain(message);
  });

  it.each([
    "No, that's all.",
    'no thank you',
    "no that's great, thanks",
    'nothing else',
    'nothing, thanks',
    'Nothing, great.',
    'not really, thanks',
    "i'm good",
    "no, i'm fine",
    'ok, never mind',
    "yes, that's all",
    "yes, that's it for now",
    "that's it, thanks",
    'nothing for now',
  ])('needs nothing more: %s', (message) => {
    expect(summary(message)).toBe('The user needs nothing more.');
  });
});

it('keeps the number that a message or a reply begins with', () => {
  expect(summary('wann ist der tag der deutschen einheit?', '3. Oktober.')).toBe(
    'The user asks: “wann ist der tag der deutschen einheit?” The assistant: “3. Oktober.”',
  );
  expect(summary('2) sounds good')).toBe('The user writes: “2) sounds good”.');
});

it.each(["that's all correct, go ahead", "it's all good, please continue"])('agrees: %s', (message) => {
  expect(summary(message)).toBe('The user agrees.');
});

describe('other languages are quoted, also where they begin like English', () => {
  it.each([
    'We zoeken een hond',
    'We gaan morgen verhuizen',
    'We hebben geen kinderen',
    'we wonen in Utrecht',
    'Help me met mijn cv',
    'I bambini non dormono mai',
    'I prezzi sono saliti',
    'I cani abbaiano',
    'I dag regner det',
    'I kveld skal vi grille',
    'I Stockholm regnar det',
    'I co dalej',
  ])('%s', (message) => {
    expect(summary(message)).toBe(`The user writes: “${message}”.`);
  });

  it.each([
    ['We often eat out', 'often eats out.'],
    ['We open at nine', 'opens at nine.'],
    ['We listen to jazz', 'listens to jazz.'],
    ['I ski in Norway', 'skis in Norway.'],
    ['I live in De Pijp', 'lives in De Pijp.'],
    ['I visited Lago di Como', 'visited Lago di Como.'],
    ['i cook risotto', 'cooks risotto.'],
    ['i owe 7k on three credit cards', 'owes 7k on three credit cards.'],
    ['we sell door handles', 'sells door handles.'],
    ['write a haiku', 'asks for a haiku.'],
    ['write my vows', 'asks for their vows.'],
    ['help me understand compound interest', 'asks for help to understand compound interest.'],
    ['help me soften this email', 'asks for help to soften this email.'],
  ])('but English with a word of theirs is not: %s', (message, told) => {
    expect(summary(message)).toBe(`The user ${told}`);
  });
});

describe('any turn', () => {
  const TEXTS = [
    'word '.repeat(4000),
    'x'.repeat(20_000),
    'Why? '.repeat(3000),
    '((((((((((((((((((((((((((((((',
    '{"a": [1, 2, {"b": null}]}',
    '| a | b |\n|---|---|\n| 1 | 2 |',
    '# \n- \n1. \n> ',
    'I',
    '?',
    '“',
    '\u0000\uD800',
    'Ça va? Où est la bibliothèque la plus proche de l’hôtel, s’il vous plaît?',
    'if (x, y), (z',
  ];
  it.each(TEXTS)('is one short sentence (%#)', (text) => {
    for (const told of [summary(text), summary('Tell me more', text), summary(text, text)]) {
      expect(told).toMatch(/^The user .*[.…”]$/su);
      expect(told).not.toMatch(/undefined|null\b(?!})/);
      expect(told).not.toContain('\n');
      expect(told.length).toBeLessThan(700);
    }
  });

  it('never takes more than some fifty words', () => {
    const long =
      'We went to the market, the harbour, the church and the museum because it rained all day long in town '.repeat(9);
    expect(summary(long, long).split(' ').length).toBeLessThan(50);
  });
});
