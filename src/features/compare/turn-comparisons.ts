import type { Kernel } from '../../app/kernel.ts';
import type { Fallback } from '../../domain/decision.ts';
import { byNumber, type Forest, type Node, type NodeId, type ReplyId } from '../../domain/forest.ts';
import { recordsOf } from '../../domain/table.ts';
import type { TurnContexts } from '../../engine/history/contexts-over-time.ts';
import { FailureList } from '../../engine/model-fallback.ts';
import type { Cost } from '../../engine/text/token-cache.ts';
import { count, counted, duration as exact, percent } from '../../ui/parts/format.ts';

/** What a policy would have sent for a turn, and the cost of its own bookkeeping. */
export interface PolicyCost extends Cost {
  readonly tokens: number;
}

/** A turn of the comparison. */
export interface TurnComparison {
  readonly nodeId: NodeId;
  readonly number: number;
  readonly message: string;
  /** The policy that the turn was really sent under; null if nothing was sent. */
  readonly sent: string | null;
  /** Name of the tokenizer used for counting. */
  readonly unit: string;
  /** The engine settings that the contexts were built with. */
  readonly settings: TurnContexts['settings'];
  /** By policy name; unknown ones are omitted. */
  readonly by: Readonly<Record<string, PolicyCost>>;
  /** What stood in for models that failed, by policy name. */
  readonly fallbacks: TurnContexts['fallbacks'];
}

/** The known turns, in the order they were sent. */
export const turnComparisons = (forest: Forest, known: ReadonlyMap<NodeId, ComparedTurn>): TurnComparison[] =>
  recordsOf(forest.nodes)
    .flatMap((node): TurnComparison[] => {
      const turn = known.get(node.id);
      if (turn === undefined || turn.replyId !== node.replyId) return [];
      const { tokens, costs, sent, unit, settings, fallbacks } = turn;
      const by = Object.fromEntries(
        Object.entries(tokens).flatMap(([name, count]) => {
          const cost = costs[name];
          return cost === undefined ? [] : [[name, { tokens: count, ...cost }]];
        }),
      );
      const { id: nodeId, number, message } = node;
      return [{ nodeId, number, message, sent, unit, settings, by, fallbacks }];
    })
    .sort(byNumber);

/**
 * Whether the figures of a policy are of what was really sent. Nothing was sent where turns are as another rule would
 * have placed them (`anew`), even by the policy that was used.
 */
export const wasSent = ({ sent }: Pick<TurnComparison, 'sent'>, name: string, anew: readonly string[]): boolean =>
  sent === name && !anew.includes(name);

/** What stood in for models that failed for a policy, each once. */
export const fallbacksIn = (rows: readonly TurnComparison[], name: string): readonly Fallback[] => {
  const list = new FailureList();
  for (const { fallbacks } of rows) for (const one of fallbacks[name] ?? []) list.add(one);
  return list.all;
};

/** The sums of a policy over turns known for it. */
export interface Sums extends PolicyCost {
  readonly turns: number;
  /** Its tokens relative to the full history over the same turns; null if there are none. */
  readonly share: number | null;
}

export const sumsOf = (rows: readonly TurnComparison[], name: string): Sums => {
  const sums = { turns: 0, tokens: 0, calls: 0, read: 0, ms: 0, logged: 0 };
  let against = 0;
  for (const { by } of rows) {
    const spent = by[name];
    const whole = by[BASELINE];
    if (spent === undefined || whole === undefined) continue;
    sums.turns += 1;
    sums.tokens += spent.tokens;
    sums.calls += spent.calls;
    sums.read += spent.read;
    sums.ms += spent.ms;
    sums.logged += spent.logged;
    against += whole.tokens;
  }
  return { ...sums, share: against === 0 ? null : sums.tokens / against };
};

/** The baseline for the others. It is always included, as it only costs counting. */
export const BASELINE = 'full-history';

