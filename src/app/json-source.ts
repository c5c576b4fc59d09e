import { type Expectation, parsedJson } from '../domain/expectation.ts';

/** A parsed value, or why parsing failed. */
export type ParseResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: ReadFailure };

/** Why something could not be parsed, naming the place and what was expected there. */
export interface ReadFailure {
  /** Line of the file, from 1; null if no particular line is at fault. */
  readonly line: number | null;
  readonly message: string;
}

export const parseSuccess = <T>(value: T): ParseResult<T> => ({ ok: true, value });

export const parseFailure = (line: number | null, message: string): ParseResult<never> => ({
  ok: false,
  failure: { line, message },
});

/** A file in a known format that is malformed. `what` continues "Line 7: ". */
export const malformedLine = (line: number, what: string): ParseResult<never> =>
  parseFailure(line, `Line ${line}: ${what}.`);

/**
 * The contents of a JSON text or of JSON lines. The elements of a JSON array, the lines of JSON lines and a lone
 * object all count as items, since most formats come in each of these forms.
 */
export interface JsonSource {
  readonly items: readonly unknown[];
  /** Line of the file where the value at a path is. The path's first step is the item's index. */
  lineOf(path: JsonPath): number;
  /** The path as it appears in the file, as text; empty if the line says it all. */
  placeOf(path: JsonPath): string;
}

/** Parses text that starts like JSON. */
export const readJson = (text: string): ParseResult<JsonSource> => {
  const whole = parsedJson(text);
  if (whole !== undefined) return parseSuccess(sourceOfWhole(text, whole));
  const lines = text.split('\n').flatMap((line, index) => (line.trim() === '' ? [] : [{ line, number: index + 1 }]));
  if (!areJsonLines(lines.map(({ line }) => line))) return brokenJson(text, 1);

  const items: unknown[] = [];
  for (const { line, number } of lines) {
    const item = parsedJson(line);
    if (item === undefined) return brokenJson(line, number);
    items.push(item);
  }
  return parseSuccess({
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

/** Reports a mismatch in a source as a failure that names the line. */
export const unexpected = (source: JsonSource, { path, text }: Expectation): ParseResult<never> =>
  malformedLine(source.lineOf(path), `expected ${text}, found ${found(source.items, path)}${source.placeOf(path)}`);

/** Lines that each start an object cannot be a single JSON text: no object starts with another. */
const areJsonLines = ([first, second]: readonly string[]): boolean =>
  first !== undefined &&
  second !== undefined &&
  (parsedJson(first) !== undefined || (first.startsWith('{') && second.startsWith('{')));

const brokenJson = (text: string, firstLine: number): ParseResult<never> => {
  const { offset, expected, found, values } = faultOf(text);
  const line = firstLine - 1 + lineAt(text, offset);
  const what = `expected ${expected}, found ${found}`;
  // A lone bracket does not make a text JSON.
  return values > 1 ? malformedLine(line, what) : parseFailure(line, `This is not JSON. Line ${line}: ${what}.`);
};

/** Finds where a text stops being valid JSON (an object or array), and how many values came before. */
export const faultOf = (text: string) => {
  let values = 0;
  const fault: JsonFault | null = walkJson(text, () => {
    values += 1;
  });
  const offset = fault?.offset ?? 0;
  const ends = text.slice(offset).trim() === '';
  return {
    offset,
    expected: fault?.expected ?? 'an object',
    found: ends ? 'the end' : JSON.stringify(text.slice(offset, offset + 12)),
    values,
  };
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

/*
 * Browsers differ in whether JSON.parse reports where a text is broken, and none reports the position of a value in
 * valid JSON. This walker does both; it only runs once something is wrong.
 */

type JsonPath = readonly PropertyKey[];

interface JsonFault {
  readonly offset: number;
  /** Continues "expected". */
  readonly expected: string;
}

/** Visits every value of a JSON text with its path and offset; returns the first fault, or null if the text is valid. */
export const walkJson = (text: string, visit: (path: JsonPath, offset: number) => void): JsonFault | null => {
  /** The pending closing brackets, and the current key or index in each open object or array. */
  const open: ('}' | ']')[] = [];
  const path: (string | number)[] = [];
  let at = 0;

  const fault = (expected: string): JsonFault => ({ offset: at, expected });
  const skip = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    const found = pattern.test(text);
    if (found) at = pattern.lastIndex;
    return found;
  };
  const key = (): JsonFault | null => {
    skip(SPACE);
    const start = at;
    if (text[at] !== '"') return fault('a name in double quotes');
    const unclosed = string();
    if (unclosed !== null) return unclosed;
    path[path.length - 1] = JSON.parse(text.slice(start, at)) as string;
    skip(SPACE);
    return skip(COLON) ? null : fault('a colon after the name');
  };
  const string = (): JsonFault | null => {
    at += 1;
    while (skip(PLAIN) || skip(ESCAPE));
    if (text[at] === '"') {
      at += 1;
      return null;
    }
    return fault(text[at] === '\\' ? 'a valid escape' : 'a closing double quote');
  };

  for (;;) {
    skip(SPACE);
    const first = text[at];
    if (first !== undefined && '{["-0123456789tfn'.includes(first)) visit(path, at);
    if (first === '{' || first === '[') {
      const closing = first === '{' ? '}' : ']';
      at += 1;
      skip(SPACE);
      if (text[at] === closing) at += 1;
      else {
        open.push(closing);
        path.push(0);
        const bad = closing === '}' ? key() : null;
        if (bad !== null) return bad;
        continue;
      }
    } else if (first === '"') {
      const bad = string();
      if (bad !== null) return bad;
    } else if (!skip(SCALAR)) return fault('a value');

    for (let ended = true; ended; ) {
      skip(SPACE);
      const closing = open.at(-1);
      if (closing === undefined) return at === text.length ? null : fault('nothing more');
      ended = text[at] === closing;
      if (!ended && text[at] !== ',') return fault(`a comma or "${closing}"`);
      at += 1;
      if (ended) {
        open.pop();
        path.pop();
      } else if (closing === '}') {
        const bad = key();
        if (bad !== null) return bad;
      } else path[path.length - 1] = Number(path.at(-1)) + 1;
    }
  }
};

const SPACE = /[ \t\r\n]*/y;
const COLON = /:/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids them in strings
const PLAIN = /[^"\\\u0000-\u001f]+/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const SCALAR = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?|true|false|null)(?![\w.+-])/y;

/** Returns the offset of the value at `path` in valid JSON, or of the innermost existing value around it. */
export const offsetOf = (text: string, path: JsonPath): number => {
  let best = { length: -1, offset: 0 };
  walkJson(text, (visited, offset) => {
    if (visited.length > best.length && visited.every((step, index) => step === path[index])) {
      best = { length: visited.length, offset };
    }
  });
  return best.offset;
};

/** Returns the line of an offset, from 1. */
export const lineAt = (text: string, offset: number): number => {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
};
