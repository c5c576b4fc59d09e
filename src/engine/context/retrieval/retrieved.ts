import type { NodeId } from '../../../domain/forest.ts';

/** A run of sentences of a message or a reply, by UTF-16 units, with what speaks for it: its own words and similarity, and what stands around it. */
export interface RetrievedPassage {
  readonly part: 'message' | 'reply';
  readonly from: number;
  readonly to: number;
  /** On the scale of the turn's. */
  readonly score: number;
}

/** An earlier turn that a query may need, with the evidence for it. */
export interface Retrieved {
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

export interface RetrieveOptions {
  /** How many turns at most. */
  readonly limit?: number;
}

/** Finds, among all earlier visible turns of the conversation, those that a text may need; best first. */
export type Retrieve = (query: string, options?: RetrieveOptions) => Promise<readonly Retrieved[]>;
