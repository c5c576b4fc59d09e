import type { TextGenerator } from '../runtimes/text-generator.ts';

/** Tokens that the choices of one question may take: small models lose track of more, and read it all each time. */
const CHOICES_BUDGET = 900;
/** Share of a small model's window that the choices may take; the rest is for instructions, message and answer. */
const WINDOW_SHARE = 0.4;

/**
 * How many of `lines`, from the first on, fit the tokens that a question has for its choices; at least one, so that
 * there is a choice.
 */
export const fitting = async (generator: TextGenerator, lines: readonly string[]): Promise<number> => {
  const budget = Math.min(CHOICES_BUDGET, generator.window * WINDOW_SHARE);
  const counts = await generator.count(lines);
  let used = 0;
  const over = counts.findIndex((count) => {
    used += count;
    return used > budget;
  });
  return over < 0 ? lines.length : Math.max(1, over);
};
