import { describe, expect, test } from 'vitest';
import { paint } from './code-painter.ts';

const kindsOf = (code: string, language: string) =>
  paint(code, language)
    .filter(({ kind }) => kind !== null)
    .map(({ text, kind }) => `${kind}: ${text}`);

describe('painted code', () => {
  test('has its words by kind', () => {
    expect(kindsOf("const answer = 42; // it 'is'", 'ts')).toEqual([
      'keyword: const',
      'number: 42',
      "comment: // it 'is'",
    ]);
    expect(kindsOf('def ask():\n    return "why"', 'python')).toEqual([
      'keyword: def',
      'name: ask',
      'keyword: return',
      'string: "why"',
    ]);
    expect(kindsOf('-old\n+new', 'diff')).toEqual(['removed: -old', 'added: +new']);
  });

  test('says word for word what the code says, whatever the language', () => {
    const code = '<a href="x">`{1}`</a> /* “é” */\n\t# end\n';
    for (const language of ['html', 'ts', 'bash', 'css', 'no-such-language']) {
      expect(
        paint(code, language)
          .map(({ text }) => text)
          .join(''),
        language,
      ).toBe(code);
    }
  });

  test('of a language that is not known stays as it is', () => {
    expect(paint('whatever', 'klingon')).toEqual([{ text: 'whatever', kind: null }]);
  });
});