/** A turn as every requested policy would have sent it. */
export interface ComparedTurn extends TurnContexts {
  /** The reply that the contexts belong to; null for a turn without one. */
  readonly replyId: ReplyId | null;
}

/** The policies to ask: failed ones are not asked again. */
export const policiesToRun = (names: readonly string[], failed: ReadonlyMap<string, string>): string[] =>
  [...new Set([...names, BASELINE])].filter((name) => !failed.has(name));

export const keyOf = (nodeId: NodeId, replyId: ReplyId | null): string => `${nodeId} ${replyId}`;

/** Completed turns for which something is still unknown. */
export const missingIn = (
  { store }: Kernel,
  {
    names,
    known,
    failed,
  }: {
    readonly names: readonly string[];
    readonly known: ReadonlyMap<NodeId, ComparedTurn>;
    readonly failed: ReadonlyMap<string, string>;
  },
  without: ReadonlySet<string>,
): Node[] => {
  const { forest, turn } = store.getState();
  const asked = policiesToRun(names, failed);
  return recordsOf(forest.nodes).filter((node) => {
    if (node.id === turn?.nodeId) return false;
    if (without.size > 0 && without.has(keyOf(node.id, replyIdOf(node)))) return false;
    return asked.some((name) => !isKnown(known.get(node.id), node, name));
  });
};

/** Whether it is known what a policy would have sent for a turn's reply. */
export const isKnown = (turn: ComparedTurn | undefined, node: Node, name: string): boolean =>
  turn !== undefined && turn.tokens[name] !== undefined && turn.replyId === replyIdOf(node);

/** The chosen reply of a turn. All turns are asked for it again and again, and the text of a stored one is read for it. */
const replyIdOf = (node: Node): ReplyId | null => {
  const known = replyIds.get(node);
  if (known !== undefined) return known;
  replyIds.set(node, node.replyId);
  return node.replyId;
};

const replyIds = new WeakMap<Node, ReplyId | null>();

/** Merges two results for a turn, provided that they belong to the same reply. */
export const mergeResults = (before: ComparedTurn | undefined, turn: ComparedTurn): ComparedTurn =>
  before === undefined || before.replyId !== turn.replyId
    ? turn
    : {
        ...turn,
        tokens: { ...before.tokens, ...turn.tokens },
        costs: { ...before.costs, ...turn.costs },
        fallbacks: { ...before.fallbacks, ...turn.fallbacks },
      };

/** Drops what was made with something standing in for a model. */
export const withoutFallbacks = (known: ReadonlyMap<NodeId, ComparedTurn>): ReadonlyMap<NodeId, ComparedTurn> =>
  new Map(
    [...known].map(([nodeId, turn]) => {
      const sound = <T>(by: Readonly<Record<string, T>>) =>
        Object.fromEntries(Object.entries(by).filter(([name]) => turn.fallbacks[name] === undefined));
      if (Object.keys(turn.fallbacks).length === 0) return [nodeId, turn];
      return [nodeId, { ...turn, tokens: sound(turn.tokens), costs: sound(turn.costs), fallbacks: {} }];
    }),
  );

/** The turns known for all of these policies and the baseline. */
export const completeIn = (rows: readonly TurnComparison[], names: readonly string[]): readonly TurnComparison[] =>
  rows.filter(({ by }) => [...names, BASELINE].every((name) => by[name] !== undefined));

/** The turns that policies are compared over: those known for all that have any, or where there is no such turn, every one. */
export const comparedTurns = (rows: readonly TurnComparison[], names: readonly string[]): readonly TurnComparison[] => {
  // One that failed at its first turn has none.
  const known = names.filter((name) => rows.some(({ by }) => by[name] !== undefined));
  const complete = completeIn(rows, known);
  return complete.length > 0 ? complete : rows;
};

/**
 * The result in one sentence: who sent how much of the full history, least first. Null if nothing is known. `missing`: number
 * of turns yet to be compared.
 */
