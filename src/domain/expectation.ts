import type * as z from 'zod/mini';

/** The value of an external text; undefined if it is not JSON. A schema says whether it is what it should be. */
export const parsedJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** What an external value should have been, and where: the first problem a schema found. */
export interface Expectation {
  readonly path: readonly PropertyKey[];
  /** Completes a sentence after "expected", e.g. `"content" to be a string`. */
  readonly text: string;
}

type Issue = z.core.$ZodIssue;

/** zod/mini ships without messages for its issues; these are Coppice's own. */
export const expectationOf = (error: z.core.$ZodError): Expectation => {
  const issue = error.issues[0];
  return issue === undefined ? { path: [], text: 'something else' } : deepest(issue, []);
};

/** For a union, assumes that the member that got furthest was meant, otherwise the first, which is the usual one. */
const deepest = (issue: Issue, above: readonly PropertyKey[]): Expectation => {
  const path = [...above, ...issue.path];
  if (issue.code === 'invalid_union') {
    const members = issue.errors.flatMap((errors) => errors.slice(0, 1)).map((member) => deepest(member, path));
    const [best] = members.toSorted((a, b) => b.path.length - a.path.length);
    if (best !== undefined) return best;
  }
  return { path, text: `${subject(path)} to be ${wanted(issue)}` };
};

const subject = (path: readonly PropertyKey[]): string => {
  const name = path.findLast((key) => typeof key === 'string');
  const last = path.at(-1);
  if (name === undefined) return 'this';
  return typeof last === 'number' ? `item ${last + 1} of "${name}"` : `"${name}"`;
};

const NAMES: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
  null: 'null',
};

/** Aliases come last in Coppice's schemas; the first few are enough. */
const anyOf = (values: readonly (string | undefined)[]): string =>
  values.length <= 3 ? values.join(' or ') : `${values.slice(0, 3).join(', ')} or the like`;

const wanted = (issue: Issue): string => {
  switch (issue.code) {
    case 'invalid_type':
      return NAMES[issue.expected] ?? issue.expected;
    case 'invalid_value':
      return anyOf(issue.values.map((value) => JSON.stringify(value)));
    case 'too_small':
      return issue.origin === 'string' ? 'not empty' : `at least ${issue.minimum}`;
    case 'too_big':
      return `at most ${issue.maximum}`;
    case 'invalid_union':
      return 'of a known kind';
    case 'custom':
      return issue.message;
    default:
      return 'something else';
  }
};
