import { contentOf } from '../../app/saved-settings.ts';
import { textFilter } from '../../app/search-words.ts';
import type { AppState } from '../../app/state.ts';
import { baselineOf } from '../../domain/context.ts';
import {
  type BranchAction,
  type BranchRule,
  isChangedAnswer,
  type Timing,
  type TopicAction,
  type Trace,
  wordOf,
} from '../../domain/decision.ts';
import { byNumber, type Forest, type Node, type NodeId } from '../../domain/forest.ts';
import { sum } from '../../domain/numbers.ts';
import { branchTaken, fallbacksOf, isUnsent, replyOf } from '../../domain/queries.ts';
import { recordsOf } from '../../domain/table.ts';
import { defaultParameters } from '../../engine/parameters.ts';
import { isAsShipped } from '../../engine/settings.ts';
import type { Series } from '../../ui/parts/charts/scale.ts';
import { meanOfKnown } from '../../ui/parts/charts/scale.ts';
import { policyLook } from '../../ui/parts/policies.tsx';

/** A decision as one row of the table. Numbers are null if unknown. */
export interface DecisionRow {
  readonly nodeId: NodeId;
  readonly number: number;
  readonly message: string;
  readonly topic: TopicAction;
  readonly branch: BranchAction | null;
  readonly by: 'engine' | 'person' | 'import';
  /** The rule that settled it; null without a trace. */
  readonly rule: BranchRule | 'first-turn' | null;
  /** Probability of the decider's least certain answer. */
  readonly confidence: number | null;
  /** How much likelier that answer was than the next. */
  readonly margin: number | null;
  /** The person's judgement on it. */
  readonly word: ReturnType<typeof wordOf> | null;
  readonly fallbacks: number;
  /** What the person's corrections did to an answer: changed it, or only shifted its probability; null if they had no bearing on it. */
  readonly learning: 'changed' | 'shifted' | null;
  /** Version of the engine's settings; 0 means as shipped. */
  readonly version: number | null;
  /** Whether they have no version of their own and yet differ from what is shipped, as in a re-run that was kept. */
  readonly isChanged: boolean;
  /** Whether its context was built but not sent: its reply was imported, or a what-if built it. */
  readonly isUnsent: boolean;
  /** Policy of its context. */
  readonly policy: string | null;
  /** Tokens of that context, of what a plain chat would have sent, and of the full history. */
  readonly tokens: number | null;
  readonly plainTokens: number | null;
  readonly fullTokens: number | null;
  /** Milliseconds taken to decide. */
  readonly ms: number | null;
  /** Similarity of the message to n*, or to the nearest turn if there was no n*. */
  readonly similarity: number | null;
  readonly theta: number | null;
  /** Milliseconds by step, for deciding and for the reply. */
  readonly deciding: StepTimes;
  readonly replying: StepTimes;
}

/** Milliseconds by step name. No two steps overlap. */
type StepTimes = Readonly<Record<string, number>>;

/** Turns read in a step: as many as take a few milliseconds. */
const PART = 32;

/** The decisions of a forest, in the order the turns were sent; in steps, since all about each turn is read for them. */
export function* decisionRows(forest: Forest): Generator<undefined, readonly DecisionRow[]> {
  const rows: DecisionRow[] = [];
  for (const node of recordsOf(forest.nodes).toSorted(byNumber)) {
    if (rows.push(rowOf(forest, node)) % PART === 0) yield;
  }
  return rows;
}

// Nodes are replaced and never mutated: while a reply streams in, the rows of all other turns stay valid.
const known = new WeakMap<Node, DecisionRow>();
const rowOf = (forest: Forest, node: Node): DecisionRow => {
  const row = known.get(node) ?? makeRow(forest, node);
  known.set(node, row);
  return row;
};

const makeRow = (forest: Forest, node: Node): DecisionRow => {
  const { decision, label } = node;
  const { trace } = decision;
  const reply = replyOf(node);
  const deciding = stepsOf(trace?.timings ?? []);
  return {
    nodeId: node.id,
    number: node.number,
    message: node.message,
    topic: decision.topic,
    branch: branchTaken(forest, node),
    by: decision.by,
    ...surety(trace),
    rule: trace === null ? null : trace.topic.rule === 'first-turn' ? 'first-turn' : trace.branch.rule,
    word: label === null ? null : wordOf(label),
    fallbacks: fallbacksOf(node).length,
    learning: learningIn(trace),
    version: trace === null ? null : (trace.settings?.version ?? 0),
    isChanged: trace?.settings?.version === 0 && !isAsShipped(trace.settings),
    isUnsent: reply !== null && isUnsent(reply),
    policy: reply?.context?.policy ?? null,
    tokens: reply?.context?.tokens ?? null,
    plainTokens: reply?.context ? baselineOf(reply.context) : null,
    fullTokens: reply?.context?.fullHistoryTokens ?? null,
    ms: trace === null ? null : sum(Object.values(deciding)),
    similarity: similarityOf(trace),
    theta: trace?.fork.theta ?? null,
    deciding,
    replying: replySteps(reply?.timings ?? []),
  };
};

