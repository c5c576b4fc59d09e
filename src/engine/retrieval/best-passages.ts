import { countWords, termsOf } from '../text/terms.ts';
import { passagesOf, type Span } from './passages.ts';

/** A text cut to the passages that matter. */
export interface Cut {
  /** What is kept, in order; what touches is one. Empty where not even one passage has room. */
  readonly kept: readonly Span[];
  /** Passages, and tokens of them, that are left out. */
  readonly leftOut: number;
  readonly tokensLeftOut: number;
  /** What is kept, with a mark in every gap. */
  readonly text: string;
  readonly tokens: number;
}

export interface CutOptions {
  readonly budget: number;
  /** Synchronous: texts must be prepared, or the count be a cheap one. */
  readonly tokensOf: (text: string) => number;
  /** ISO 639-1; says which words are of grammar. */
  readonly language?: string | null;
  /** Worth of each passage, where it is known better than by the query's words; by its place among `passagesOf(text)`. */
  readonly worth?: readonly number[];
}

/** What the first and the last passage are worth beside those with the query's words: what a text is, and what it comes to. */
const FIRST = 0.3;
const LAST = 0.1;

/**
 * Of a long text the passages that a query needs, within a budget of tokens, marks counted: `[… N passages left out …]`. A
 * text that has room is kept whole. Passages with many of the query's words come first, then the beginning and the end.
 */
export const bestPassages = (text: string, query: string, options: CutOptions): Cut => {
  const { budget, tokensOf } = options;
  const passages = passagesOf(text);
  const everything = tokensOf(text);
  if (everything <= budget) {
    const kept = passages.length === 0 ? [] : [{ from: 0, to: text.length }];
    return { kept, leftOut: 0, tokensLeftOut: 0, text, tokens: everything };
  }
  const worth = options.worth ?? worthOf(text, passages, query, options.language ?? null);
  const ranked = passages.map((_, at) => at).sort((a, b) => (worth[b] ?? 0) - (worth[a] ?? 0) || a - b);
  const kept = new Set<number>();
  let best = { text: '', tokens: 0 };
  for (const at of ranked) {
    kept.add(at);
    const tried = marked(text, passages, kept);
    const tokens = tokensOf(tried);
    if (tokens <= budget) best = { text: tried, tokens };
    else kept.delete(at);
  }
  const out = passages.filter((_, at) => !kept.has(at));
  return {
    kept: joined(passages.filter((_, at) => kept.has(at))),
    leftOut: out.length,
    tokensLeftOut: out.reduce((sum, { from, to }) => sum + tokensOf(text.slice(from, to)), 0),
    ...best,
  };
};

/** Of each passage the share of the query's words that it has, the rarer in this text the weightier, and what its place is worth. */
const worthOf = (text: string, passages: readonly Span[], query: string, language: string | null): number[] => {
  const words = passages.map(({ from, to }) => countWords(text.slice(from, to)).counts);
  const sought = [...termsOf(query, language).words].flatMap(([word, weight]) => {
    const having = words.filter((counts) => counts.has(word)).length;
    return having === 0 ? [] : [{ word, weight: Math.sqrt(weight) * Math.log(1 + passages.length / having) }];
  });
  const whole = sought.reduce((sum, { weight }) => sum + weight, 0) || 1;
  return words.map((counts, at) => {
    const own = sought.reduce((sum, { word, weight }) => sum + (counts.has(word) ? weight : 0), 0) / whole;
    return own + (at === 0 ? FIRST : at === words.length - 1 ? LAST : 0);
  });
};

const marked = (text: string, passages: readonly Span[], kept: ReadonlySet<number>): string => {
  const parts: string[] = [];
  let gap = 0;
  const close = () => {
    if (gap > 0) parts.push(`[… ${gap} ${gap === 1 ? 'passage' : 'passages'} left out …]`);
    gap = 0;
  };
  let run = '';
  const flush = () => {
    if (run !== '') parts.push(run.trimEnd());
    run = '';
  };
  for (const [at, { from, to }] of passages.entries()) {
    if (kept.has(at)) {
      close();
      run += text.slice(from, to);
    } else {
      flush();
      gap += 1;
    }
  }
  flush();
  close();
  return parts.join('\n');
};

const joined = (spans: readonly Span[]): Span[] => {
  const runs: Span[] = [];
  for (const span of spans) {
    const last = runs.at(-1);
    if (last?.to === span.from) runs[runs.length - 1] = { from: last.from, to: span.to };
    else runs.push(span);
  }
  return runs;
};
