import { describe, expect, it } from 'vitest';
import { openingFor } from '../recall/recall-words.ts';
import { summaryOf } from './summary.ts';

const summary = (message: string, reply = ''): string => summaryOf({ message, reply });

describe('what the user said, in the third person', () => {
  it.each([
    ['How do I sort a list in Python?', 'The user asks how to sort a list in Python.'],
    ['Hi there! Could you please write a haiku about my cat?', 'The user asks for a haiku about their cat.'],
    ['You are a chef. Suggest three soups without onions.', 'The user asks for three soups without onions.'],
    ['Wait, my wife is allergic to nuts.', 'The user says their wife is allergic to nuts.'],
    [
      "I've decided to take the night train on 4 May instead.",
      'The user has decided to take the night train on 4 May instead.',
    ],
    ['I need a cheaper hotel.', 'The user needs a cheaper hotel.'],
    ["I'd like to see Porto first.", 'The user wants to see Porto first.'],
    ['Let’s skip the museum.', 'The user wants to skip the museum.'],
    ["Don't book anything yet.", 'The user wants not to book anything yet.'],
    ['What about trains?', 'The user asks about trains.'],
    ['Should I take the ferry or the bus?', 'The user asks whether they should take the ferry or the bus.'],
    ['Is it safe to fly at night?', 'The user asks whether it is safe to fly at night.'],
    ['How does Redis implement queues?', 'The user asks how Redis implements queues.'],
    ['Explain why the sky turns red.', 'The user asks why the sky turns red.'],
    ['If we travel in May, what should we pack?', 'The user asks what to pack if they travel in May.'],
    ['Thanks so much!', 'The user thanks the assistant.'],
    ['Yes.', 'The user agrees.'],
    ['wanna learn chess', 'The user wants to learn chess.'],
  ])('%s', (message, expected) => {
    expect(summary(message)).toBe(expected);
  });

  it('says what leads to the question, where there is room', () => {
    expect(summary("I'm choosing a camera for my daughter. What features matter?")).toBe(
      'The user is choosing a camera for their daughter and asks what features matter.',
    );
  });

  it('prefers what is asked to how the answer is to look', () => {
    const told = summary(
      'Describe the siege of Vienna in 1683. Keep your answer under 50 words and use bullet points.',
    );
    expect(told).toContain('siege of Vienna in 1683');
  });

  it('quotes what it cannot turn honestly', () => {
    expect(summary('Whence come ye, stranger?')).toBe('The user asks “Whence come ye, stranger?”');
    expect(summary('请写一首关于秋天的诗。')).toBe('The user writes “请写一首关于秋天的诗”.');
  });

  it('names code and emptiness for what they are', () => {
    expect(summary('```python\na = 1\nb = 2\n```')).toBe('The user shares 2 lines of python.');
    expect(summary('Why does this fail?\n```js\nboom()\n```')).not.toContain('boom');
    expect(summary('  ')).toBe('The user sends an empty message.');
    expect(summary('🎉')).toBe('The user says “🎉”.');
  });
});

describe('what the reply answered', () => {
  it('keeps the key clause, not the courtesy', () => {
    expect(
      summary(
        'When does the ferry to Vis leave?',
        'Great question! The ferry to Vis leaves Split at 9:30. Let me know if you need more.',
      ),
    ).toBe('The user asks when the ferry to Vis leaves; the reply: The ferry to Vis leaves Split at 9:30.');
  });

  it('names what a list holds', () => {
    const told = summary(
      'Suggest islands for us',
      'Sure!\n\n1. **Naxos** – beaches\n2. **Crete** – hikes\n3. **Milos** – rocks',
    );
    expect(told).toBe('The user asks for islands; the reply lists Naxos, Crete and Milos.');
  });

  it('tells of the assistant and the user in the third person', () => {
    expect(summary('Book a table for two.', "I've booked your table for two at 19:00.")).toContain(
      'the assistant has booked their table for two at 19:00',
    );
  });

  it('leaves out replies that only recall', () => {
    expect(summary('What about trains?', `${openingFor('x')}\n\n> Trains are slow.`)).toBe(
      'The user asks about trains.',
    );
  });
});

describe('any text', () => {
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
      expect(told).toMatch(/^The user .*(?:[.…]|[.?!…]”)$/su);
      expect(told).not.toMatch(/undefined|null\b(?!})/);
      expect(told).not.toContain('\n');
      expect(told.length).toBeLessThan(700);
    }
  });

  it('never takes more than some forty words', () => {
    const long =
      'We went to the market, the harbour, the church and the museum because it rained all day long in town '.repeat(9);
    expect(summary(long, long).split(' ').length).toBeLessThan(42);
  });
});
