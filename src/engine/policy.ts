import type { Context, Overview } from '../domain/context.ts';
import type { Forest, NodeId } from '../domain/forest.ts';
import type { Parameters } from './parameters.ts';
import type { TokenCache } from './token-cache.ts';

export interface PolicyInput {
  readonly forest: Forest;
  /** The turn that is to be answered, in its place. */
  readonly nodeId: NodeId;
  /** Cosine of a node to the turn's message; null where it is not known. */
  readonly nearness: (nodeId: NodeId) => number | null;
  readonly tokens: TokenCache;
  /** Tokens that the chat model takes, context and reply together. */
  readonly window: number;
  readonly parameters: Parameters;
  readonly newId: () => string;
}

export interface BuiltContext {
  readonly context: Context;
  /** An overview made for this context, to be kept; null if none, or if an earlier one serves. */
  readonly overview: Overview | null;
}

/** A way to build the context of a turn from a history. */
export interface Policy {
  readonly name: string;
  build(input: PolicyInput): Promise<BuiltContext>;
}