/** Whether what was learned changed an answer, or only shifted its probability. */
const learningIn = (trace: Trace | null): DecisionRow['learning'] => {
  const taught = [
    trace?.topic.answer && { ...trace.topic.answer, target: trace.topic.target },
    trace?.branch.answer && { ...trace.branch.answer, target: trace.branch.answer.point ?? null },
  ].flatMap((answer) => (answer?.personal ? [isChangedAnswer(answer.personal, answer)] : []));
  if (taught.length === 0) return null;
  return taught.includes(true) ? 'changed' : 'shifted';
};

const surety = (trace: Trace | null): Pick<DecisionRow, 'confidence' | 'margin'> => {
  const answers = [trace?.topic.answer, trace?.branch.answer].flatMap((answer) => {
    if (answer?.confidence == null) return [];
    const next = answer.alternatives?.[0]?.confidence;
    return [{ confidence: answer.confidence, margin: next === undefined ? null : answer.confidence - next }];
  });
  const [least] = answers.sort((a, b) => a.confidence - b.confidence);
  return least ?? { confidence: null, margin: null };
};

const similarityOf = (trace: Trace | null): number | null => {
  if (trace === null) return null;
  const { point, candidates } = trace.fork;
  return (candidates.find(({ nodeId }) => nodeId === point) ?? candidates[0])?.similarity ?? null;
};

const stepsOf = (timings: readonly Timing[]): StepTimes => {
  const steps: Record<string, number> = {};
  for (const { step, ms } of timings) steps[step] = (steps[step] ?? 0) + ms;
  return steps;
};

/** The reply's time includes the time to the first token; this separates it from the writing that follows. */
const replySteps = (timings: readonly Timing[]): StepTimes => {
  const { reply, ...steps } = stepsOf(timings);
  if (reply === undefined) return steps;
  return { ...steps, writing: Math.max(0, reply - (steps['first token'] ?? 0)) };
};

/** The confidence from which a decision counts as sure, as currently set. */
export const sureFromNow = ({ settings }: Pick<AppState, 'settings'>): number =>
  contentOf(settings, settings.current).parameters.sureFrom ?? defaultParameters.sureFrom;

/** Which decisions are shown. */
export interface DecisionFilter {
  /** Words the message must contain, all of them. */
  readonly text: string;
  readonly action: TopicAction | BranchAction | null;
  readonly word: ReturnType<typeof wordOf> | 'none' | null;
  readonly by: 'engine' | 'person' | 'import' | null;
  /** Only those with a fallback for a failed model. */
  readonly fallback: boolean;
  /** Only those with a confidence below this; null for all. */
  readonly below: number | null;
}

export const everyDecision: DecisionFilter = {
  text: '',
  action: null,
  word: null,
  by: null,
  fallback: false,
  below: null,
};

export const filtered = (rows: readonly DecisionRow[], filter: DecisionFilter): DecisionRow[] => {
  const { action, word, by, fallback, below } = filter;
  const isFound = textFilter(filter.text);
  return rows.filter(
    (row) =>
      (action === null || row.topic === action || row.branch === action) &&
      (word === null || (row.word ?? 'none') === word) &&
      (by === null || row.by === by) &&
      (!fallback || row.fallbacks > 0) &&
      (below === null || (row.confidence !== null && row.confidence < below)) &&
      isFound(row.message),
  );
};

export type SortKey = keyof Pick<
  DecisionRow,
  | 'number'
  | 'message'
  | 'topic'
  | 'branch'
  | 'rule'
  | 'confidence'
  | 'margin'
  | 'word'
  | 'fallbacks'
  | 'version'
  | 'tokens'
  | 'ms'
>;

export interface SortOrder {
  readonly by: SortKey;
  readonly down: boolean;
}

/** Sorts by one column. Rows without a value come last either way; equal ones stay in the order they were sent. */
export const sorted = (rows: readonly DecisionRow[], { by, down }: SortOrder): DecisionRow[] =>
  [...rows].sort((a, b) => {
    const [x, y] = [a[by], b[by]];
    if (x === y) return byNumber(a, b);
    if (x === null) return 1;
    if (y === null) return -1;
    const order = typeof x === 'number' && typeof y === 'number' ? x - y : compare(String(x), String(y));
    return order === 0 ? byNumber(a, b) : down ? -order : order;
  });

