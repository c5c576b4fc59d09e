import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { isButtonClicked } from './label-keys.ts';

/** An element inside others, each given as a selector that it matches. */
class Inside {
  readonly others: readonly string[];
  constructor(...others: readonly string[]) {
    this.others = others;
  }
  closest(selectors: string) {
    return this.others.some((other) => selectors.split(', ').includes(other)) ? this : null;
  }
}

const inside = (...others: readonly string[]) => new Inside(...others) as unknown as HTMLElement;

beforeEach(() => vi.stubGlobal('Element', Inside));
afterEach(() => vi.unstubAllGlobals());

describe('a button that was clicked', () => {
  test('does not keep the keys, wherever it is; one pressed by keyboard does', () => {
    expect(isButtonClicked({ detail: 1, target: inside('button') })).toBe(true);
    expect(isButtonClicked({ detail: 0, target: inside('button') })).toBe(false);
    expect(isButtonClicked({ detail: 1, target: inside('section') })).toBe(false);
  });
});
