import type { Context, Overview } from '../../domain/context.ts';
import type { Forest, NodeId } from '../../domain/forest.ts';
import type { Cell, Recall } from '../memories/memory.ts';
import type { MemoryAccess } from '../memories/memory-access.ts';
import type { Parameters } from '../parameters.ts';
import type { Cost, TokenCache } from '../text/token-cache.ts';

export interface PolicyInput {
  readonly forest: Forest;
  /** The turn being answered, already in its place. */
  readonly nodeId: NodeId;
  /** Cosine similarity of a node to the turn's message; null if unknown. */
  readonly nearness: (nodeId: NodeId) => number | null;
  /** Finds earlier visible turns by words and vectors combined. */
  readonly retrieve: Retrieve;
  readonly tokens: TokenCache;
  /** Context window of the chat model in tokens, shared by context and reply. */
  readonly window: number;
  readonly parameters: Parameters;
  readonly newId: () => string;
  /** For policies that keep their own memory. */
  readonly memory: MemoryAccess;
}

export interface BuiltContext {
  readonly context: Context;
  /** A new overview made for this context, to be stored; null if there is none or an earlier one is reused. */
  readonly overview: Overview | null;
  /** Cost of the policy's own bookkeeping. Computed on demand, which answering a turn never needs. */
  cost(): Promise<Cost>;
}

/**
 * How fork points are found (Context-Agent §3.3, step 2): among the nodes of the topic most similar to the message; by
 * a heuristic alone, without retrieval; or, as in the authors' published code, only the most similar one above θ. See
 * `engine/place/branch.ts`.
 */
export type Retrieval = 'similarity' | 'none' | 'top-candidate';

/**
 * How the topic is found (step 1): by one question about all topics, or by a yes/no question for one path after
 * another. See `topic-by-paths.ts`.
 */
export type TopicMethod = 'one-question' | 'leaf-paths';

/** A memory as it was before a turn, and what it recalls for that turn's message. */
export interface MemoryAtTurn {
  readonly cells: readonly Cell[];
  readonly recall: Recall;
  readonly cost: Cost;
}

/** Builds the context of a turn from a history. */
export interface Policy {
  readonly name: string;
  /** One-line description for the user. */
  readonly about: string;
  readonly retrieval: Retrieval;
  /** Defaults to one question. */
  readonly topicBy?: TopicMethod;
  /** Overrides the embedder's own θ; a θ set by the user takes precedence over both. */
  readonly theta?: number;
  /** The policy sends a turn's path, so where turns are placed matters to it. */
  readonly sendsPath: boolean;
  /**
   * A continuing turn is always sent what the previous turn was sent, plus that turn's reply, so the next context can
   * be derived from the last one without building it. False if omitted.
   */
  readonly onlyGrows?: true;
  /** Building a context has the summariser read the message itself, if it is a language model. Never if omitted. */
  readonly asksToRecall?: true;
  build(input: PolicyInput): Promise<BuiltContext>;
  /** Only for policies that keep their own memory. Rejects if a model fails. */
  remember?(input: PolicyInput): Promise<MemoryAtTurn>;
}

/** A run of sentences in a message or reply, in UTF-16 units, with its evidence: its own words and similarity, and its surroundings. */
interface RetrievedPassage {
  readonly part: 'message' | 'reply';
  readonly from: number;
  readonly to: number;
  /** On the same scale as the turn's score. */
  readonly score: number;
}

/** An earlier turn that a query may need, with its evidence. */
export interface RetrievedTurn {
  readonly nodeId: NodeId;
  /** 0–1: words and vectors fused. Comparable across queries: it measures evidence and is not a rank. */
  readonly score: number;
  /** 0–1: share of the query's word weight found in the turn or its neighbours. */
  readonly lexical: number;
  /** Cosine similarity of the turn's message to the query; null if unknown. */
  readonly vector: number | null;
  /** Rare query words that occur in the message or the reply, rarest first. */
  readonly rareShared: readonly string[];
  /** All passages of the message, then those of the reply, in text order. */
  readonly passages: readonly RetrievedPassage[];
}

interface RetrieveOptions {
  /** Maximum number of turns. */
  readonly limit?: number;
}

/** Finds the earlier visible turns of the conversation that a text may need, best first. */
export type Retrieve = (query: string, options?: RetrieveOptions) => Promise<readonly RetrievedTurn[]>;
