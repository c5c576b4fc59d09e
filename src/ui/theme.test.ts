import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { contrast, deuteranopia, difference, hexOf, type Linear, oklch, protanopia } from './testing/colour.ts';
import { TOPIC_COLOURS, TOPIC_PALETTES } from './topic-colour.ts';

const css = readFileSync(new URL('theme.css', import.meta.url), 'utf8');

test('no field makes a phone zoom in, whatever its own style is', () => {
  const narrow = css.slice(css.indexOf('@media (max-width: 800px) {'));
  expect(narrow).toMatch(/^.*\n {2}input:not\(.*\),\n {2}select,\n {2}textarea \{\n {4}font-size: 16px !important;/);
});

const tokensOf = (selector: string): Map<string, Linear> => {
  const start = css.indexOf(`${selector} {`);
  const block = css.slice(start, css.indexOf('\n}', start));
  const colours = block.matchAll(/--([\w-]+): oklch\(([\d.]+)% ([\d.]+) ([\d.]+)\);/g);
  return new Map(
    [...colours].map(([, name, l, c, h]) => [name as string, oklch(Number(l) / 100, Number(c), Number(h))]),
  );
};

const themes = { light: tokensOf(':root'), dark: tokensOf(":root[data-theme='dark']") };
const surfaces = ['bg', 'panel', 'sunk'];
const topics = Array.from({ length: TOPIC_COLOURS }, (_, order) => `topic-${order}`);

describe.each(Object.entries(themes))('the %s theme', (theme, tokens) => {
  const colour = (name: string): Linear => {
    const found = tokens.get(name);
    if (found === undefined) throw new Error(`no token --${name}`);
    return found;
  };
  const pairs = (names: string[], others: string[]) => names.flatMap((a) => others.map((b) => [a, b] as const));

  test.each(pairs(['ink', 'ink-2', 'ink-3', 'danger'], surfaces))('text in --%s on --%s has 4.5:1', (text, surface) => {
    expect(contrast(colour(text), colour(surface))).toBeGreaterThanOrEqual(4.5);
  });

  const code = ['comment', 'keyword', 'string', 'number', 'name', 'type'].map((kind) => `code-${kind}`);
  test.each(pairs(code, ['sunk']))('code in --%s on --%s has 4.5:1', (text, surface) => {
    expect(contrast(colour(text), colour(surface))).toBeGreaterThanOrEqual(4.5);
  });

  test.each(pairs([...topics, 'focus', 'ok', 'warn'], surfaces))('--%s on --%s has 3:1', (mark, surface) => {
    expect(contrast(colour(mark), colour(surface))).toBeGreaterThanOrEqual(3);
  });

  test('has the topic colours of exported files', () => {
    expect(TOPIC_PALETTES[theme as keyof typeof themes]).toEqual(topics.map((name) => hexOf(colour(name))));
  });

  test.each([
    ['full colour vision', (c: Linear) => c],
    ['deuteranopia', deuteranopia],
    ['protanopia', protanopia],
  ] as const)('topics differ with %s', (_name, seen) => {
    const distances = topics.flatMap((a, i) =>
      topics.slice(0, i).map((b) => ({ a, b, apart: difference(seen(colour(a)), seen(colour(b))) })),
    );
    // 0.02 is about the smallest difference visible side by side (OKLab); marks are not side by side, so four times that.
    expect(distances.filter(({ apart }) => apart < 0.08)).toEqual([]);
  });
});
