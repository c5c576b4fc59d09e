import type { Expectation } from '../../../domain/expectation.ts';
import { broken, failed, got, type Read } from './import-failures.ts';
import { type JsonFault, type JsonPath, lineAt, offsetOf, walkJson } from './json-walk.ts';

/**
 * What a JSON text or JSON lines hold. The elements of a JSON list, the lines of JSON lines and a lone
 * object all count as items: most forms come in each of these ways.
 */
export interface JsonSource {
  readonly items: readonly unknown[];
  /** Line of the file on which the value at a path stands. Its first step is the item's index. */
  lineOf(path: JsonPath): number;
  /** The path as the file has it, in words; empty where the line says it all. */
  placeOf(path: JsonPath): string;
}

/** Reads text that begins like JSON. */
export const readJson = (text: string): Read<JsonSource> => {
  const whole = parsed(text);
  if (whole !== NOT_JSON) return got(sourceOfWhole(text, whole));
  const lines = text.split('\n').flatMap((line, index) => (line.trim() === '' ? [] : [{ line, number: index + 1 }]));
  if (!areJsonLines(lines.map(({ line }) => line))) return brokenJson(text, 1);

  const items: unknown[] = [];
  for (const { line, number } of lines) {
    const item = parsed(line);
    if (item === NOT_JSON) return brokenJson(line, number);
    items.push(item);
  }
  return got({
    items,
    lineOf: ([index]) => lines[Number(index)]?.number ?? 1,
    placeOf: ([, ...rest]) => place(rest),
  });
};

const sourceOfWhole = (text: string, whole: unknown): JsonSource => {
  const isList = Array.isArray(whole);
  const inText = (path: JsonPath) => (isList ? path : path.slice(1));
  return {
    items: isList ? whole : [whole],
    lineOf: (path) => lineAt(text, offsetOf(text, inText(path))),
    placeOf: (path) => place(inText(path)),
  };
};

/** What was not as expected in a source, as a failure that names the line. */
export const unexpected = (source: JsonSource, { path, text }: Expectation): Read<never> =>
  broken(source.lineOf(path), `expected ${text}, found ${found(source.items, path)}${source.placeOf(path)}`);

/** Lines that each begin an object cannot be one JSON text: no object begins with another. */
const areJsonLines = ([first, second]: readonly string[]): boolean =>
  first !== undefined &&
  second !== undefined &&
  (parsed(first) !== NOT_JSON || (first.startsWith('{') && second.startsWith('{')));

const NOT_JSON = Symbol('not JSON');

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return NOT_JSON; // `brokenJson` says why
  }
};

const brokenJson = (text: string, firstLine: number): Read<never> => {
  let values = 0;
  const fault: JsonFault | null = walkJson(text, () => {
    values += 1;
  });
  const offset = fault?.offset ?? text.length;
  const line = firstLine - 1 + lineAt(text, offset);
  const ends = text.slice(offset).trim() === '';
  const what = `expected ${fault?.expected ?? 'JSON'}, found ${ends ? 'the end' : JSON.stringify(text.slice(offset, offset + 12))}`;
  // A bracket alone does not make a text JSON.
  return values > 1 ? broken(line, what) : failed('not-json', line, `This is not JSON. Line ${line}: ${what}.`);
};

const place = (path: JsonPath): string => {
  const steps = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`));
  const says = path.length > 1 || typeof path[0] === 'number';
  return says ? ` (at ${steps.join('').replace(/^\./, '')})` : '';
};

const found = (items: unknown, path: JsonPath): string => {
  let value = items;
  for (const step of path) value = (value as Record<PropertyKey, unknown> | null | undefined)?.[step];
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' && value !== null ? 'an object' : shortened(JSON.stringify(value));
};

const shortened = (text: string): string => (text.length > 40 ? `${text.slice(0, 40)}…` : text);
