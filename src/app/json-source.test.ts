import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { lineAt, offsetOf, walkJson } from './json-source.ts';

const parses = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

test('the walk calls a text sound exactly when JSON.parse does', () => {
  const text = fc.tuple(fc.json(), fc.nat(), fc.constantFrom('', ',', '"', '}', '[', '\\', '0', '\n', 'e')).map(
    // Half of them are spoilt: one character replaced or removed.
    ([json, at, put]) =>
      at % 2 === 0 ? json : json.slice(0, at % json.length) + put + json.slice((at % json.length) + 1),
  );
  fc.assert(
    fc.property(text, (json) => {
      expect(walkJson(json, () => undefined) === null).toBe(parses(json));
    }),
    { numRuns: 500 },
  );
});

test('every value is visited where it stands', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(0, 2), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      const top: unknown = JSON.parse(text);
      walkJson(text, (path, offset) => {
        const there = path.reduce<unknown>((inside, step) => (inside as Record<PropertyKey, unknown>)[step], top);
        expect(text[offset]).toBe(JSON.stringify(there)[0]);
      });
    }),
  );
});

test('a path is found by its line; where it ends nowhere, what is around it is', () => {
  const text = '{\n  "a": [\n    {"b": 1},\n    {"b": 2}\n  ],\n  "c": "\\n"\n}';
  expect(lineAt(text, offsetOf(text, ['a', 1, 'b']))).toBe(4);
  expect(lineAt(text, offsetOf(text, ['a', 1, 'missing']))).toBe(4);
  expect(lineAt(text, offsetOf(text, ['c']))).toBe(6);
  expect(lineAt(text, offsetOf(text, []))).toBe(1);
});

test('no depth of nesting is too much', () => {
  const deep = 100_000;
  expect(walkJson('['.repeat(deep), () => undefined)).toEqual({ offset: deep, expected: 'a value' });
});
