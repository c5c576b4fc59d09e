import type { Expectation } from '../domain/expectation.ts';

/** Something read, or why it could not be. */
export type Read<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: ReadFailure };

/** Why something was not understood, in words that name the place and what was expected there. */
export interface ReadFailure {
  /** Line of the file, from 1; null where no line is to blame. */
  readonly line: number | null;
  readonly message: string;
}

export const got = <T>(value: T): Read<T> => ({ ok: true, value });

export const failed = (line: number | null, message: string): Read<never> => ({
  ok: false,
  failure: { line, message },
});

/** A file that is of a known form but not sound. `what` reads on after "Line 7: ". */
export const broken = (line: number, what: string): Read<never> => failed(line, `Line ${line}: ${what}.`);

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
  const { offset, expected, found, values } = faultOf(text);
  const line = firstLine - 1 + lineAt(text, offset);
  const what = `expected ${expected}, found ${found}`;
  // A bracket alone does not make a text JSON.
  return values > 1 ? broken(line, what) : failed(line, `This is not JSON. Line ${line}: ${what}.`);
};

/** Where a text that is not JSON, or no object or list, ceases to be, and how many values came before. */
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
 * Browsers differ in whether JSON.parse tells where a text is broken, and none tells where a value of a
 * sound text stands. This walk tells both; it is only taken once something is wrong.
 */

export type JsonPath = readonly PropertyKey[];

export interface JsonFault {
  readonly offset: number;
  /** Reads on after "expected". */
  readonly expected: string;
}

/** Visits every value of a JSON text with its path and offset; returns the first fault, null in a sound text. */
export const walkJson = (text: string, visit: (path: JsonPath, offset: number) => void): JsonFault | null => {
  /** The closing brackets awaited, and the key or index reached in each open object or list. */
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

/** Where the value at `path` stands in a sound JSON text, or the innermost value around it that is there. */
export const offsetOf = (text: string, path: JsonPath): number => {
  let best = { length: -1, offset: 0 };
  walkJson(text, (visited, offset) => {
    if (visited.length > best.length && visited.every((step, index) => step === path[index])) {
      best = { length: visited.length, offset };
    }
  });
  return best.offset;
};

/** Line of an offset, from 1. */
export const lineAt = (text: string, offset: number): number => {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
};