export const resultWords = (
  rows: readonly TurnComparison[],
  names: readonly string[],
  missing: number,
): string | null => {
  const others = names.filter((name) => name !== BASELINE);
  const compared = comparedTurns(rows, others);
  const found = others
    .flatMap((name) => {
      const { turns, share } = sumsOf(compared, name);
      return share === null || turns === 0 ? [] : [{ name, share }];
    })
    .sort((a, b) => a.share - b.share);
  const [first, ...rest] = found;
  if (first === undefined) return null;
  if (rows.length === 1 && missing === 0) {
    return 'With only one turn so far, every policy sends about the same. They diverge as the conversation grows.';
  }
  const over = `Over ${counted(compared.length, 'turn')}`;
  const next = rest.map(({ name, share }) => `; ${name} ${percent(share)}`).join('');
  return `${over}, ${first.name} sent ${percent(first.share)} of what ${BASELINE} sends${next}.`;
};

/** What the bookkeeping cost, for the policies that have any; null if none has. */
export const workWords = (rows: readonly TurnComparison[], names: readonly string[]): string | null => {
  const compared = comparedTurns(rows, names);
  const sums = names.map((name) => ({ name, ...sumsOf(compared, name) })).filter(({ turns }) => turns > 0);
  const busy = sums.filter(({ calls }) => calls > 0).sort((a, b) => b.calls - a.calls);
  const [most] = busy;
  if (most === undefined || rows.length < 2) return null;
  const idle = sums.filter(({ calls }) => calls === 0).map(({ name }) => name);
  const none = idle.length === 0 ? '' : `, ${idle.join(' and ')} never`;
  return `To find what to send, ${most.name} asked a model ${counted(most.calls, 'time')}${none}.`;
};

/** How many turns are not compared, after a stop or before the start. */
export const missingWords = (missing: number, stopped: boolean): string =>
  stopped
    ? `Stopped: ${counted(missing, 'turn is', 'turns are')} missing.`
    : `${counted(missing, 'turn has', 'turns have')} yet to be compared.`;

/** A kind of cost, described in words that do not require reading the paper. */
export interface Measure {
  readonly key: keyof PolicyCost;
  readonly title: string;
  readonly about: string;
  /** For one turn, or for all together. */
  readonly words: (value: number) => string;
  /** For the average turn. */
  readonly mean: (value: number) => string;
}

/** The measures with known values: times from the log are a separate measure, and not every conversation has any. */
export const measuresOf = (sums: readonly PolicyCost[]): readonly Measure[] =>
  MEASURES.filter(({ key }) => (key !== 'ms' && key !== 'logged') || sums.some((one) => one[key] > 0));

/** Whether a policy asked models, but the time taken was not measured by this clock. */
export const isUntimed = (key: Measure['key'], spent: PolicyCost): boolean =>
  (key === 'ms' || key === 'logged') && spent.calls > 0 && spent[key] === 0;

/** Shows zero without digits that would suggest precision. */
const duration = (ms: number): string => (ms === 0 ? '0' : exact(ms));

const tenths = (value: number): string => (value === 0 || value >= 100 ? count(value) : value.toFixed(1));

const MEASURES: readonly Measure[] = [
  {
    key: 'tokens',
    title: 'Tokens sent',
    about: 'What the answering model has to read. A token is about three quarters of a word.',
    words: count,
    mean: count,
  },
  {
    key: 'calls',
    title: 'Model calls',
    about: 'How often other models were asked, to store the turn and to find what to send.',
    words: count,
    mean: tenths,
  },
  {
    key: 'read',
    title: 'Tokens read',
    about: 'What those models had to read for that.',
    words: count,
    mean: count,
  },
  {
    key: 'ms',
    title: 'Time, now',
    about: 'How long that just took on this device. Only memories are rebuilt.',
    words: duration,
    mean: duration,
  },
  {
    key: 'logged',
    title: 'Time, then',
    about: 'How long deciding and summarising took when the turns were sent, as logged.',
    words: duration,
    mean: duration,
  },
];
