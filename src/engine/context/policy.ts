import type { Context, Overview } from '../../domain/context.ts';
import type { Forest, NodeId } from '../../domain/forest.ts';
import type { Cell, Recall } from '../memories/memory.ts';
import type { MemoryAccess } from '../memories/memory-access.ts';
import type { Parameters } from '../parameters.ts';
import type { Cost, TokenCache } from './tokens.ts';

export interface PolicyInput {
  readonly forest: Forest;
  /** The turn that is to be answered, in its place. */
  readonly nodeId: NodeId;
  /** Cosine of a node to the turn's message; null where it is not known. */
  readonly nearness: (nodeId: NodeId) => number | null;
  /** Finds earlier visible turns by words and vectors together. */
  readonly retrieve: Retrieve;
  readonly tokens: TokenCache;
  /** Tokens that the chat model takes, context and reply together. */
  readonly window: number;
  readonly parameters: Parameters;
  readonly newId: () => string;
  /** For policies that keep a memory of their own. */
  readonly memory: MemoryAccess;
}

export interface BuiltContext {
  readonly context: Context;
  /** An overview made for this context, to be kept; null if none, or if an earlier one serves. */
  readonly overview: Overview | null;
  /** What its own bookkeeping cost; reckoned when it is asked for, which a turn that is answered never does. */
  cost(): Promise<Cost>;
}

/**
 * How fork points are found (Context-Agent §3.3, step 2): among the nodes of the topic most similar to the
 * message; without looking for any, by a heuristic alone; or as the authors' published code does, the most similar one
 * above θ and no other. See `fork-point.ts`.
 */
export type Retrieval = 'similarity' | 'none' | 'top-candidate';

/**
 * How the topic is found (step 1): by one question about all topics, or by a yes or no to one path after the other. See
 * `topic-by-paths.ts`.
 */
export type TopicBy = 'one-question' | 'leaf-paths';

/** A memory as it was before a turn, and what it recalls for the turn's message. */
export interface MemoryAtTurn {
  readonly cells: readonly Cell[];
  readonly recall: Recall;
  readonly cost: Cost;
}

/** A way to build the context of a turn from a history. */
export interface Policy {
  readonly name: string;
  /** One line on it, for people. */
  readonly about: string;
  readonly retrieval: Retrieval;
  /** By one question where it is left out. */
  readonly topicBy?: TopicBy;
  /** θ in place of the embedder's own; the person's stands before both. */
  readonly theta?: number;
  /** It sends the path of a turn, so that where turns stand matters to it. */
  readonly sendsPath: boolean;
  /**
   * A turn that continues is sent what the turn before it was sent, and that one's reply, always: the next context can be told
   * from the last one without being built. No, where it is left out.
   */
  readonly onlyGrows?: true;
  build(input: PolicyInput): Promise<BuiltContext>;
  /** Only of a policy that keeps a memory of its own. Rejects where a model fails. */
  remember?(input: PolicyInput): Promise<MemoryAtTurn>;
}

/** A run of sentences of a message or a reply, by UTF-16 units, with what speaks for it: its own words and similarity, and what stands around it. */
interface RetrievedPassage {
  readonly part: 'message' | 'reply';
  readonly from: number;
  readonly to: number;
  /** On the scale of the turn's. */
  readonly score: number;
}

/** An earlier turn that a query may need, with the evidence for it. */
export interface RetrievedTurn {
  readonly nodeId: NodeId;
  /** 0–1: words and vectors fused. About the same between queries: it measures evidence, it is no rank. */
  readonly score: number;
  /** 0–1: of what the query's words say, the share that the turn or those beside it have. */
  readonly lexical: number;
  /** Cosine of the turn's message to the query; null where it is not known. */
  readonly vector: number | null;
  /** The query's rare words that stand in the message or the reply, rarest first. */
  readonly rareShared: readonly string[];
  /** All passages of the message, then those of the reply, in the order in which they stand. */
  readonly passages: readonly RetrievedPassage[];
}

interface RetrieveOptions {
  /** How many turns at most. */
  readonly limit?: number;
}

/** Finds, among all earlier visible turns of the conversation, those that a text may need; best first. */
export type Retrieve = (query: string, options?: RetrieveOptions) => Promise<readonly RetrievedTurn[]>;