// Many times faster than localeCompare.
const { compare } = new Intl.Collator('en');

/** What each policy sent or would have sent, by turn; turns not compared yet have no entry. */
export type TokensByTurn = ReadonlyMap<string, Readonly<Record<string, number>>>;

/** The policy of every context there is; null if there are several, or none. */
const onlyPolicy = (rows: readonly Pick<DecisionRow, 'policy'>[]): string | null => {
  const [only = null, ...others] = new Set(rows.flatMap(({ policy }) => policy ?? []));
  return others.length === 0 ? only : null;
};

/** The contexts of the replies, next to what a plain chat or, once compared, each policy would have sent; limited to the chosen policies, if given. */
export const tokenSeries = (
  rows: readonly DecisionRow[],
  compared: TokensByTurn,
  chosen?: readonly string[],
): Series[] => {
  const only = onlyPolicy(rows);
  const word = rows.some((row) => row.isUnsent) ? 'Context' : 'Sent';
  const sent: Series = {
    key: 'sent',
    name: only === null ? word : `${word} (${only})`,
    // Once compared, counted by the same tokenizer as the others.
    values: rows.map(({ nodeId, policy, tokens }) => compared.get(nodeId)?.[policy ?? ''] ?? tokens),
    colour: 'var(--ink)',
    strong: true,
  };
  const known = new Set([...compared.values()].flatMap((tokens) => Object.keys(tokens)));
  const names = chosen === undefined ? [...known] : chosen.filter((name) => known.has(name));
  if (names.length === 0) {
    const plain = rows.map(({ plainTokens }) => plainTokens);
    return [sent, { key: 'plain', name: 'Plain chat', values: plain, ...policyLook('full-history') }];
  }
  const others = names.map((name) => ({
    key: name,
    name,
    values: rows.map(({ nodeId }) => compared.get(nodeId)?.[name] ?? null),
    ...policyLook(name),
  }));
  // Sent throughout: its line is what was sent.
  const isSent = rows.every(({ tokens, policy }) => tokens !== null && policy === only);
  return [sent, ...others.filter(({ key }) => !isSent || key !== only)];
};

/** Values as dots; those of turns that the person judged, as marks. */
export const dotsAndMarks = (rows: readonly DecisionRow[], values: readonly (number | null)[]) => {
  const marked = (word: 'corrected' | 'confirmed') =>
    values.flatMap((value, at) => (value !== null && rows[at]?.word === word ? [{ at, value }] : []));
  const isDot = (at: number) => rows[at]?.word === null || rows[at]?.word === 'chosen';
  return {
    dots: values.map((value, at) => (isDot(at) ? value : null)),
    corrected: marked('corrected'),
    confirmed: marked('confirmed'),
  };
};

interface MeanRow {
  readonly key: string;
  /** Over the turns for which both are known. */
  readonly mean: number | null;
  /** Mean of the largest policy over the same turns; null for that policy itself. */
  readonly against: number | null;
}

/**
 * Mean context tokens per turn (the paper's ACT), each next to that of a plain chat over the same turns. `rows`: the turns
 * that the series are of.
 */
export const means = (series: readonly Series[], rows: readonly Pick<DecisionRow, 'policy'>[]): MeanRow[] => {
  const isWhole = ({ key }: Series) => key === 'plain' || key === 'full-history';
  const whole =
    series.find(isWhole) ??
    // Sent throughout, it has no line of its own.
    (onlyPolicy(rows) === 'full-history' ? series.find(({ key }) => key === 'sent') : undefined);
  return series.map(({ key, values }) => {
    if (whole === undefined || whole.key === key) return { key, mean: meanOfKnown(values), against: null };
    const both = values.map((value, at) => (whole.values[at] == null ? null : value));
    const same = whole.values.map((value, at) => (values[at] == null ? null : value));
    return { key, mean: meanOfKnown(both), against: meanOfKnown(same) };
  });
};

/** Steps in the order they happen; others come after them. */
const ORDER = ['embed', 'topic', 'branch', 'context', 'first token', 'writing'];
const STEP_COLOURS = [
  'var(--topic-4)',
  'var(--topic-2)',
  'var(--topic-6)',
  'var(--topic-1)',
  'var(--topic-5)',
  'var(--topic-7)',
];

export const stepSeries = (steps: readonly StepTimes[]): Series[] => {
  const names = [...new Set(steps.flatMap((one) => Object.keys(one)))];
  const place = (name: string) => (ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length);
  return names
    .sort((a, b) => place(a) - place(b))
    .map((name) => ({
      key: name,
      name,
      values: steps.map((one) => one[name] ?? null),
      colour: STEP_COLOURS[place(name)] ?? 'var(--ink-3)',
    }));
};
