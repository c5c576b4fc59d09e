import type { Part } from './context-parts.ts';

/** What became of a context from one turn to the next. */
export interface ContextDiff {
  readonly entered: readonly Part[];
  readonly left: readonly Part[];
  /** Of the same thing, other words. */
  readonly changed: readonly { readonly before: Part; readonly after: Part }[];
  readonly stayed: readonly Part[];
  /** Tokens at the front that are the same, word for word and in order: what a chat model's cache can serve. */
  readonly front: number;
}

export const contextDiff = (before: readonly Part[], after: readonly Part[]): ContextDiff => {
  const byKey = new Map(before.map((part) => [part.key, part]));
  const now = new Set(after.map(({ key }) => key));
  const changed: { readonly before: Part; readonly after: Part }[] = [];
  const [entered, stayed]: [Part[], Part[]] = [[], []];
  for (const part of after) {
    const was = byKey.get(part.key);
    if (was === undefined) entered.push(part);
    else if (wordsOf(was) === wordsOf(part)) stayed.push(part);
    else changed.push({ before: was, after: part });
  }
  let same = 0;
  let front = 0;
  for (; same < after.length && same < before.length; same++) {
    const [was, part] = [before[same] as Part, after[same] as Part];
    if (was.key !== part.key || wordsOf(was) !== wordsOf(part)) break;
    front += part.tokens;
  }
  return { entered, left: before.filter(({ key }) => !now.has(key)), changed, stayed, front };
};

/** What is sent of a part, and as whose. */
export const wordsOf = ({ said }: Pick<Part, 'said'>): string =>
  said.map(({ role, content }) => `${role}: ${content}`).join('\n\n');
