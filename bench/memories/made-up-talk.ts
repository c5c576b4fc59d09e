import { randomFrom } from '../../src/domain/numbers.ts';
import type { MemoryTurn } from '../../src/engine/memories/memory.ts';

/** Share of turns that start a topic, and of turns that return to an earlier one. */
const BEGINS = 0.08;
const RETURNS = 0.12;
/** Topics in the same field share words, as work or travel topics do. */
const FIELDS = 40;
/** Sentences per reply, and words per sentence by source. */
const SENTENCES = 3;
const COMMON = 1;
const OF_FIELD = 6;
const OF_TOPIC = 7;
const OWN = 1;
/** Interval between messages: five minutes, in milliseconds. */
const EVERY = 300_000;

/**
 * Generates a synthetic conversation, deterministic for a seed; a longer one starts with the shorter one. The words
 * are meaningless, but topics start, are left and resumed, and are closer to some topics than to others.
 */
export const madeUpTalk = (turns: number, seed: number): MemoryTurn[] => {
  const random = randomFrom(seed);
  const below = (count: number) => Math.floor(random() * count);
  const fields: number[] = [];
  let topic = -1;
  const words = (letter: string, among: number, count: number) =>
    Array.from({ length: count }, () => `${letter}${below(among)}`);
  const sentence = (number: number) => {
    const said = [
      ...words('c', 200, COMMON),
      ...words(`f${fields[topic]}x`, 6, OF_FIELD),
      ...words(`t${topic}x`, 5, OF_TOPIC),
      ...words(`n${number}x`, 50, OWN),
    ];
    return `${said.join(' ')}.`;
  };
  return Array.from({ length: turns }, (_, at): MemoryTurn => {
    const number = at + 1;
    const dice = random();
    if (topic === -1 || dice < BEGINS) topic = fields.push(below(FIELDS)) - 1;
    else if (dice < BEGINS + RETURNS) topic = below(fields.length);
    const reply = Array.from({ length: SENTENCES }, () => sentence(number)).join(' ');
    return { nodeId: `n${number}`, number, at: at * EVERY, message: sentence(number), reply };
  });
};
