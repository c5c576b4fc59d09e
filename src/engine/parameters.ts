import type { SettingsUsed } from '../domain/decision.ts';
import type { Forest } from '../domain/forest.ts';

/** Engine parameters; recorded in every trace through the policy and deciders that read them. */
export interface Parameters {
  /** How many of the retrieved nodes the trace of a branch decision keeps. */
  readonly k: number;
  /** Overrides the embedder's own θ; null leaves it to the embedder. */
  readonly theta: number | null;
  /** Keeps the active node's direct parent from opening the gate unless the message revises something. */
  readonly spareDirectParent: boolean;
  /** Tokens the overview of other branches and topics may take. */
  readonly overviewBudget: number;
  /** Tokens one branch or topic may take of it. */
  readonly overviewLineBudget: number;
  /**
   * Under `focused`, the share of the conversation's tokens, excluding the last exchange, that the rest of the path may
   * take, and the tokens it may take however short the conversation is.
   */
  readonly pathShare: number;
  readonly pathFloor: number;
  /** Whether the fitted model, rather than a rule, determines what a message needs. */
  readonly fittedNeed: boolean;
  /** Probability from which the decider's answer stands; below it, another is asked or the person is offered the choice. */
  readonly sureFrom: number;
  /** Probability from which a turn is moved to the topic its reply shows it belongs to; above 1 means never. */
  readonly reconsiderFrom: number;
  /**
   * A turn off the path is also sent if it is expected to provide this share (of 1) of what the message needs for every
   * 100 tokens it takes; above 1 means never.
   */
  readonly neededFrom: number;
  /** Tokens that such turns may take. */
  readonly unsureBudget: number;
  /** How many of the last turns `truncation` sends. */
  readonly lastTurns: number;
  /** How many of their retrieved turns `flat-rag` and `vector-rag` send. */
  readonly retrievedTurns: number;
  /**
   * Tokens that everything but the instructions and the message may take, under every policy; null for what the policy
   * sends by default. What the person pinned stays even if there is no room, and except under `focused` so does the note
   * on how much is left out.
   * `truncation`, `flat-rag` and `vector-rag` then take as many turns as fit, whatever their number.
   */
  readonly contextBudget: number | null;
  /** k: most that a memory recalls; null for the amount in its own source. */
  readonly memoryK: number | null;
  /** α of `thread-memory`: how fast a slot fades per turn in which it is not retrieved. */
  readonly threadDecay: number;
  /** τ of `thread-memory`: the score from which a slot is retrieved and revised; null for half of the embedder's θ. */
  readonly threadThreshold: number | null;
  /** θ₀ of `memtree`: the similarity from which a turn is inserted below a node at the root. */
  readonly memtreeThreshold: number;
  /** Tokens of the window kept free for the reply. */
  readonly replyReserve: number;
  /** Milliseconds a model may take for a decision, a summary or an embedding before another stands in. */
  readonly patience: number;
}

export const defaultParameters: Parameters = {
  k: 5,
  theta: null,
  spareDirectParent: true,
  overviewBudget: 480,
  overviewLineBudget: 24,
  pathShare: 0.1,
  pathFloor: 800,
  fittedNeed: true,
  sureFrom: 0.65,
  reconsiderFrom: 0.7,
  neededFrom: 0.1,
  unsureBudget: 600,
  lastTurns: 6,
  retrievedTurns: 6,
  contextBudget: null,
  memoryK: null,
  threadDecay: 0.001,
  threadThreshold: null,
  memtreeThreshold: 0.4,
  replyReserve: 512,
  patience: 20_000,
};

/** Whether a value is of the kind that a parameter takes. */
const isParameter = (name: string, value: unknown): boolean => {
  if (!Object.hasOwn(defaultParameters, name)) return false;
  const shipped = defaultParameters[name as keyof Parameters];
  return shipped === null ? value === null || Number.isFinite(value) : typeof value === typeof shipped;
};

/** The parameters that a trace records, without what only another version of the app has. */
export const knownParameters = (used: SettingsUsed | undefined): Partial<Parameters> =>
  Object.fromEntries(Object.entries(used?.parameters ?? {}).filter(([name, value]) => isParameter(name, value)));

/** Tokens reserved for the longest reply that the user allows; at most half of a small window, or nothing could be asked. */
export const reserveFor = (
  { replySettings: { maxTokens } }: Forest,
  parameters: Parameters,
  { window }: { readonly window: number },
): number => (maxTokens === null ? parameters.replyReserve : Math.min(maxTokens, Math.floor(window / 2)));

/** The parameters that memories read. */
export type MemoryParameters = Pick<Parameters, 'memoryK' | 'threadDecay' | 'threadThreshold' | 'memtreeThreshold'>;

/**
 * Opens every context, unless the person has their own instructions. Short, since small models read it again whenever
 * their cache is lost.
 */
export const INSTRUCTIONS = 'You are a helpful assistant. Answer the last message, going on from the turns before it.';

/** Follows the instructions, even the person's own: without it the overview reads as part of the request. */
export const OVERVIEW_INSTRUCTIONS =
  'What is listed as elsewhere in this conversation is background: use it only where the message refers to it.';
