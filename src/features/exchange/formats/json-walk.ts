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
