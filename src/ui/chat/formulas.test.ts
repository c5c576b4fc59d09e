import { describe, expect, test } from 'vitest';
import { takeOutFormulas, untilOpenFormula, withSource } from './formulas.ts';

const tex = (markdown: string) =>
  takeOutFormulas(markdown).formulas.map(({ tex: one, display }) => (display ? `[${one}]` : one));

describe('formulas of a text', () => {
  test('are known by their four signs', () => {
    expect(tex('a $x^2$ b \\(y_1\\) c\n\n$$\nz = 1\n$$\n\n\\[\\frac12\\] d')).toEqual([
      'x^2',
      'y_1',
      '[z = 1]',
      '[\\frac12]',
    ]);
    expect(tex('$$E = mc^2$$ and $a$, $b$.')).toEqual(['[E = mc^2]', 'a', 'b']);
    expect(tex('the set $\\{1, 2\\}$ costs \\$5')).toEqual(['\\{1, 2\\}']);
    expect(tex('| $a|b$ | $5x = 10$ |')).toEqual(['a|b', '5x = 10']);
    expect(tex('> $$\n> a\n> + b\n> $$')).toEqual(['[a\n+ b]']);
  });

  test('nothing closes those that a blank line ends; a later one is still found', () => {
    expect(tex('\\(a \\(b\n\n\\(c\\) and \\(d')).toEqual(['c']);
    expect(tex('$$a\n\n$$b$$')).toEqual(['[b]']);
  });

  test('half a million that nothing closes are text', () => {
    const text = '\\('.repeat(500_000);
    expect(takeOutFormulas(text)).toEqual({ text, formulas: [] });
  });

  test('prices are text', () => {
    for (const text of [
      'It costs $5 and $10.',
      'between $5 to 10$ more',
      'US$5 or CA$7, not $3',
      '$1,000-$2,000',
      'from $20/$30',
      'I have $5. You have $6.',
      'a $ b $ c',
      '\\$x\\$',
      '$5k for the first, then $6k',
      '100$ and 200$',
      '$HOME and $PATH',
    ])
      expect(tex(text), text).toEqual([]);
  });

  test('nothing in code is one', () => {
    for (const text of [
      '`$a$`',
      '`` $a$ ` $b$ ``',
      '```sh\necho $HOME$\n```',
      'x `$a` and `b$`',
      'for $10; `$HOME$` is code',
      '~~~\n$$\na\n$$\n~~~',
      '```\n$a$',
    ])
      expect(tex(text), text).toEqual([]);
    expect(tex('```pip install $x$```\n\n$a$ and $b$')).toEqual(['a', 'b']);
    expect(tex('`code` then $a$\n\n```\n$b$\n```\n\n$c$')).toEqual(['a', 'c']);
  });

  test('a blank line ends what is not closed', () => {
    expect(tex('\\[ a\n\nb \\]')).toEqual([]);
    expect(tex('$$ a\n\nb')).toEqual([]);
  });

  test('what is put back is what was there', () => {
    const text = 'a $x$ `$y$` \\(z\\) $5 and $$q$$ \\$ $$$ ` $w$';
    const out = takeOutFormulas(text);
    expect(withSource(out.text, out.formulas)).toBe(text);
  });
});

describe('a text that is still being written', () => {
  test('ends before a formula that is not whole yet', () => {
    for (const half of ['\\', '\\(', '\\( a + ', '\\[\\frac{1}', '$$', '$$ a', '$x', '$', '$\\alpha$$'.slice(0, -2)])
      expect(untilOpenFormula(`It is ${half}`), half).toBe('It is ');
    expect(untilOpenFormula('It is $a$ and $b')).toBe('It is $a$ and ');
  });

  test('never goes back over what was shown', () => {
    const text = 'Let $a + b$ be \\(c\\). It costs $5 and $10.\n\n\\[ d = e \\]\n\nEnd $f$.';
    let before = '';
    for (let end = 0; end <= text.length; end += 1) {
      const now = untilOpenFormula(text.slice(0, end));
      expect(now.startsWith(before)).toBe(true);
      before = now;
    }
    expect(before).toBe(text);
  });

  test('is shown as it is where a sign opens nothing', () => {
    for (const text of ['It costs $5', 'a $ b', '`$a', 'x = \\(a\\)', 'done.'])
      expect(untilOpenFormula(text)).toBe(text);
  });
});
