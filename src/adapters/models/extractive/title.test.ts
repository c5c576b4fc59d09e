import { describe, expect, it } from 'vitest';
import { titleOf } from './title.ts';

const title = (message: string, reply = ''): string => titleOf({ message, reply });

describe('titles of topics', () => {
  it.each([
    ['You are a travel planner. Plan a week in Scotland for my parents and me, please.', 'Scotland'],
    ['Is it safe to fly through a thunderstorm? I am a bit scared.', 'thunderstorm'],
    ['How do I season a cast iron pan?', 'Cast iron pan'],
    ['Please write a Rust program that counts the words of a file.', 'Rust program'],
    ['What is the difference between a violin and a viola?', 'Violin and viola'],
    ['I am planning a hiking trip to the Tatra mountains. What should I pack?', 'Hiking trip'],
    ['Hi! Could you explain the theory of plate tectonics to me?', 'Theory of plate tectonics'],
  ])('%s', (message, expected) => {
    expect(title(message)).toContain(expected);
  });

  it.each([
    '',
    '   ',
    'ok',
    'Hi!',
    'Thanks a lot.',
    '🎉🎉',
    '42',
    'Tents?',
    '```python\nprint(1)\n```',
    '请帮我写一首关于秋天的诗，谢谢',
    '¿Cuáles son las mejores playas de Galicia para niños pequeños y sus abuelos?',
    'I want to I want to I want to',
    'The '.repeat(5000),
    'x'.repeat(20_000),
    '$$$ ### @@@',
  ])('has a name of one to five words for %j', (message) => {
    const named = title(message);
    expect(named).not.toBe('');
    expect(named.split(' ').length).toBeLessThanOrEqual(5);
    expect(named).not.toMatch(/[.\n]$/);
    expect(named).not.toMatch(/undefined|null/);
  });

  it('has two words or more in English', () => {
    for (const message of ['Tents?', 'Explain photosynthesis', 'hotels', 'What about Rome?']) {
      expect(title(message).split(' ').length).toBeGreaterThan(1);
    }
  });
});
