import { describe, expect, it } from 'vitest';
import { openingFor } from '../recall/recall.ts';
import { summaryOf } from './summary.ts';

const summary = (message: string, reply = ''): string => summaryOf({ message, reply });

describe('what the reply answered', () => {
  it('keeps the key clause, not the courtesy', () => {
    expect(
      summary(
        'When does the ferry to Vis leave?',
        'Great question! The ferry to Vis leaves Split at 9:30. Let me know if you need more.',
      ),
    ).toBe('The user asks when the ferry to Vis leaves. The assistant: “The ferry to Vis leaves Split at 9:30.”');
  });

  it.each([
    ['Certainly not. It can carry salmonella.', 'Certainly not. It can carry salmonella.'],
    ['Absolutely not, they can cause kidney failure.', 'Absolutely not, they can cause kidney failure.'],
    ['I see no reason to worry, but have it checked.', 'I see no reason to worry, but have it checked.'],
    ['Great Danes live 7 to 10 years. They are large.', 'Great Danes live 7 to 10 years. They are large.'],
    ['Great Pyrenees: calm. Great Dane: tall.', 'Great Pyrenees: calm. Great Dane: tall.'],
    ['Thanks to the new battery, it works all day.', 'Thanks to the new battery, it works all day.'],
    ['High, but in range. Ask for a quote.', 'High, but in range. Ask for a quote.'],
    ['His: the landlord pays. Ring him today.', 'His: the landlord pays. Ring him today.'],
    ['It is safe. Thank him for asking.', 'It is safe. Thank him for asking.'],
    ['Sure thing! It is safe.', 'It is safe.'],
    ['Great question about dogs! It is safe.', 'It is safe.'],
    ['Great question! Thanks for asking. It is safe.', 'It is safe.'],
    ["I'm sorry for the confusion. It is safe.", 'It is safe.'],
    ['Sure, I can help with that! It is safe.', 'It is safe.'],
    ['Of course, boil it for ten minutes.', 'boil it for ten minutes.'],
    ['Hello there! It is safe.', 'It is safe.'],
    ['Hi Anna! It is safe.', 'It is safe.'],
    ['Thanks for pointing that out! It is safe.', 'It is safe.'],
    ['Thank you for your kind words! It is safe.', 'It is safe.'],
    ['Thanks for the correction! It is safe.', 'It is safe.'],
    ['No problem at all! It is safe.', 'It is safe.'],
    ['Great news! It is safe.', 'It is safe.'],
    ["I'm sorry I misunderstood. It is safe.", 'It is safe.'],
    ["I'm sorry about your dog. It is safe.", 'It is safe.'],
    ['Sorry if that was unclear. It is safe.', 'It is safe.'],
    ['I apologize if that was unclear. It is safe.', 'It is safe.'],
    ['Of course I will. It is safe.', 'It is safe.'],
    ["Sure here's an overview. It is safe.", 'It is safe.'],
    ["I am sorry, but I can't help with that.", "I am sorry, but I can't help with that."],
    ["Sorry I can't help with that. It is private.", "Sorry I can't help with that. It is private."],
    ['Hello world! is what it prints.', 'Hello world! is what it prints.'],
  ])('drops a courtesy, and never what only begins like one: %s', (reply, said) => {
    expect(summary('is it safe', reply)).toBe(`The user asks: “is it safe”. The assistant: “${said}”`);
  });

  it.each([
    'Yes, that is safe. If you have any kidney problems, ask a doctor first.',
    'It is free. If you need more than 20 visits, you pay half.',
    'It is urgent. If you need help, call the police.',
    'It is free. If you need information on fees, look at page 3.',
    'It is free. If you have help at home, you can leave earlier.',
    'It is fine. If you have no butter, feel free to use oil.',
    "It is urgent. If you have chest pain, don't hesitate to call 112.",
    'It is safe. If you feel dizzy, say so to the nurse.',
    'It is safe. If you disagree, say so politely and give a reason.',
    'It is safe. If you want it crisp, bake it longer and let me know how it goes!',
    'It is safe. If you use this recipe, I can promise you a soft crumb.',
    "It is safe. If you smoke, I can't recommend it.",
    'It is safe. If you take other pills, please ask your doctor.',
    'It is free. If you apply online, please provide your passport number.',
    "Here's the corrected sentence: She doesn't like coffee. The verb takes doesn't.",
    'Here are my picks: Naxos, Milos and Paros. All have ferries.',
    'It is dear. Below is the average list price of $500.',
  ])('keeps a condition, and an answer that its own sentence announces: %s', (reply) => {
    expect(summary('is it safe', reply)).toBe(`The user asks: “is it safe”. The assistant: “${reply}”`);
  });

  it.each([
    "Here's a short summary of the text. It is safe.",
    'It is safe. If you have any other questions, feel free to ask.',
    'It is safe. If you need more help, let me know.',
    'It is safe. If you want me to go on, say so.',
    'It is safe. If you need any changes or adjustments, let me know!',
    'It is safe. If you have any concerns, please let me know.',
    "It is safe. If you have any more questions, I'm here to help!",
    'It is safe. If you have any other questions, please ask!',
    "It is safe. If you need help with anything else, I'm here for you.",
    'It is safe. If you have more questions, just ask me anything!',
    'It is safe. If you need more information, please provide the details.',
    'It is safe. If you have any questions about this, feel free to contact us.',
    'It is safe. If you want examples or more ideas, say the word.',
    'It is safe. If you need tips, ideas or examples, please let me know.',
    'It is safe. If you want, I could also write the letter.',
    "It is safe. If you'd like, share your dates and I can plan the rest.",
    'It is safe. If you have more questions, always feel free to ask!',
    "Here's your revised email. It is safe.",
    "Here's a Python function that sorts a list. It is safe.",
    'Below is a list. It is safe.',
    'Below is the list of all dates. It is safe.',
    "Here's a summary covering the main points. It is safe.",
    'Here are some tips worth a try. It is safe.',
    'Here is what I found:\n\nIt is safe.',
  ])('leaves out what only leads to the answer or offers more: %j', (reply) => {
    expect(summary('is it safe', reply)).toBe('The user asks: “is it safe”. The assistant: “It is safe.”');
  });

  it('keeps the thanks and the apology of a draft', () => {
    expect(summary('write an apology to anna', "I'm sorry I missed your call. I was at the doctor.")).toContain(
      "“I'm sorry I missed your call. I was at the doctor.”",
    );
    expect(summary('a thank you note for the flowers', 'Thank you! They made my day.')).toContain(
      '“Thank you! They made my day.”',
    );
  });

  it('names what a list holds', () => {
    const told = summary(
      'Suggest islands for us',
      'Sure!\n\n1. **Naxos** – beaches\n2. **Crete** – hikes\n3. **Milos** – rocks',
    );
    expect(told).toBe('The user asks for islands. The assistant lists Naxos, Crete and Milos.');
  });

  it.each([
    'write a function that sorts',
    'summarize this text',
    'what does this text say',
    'which graphics card do i need',
    'my boss sent me an email, is it rude',
    'note that i am vegan',
  ])('keeps no courtesy where nothing is drafted: %s', (message) => {
    expect(summary(message, 'I apologize for the confusion. It is safe.')).toContain('The assistant: “It is safe.”');
  });

  it.each(['write a short note to my teacher', 'birthday card for grandma', 'i need an email to my landlord'])(
    'keeps the thanks of a draft: %s',
    (message) => {
      expect(summary(message, 'Thank you for the flowers! They are lovely.')).toContain('“Thank you for the flowers!');
    },
  );

  it.each([
    [
      '- Drink a glass of warm milk every evening\n- Avoid screens for an hour before bed\n- Dark room\n- Fixed times',
      'Dark room, Fixed times and 2 more.',
    ],
    [
      "- Colosseum: go early\n- St. Peter's Basilica: free\n- Pantheon: five euros",
      "Colosseum, St. Peter's Basilica and Pantheon.",
    ],
    ['- Mt. Fuji: high\n- Mt. Aso: a volcano', 'Mt. Fuji and Mt. Aso.'],
    [
      '- z. B. Tee trinken\n- ca. 2 Stunden ruhen\n- Dr. Meier anrufen',
      'z. B. Tee trinken, ca. 2 Stunden ruhen and Dr. Meier anrufen.',
    ],
    ['1. **故宫**：明清皇宫，历史悠久。\n2. **长城**：世界奇迹。\n3. **颐和园**：皇家园林。', '故宫, 长城 and 颐和园.'],
    ['- Tea. It calms.\n- Milk, warm,\n- bread;', 'Tea, Milk, warm and bread.'],
    ['- Is it safe? Yes.\n- Is it cheap? No.', 'Is it safe and Is it cheap.'],
    ['1. Naxos\n2. Crete\n3. Milos\n4. Paros\n5. Ios', 'Naxos, Crete, Milos, Paros and 1 more.'],
  ])('says how many items it does not name: %j', (reply, listed) => {
    expect(summary('ideas please', reply)).toBe(`The user writes: “ideas please”. The assistant lists ${listed}`);
  });

  it.each([
    [
      'can my dog eat fruit',
      'No. Never give a dog any of these:\n- Grapes\n- Raisins\n- Cherries',
      'No. Never give a dog any of these: Grapes, Raisins, Cherries',
    ],
    [
      'can i freeze cooked rice',
      "Yes, you can. Here's how:\n1. Cool it quickly\n2. Portion it\n3. Freeze flat",
      "Yes, you can. Here's how: Cool it quickly, Portion it, Freeze flat",
    ],
    [
      'can my dog eat fruit',
      'Here are fruits to avoid:\n- Grapes\n- Figs\n\nSafe ones:\n- Apples\n- Pears',
      'Here are fruits to avoid: Grapes, Figs; Safe ones: Apples, Pears',
    ],
    [
      'can my dog eat fruit',
      'Here are some fruits:\n- Apples\n- Pears\n\nNever give it these:\n- Grapes\n- Figs',
      'Here are some fruits: Apples, Pears; Never give it these: Grapes, Figs',
    ],
    [
      'what should i pack for iceland',
      '**Clothing:**\n- Jacket\n- Boots\n\n**Electronics:**\n- Camera\n- Power bank\n\n**Documents:**\n- Passport',
      'Clothing: Jacket, Boots; Electronics: Camera, Power bank; Documents: Passport',
    ],
    [
      'what are the pros and cons of electric cars',
      '**Pros:**\n- Quiet\n- Cheap to run\n\n**Cons:**\n- Range\n- Price',
      'Pros: Quiet, Cheap to run; Cons: Range, Price',
    ],
    [
      'what are the pros and cons of electric cars',
      'Here are the pros and cons:\n\n**Pros:**\n- Quiet\n- Cheap to run\n\n**Cons:**\n- Range\n- Price',
      'Pros: Quiet, Cheap to run; Cons: Range, Price',
    ],
    [
      'list the advantages and disadvantages of electric cars',
      '## Advantages\n- Quiet\n- Cheap to run\n\n## Disadvantages\n- Range\n- Price',
      'Advantages: Quiet, Cheap to run; Disadvantages: Range, Price',
    ],
    [
      'ideas for breakfast, lunch and dinner',
      '**Breakfast:**\n- Porridge\n\n**Lunch:**\n- Soup\n\n**Dinner:**\n- Curry',
      'Breakfast: Porridge; Lunch: Soup; Dinner: Curry',
    ],
    [
      'plan day 1 and day 2 in rome',
      '**Day 1:**\n- Forum\n- Pantheon\n\n**Day 2:**\n- Vatican\n- Trastevere',
      'Day 1: Forum, Pantheon; Day 2: Vatican, Trastevere',
    ],
    [
      'how do i make ice',
      'It takes a day:\n1. Boil it\n2. Cool it\n\nExample:\n\n3. Freeze it',
      'It takes a day: Boil it, Cool it, Freeze it',
    ],
    [
      'can my dog eat these',
      '- Grapes\n- Raisins\n- Figs\n\nNone of these are safe.',
      'Grapes, Raisins, Figs. None of these are safe.',
    ],
    [
      'why am i tired',
      `These may be why:\n${'- You sleep less than you need on most of the nights\n'.repeat(5)}- Stress\n- Anaemia\n- Colds\n- Heat\n- Noise`,
      'These may be why: … Stress, Anaemia, Colds, Heat …',
    ],
    [
      'can my dog eat fruit',
      '## Toxic\n- Grapes\n- Figs\n- Plums\n- Cherries\n- Raisins',
      'Toxic: Grapes, Figs, Plums, Cherries …',
    ],
    [
      'why am i tired',
      'These may be why:\n- You sleep less than you need on most of the nights\n- Stress\n- Anaemia',
      'These may be why: … Stress, Anaemia',
    ],
  ])('keeps what a reply says before its list: %s %j', (message, reply, said) => {
    expect(summary(message, reply)).toContain(`The assistant: “${said}`);
  });

  it.each([
    'Here are some ideas:',
    'Sure! Here are 3 options for you:',
    'Here are some simple tips to improve your summer:',
    'Here are the right ones:',
    'These are popular choices among families:',
    'Some easy options you might enjoy:',
    'Hier sind einige Ideen:',
    'Greek islands:',
    '## Some Greek islands',
  ])('but not what only announces it: %s', (lead) => {
    expect(summary('Suggest Greek islands for us', `${lead}\n- Naxos\n- Crete\n- Milos`)).toBe(
      'The user asks for Greek islands. The assistant lists Naxos, Crete and Milos.',
    );
  });

  const ISLANDS = '- Naxos\n- Crete\n- Milos\n- Paros\n- Ios';

  it.each([
    'None of these are safe.',
    'Not all of these are safe.',
    'These are toxic to dogs.',
    'They are safe, but only ripe.',
    'Both can harm a dog.',
    'All of them are banned.',
    "They aren't open in winter.",
    "Don't give these to a dog.",
    'Avoid all of these.',
  ])('keeps the verdict behind a list: %s', (verdict) => {
    expect(summary('ideas please', `${ISLANDS}\n\n${verdict}`)).toContain(
      `The assistant: “Naxos, Crete, Milos, Paros … ${verdict}`,
    );
  });

  it.each([
    "Don't hesitate to ask if you need more help!",
    'Do not hesitate to ask!',
    'Not sure which to pick?',
    'None that you like?',
    'No matter which one you choose, enjoy!',
    'These are just a few ideas, but there are many more!',
    'All of them are great, but Naxos is best.',
    "Each island has its own charm, so you can't go wrong!",
    "Don't forget to check the opening hours.",
    "No worries if you can't find them all.",
  ])('but not what is only polite: %s', (said) => {
    expect(summary('ideas please', `Here are some ideas:\n${ISLANDS}\n\n${said}`)).toContain(
      'The assistant lists Naxos, Crete, Milos, Paros and 1 more.',
    );
  });

  it('keeps what leads to a list even where little else fits', () => {
    const lead =
      'Most vets say that it depends on the dog, on its weight, its age and all that it has eaten on the day before. ' +
      'It is never quite sure which of them do harm, or how much of one it takes, so many owners keep them all away. ' +
      'But in no case give it any of these:';
    const told = summary('can my dog eat fruit', `${lead}\n- Grapes\n- Raisins\n- Cherries`);
    expect(told).toMatch(/“Most vets .*… But in no case give it any of these: Grapes, Raisins, Cherries”\.$/);
  });

  it('names no items where most have no name', () => {
    const reply =
      '- Drink a glass of warm milk every evening.\n- Avoid your phone for an hour before bed.\n- Go for a walk each day in the park.\n- Tea.\n- Baths.';
    expect(summary('ideas please', reply)).not.toContain('lists');
  });

  it('quotes the assistant: “you” and “I” stay what they were', () => {
    expect(summary('Book a table for two.', "I've booked your table for two at 19:00.")).toBe(
      "The user writes: “Book a table for two.” The assistant: “I've booked your table for two at 19:00.”",
    );
  });

  it('begins with the answer, however short, and marks what is left out', () => {
    const reply =
      'Twelve weeks. Your landlord has to give the notice in writing, and it counts from the day on which you received it, and not from the date that it has at the top of its first page. ' +
      'Keep the envelope. If he sends a mail, that is no notice at all, and the 12 weeks do not begin before a letter with a signature comes.';
    const told = summary('how long is the notice', reply);
    expect(told).toMatch(/The assistant: “Twelve weeks\. /);
    expect(told).toMatch(/…/);
  });

  it('keeps a quotation closed', () => {
    const reply =
      'Write: "Dear Ms Hart, thank you for the offer of the flat. Sadly I have to decline it, for the rent is above what I can pay each month for a home of this size in this part of the town. Kind regards".';
    expect(summary('polite no please', reply)).toMatch(
      /Write: "Dear Ms Hart, thank you for the offer of the flat\. .*…"”/,
    );
  });

  it('leaves out replies that only recall', () => {
    expect(summary('What about trains?', `${openingFor('x')}\n\n> Trains are slow.`)).toBe(
      'The user asks about trains.',
    );
  });
});
