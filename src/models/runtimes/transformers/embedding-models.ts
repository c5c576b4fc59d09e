import { USE_LITE_THETA } from '../../embedded/theta.ts';
import { UNCALIBRATED_THETA } from '../uncalibrated-theta.ts';
import type { Dtype } from './candidates.ts';

/** How the vectors of a text's tokens become its one. */
export type Pooling = 'mean' | 'cls' | 'last_token';

/** How a known embedder is used. */
export interface EmbeddingModel {
  readonly pooling: Pooling;
  /**
   * Stands before every text. A port has one `embed` for messages and nodes alike, and what is compared is like with like: so
   * both sides take the model's prompt for similarity, not its pair of query and document.
   */
  readonly prefix: string;
  /** See the port. Only measured values are not guesses; `npm run eval` on labelled forks would tell. */
  readonly theta: number;
  /** Number formats that are known to give wrong vectors. */
  readonly avoid: readonly Dtype[];
}

const plain = { prefix: '', avoid: [] } as const;

/** By the repository's name without its owner, for the same weights are in several. */
const KNOWN: Readonly<Record<string, EmbeddingModel>> = {
  // Model card: mean pooling; trained without prompts. θ guessed: its related sentences lie near 0.45.
  'all-MiniLM-L6-v2': { ...plain, pooling: 'mean', theta: 0.45 },
  // Model card: cls pooling; no instruction where short texts are compared with each other. θ guessed: its
  // similarities lie between 0.6 and 1.
  'bge-small-en-v1.5': { ...plain, pooling: 'cls', theta: 0.75 },
  // Model card: mean pooling; "query: " before both sides of what is compared alike. θ guessed: its similarities
  // lie between 0.7 and 1.
  'multilingual-e5-small': { pooling: 'mean', prefix: 'query: ', theta: 0.85, avoid: [] },
  // Model card: prompt for sentence similarity; activations overflow in f16. θ guessed.
  'embeddinggemma-300m': {
    pooling: 'mean',
    prefix: 'task: sentence similarity | query: ',
    theta: UNCALIBRATED_THETA,
    avoid: ['fp16', 'q4f16'],
  },
  // Model card: last token; an instruction of one sentence. θ guessed.
  'Qwen3-Embedding-0.6B': {
    pooling: 'last_token',
    prefix: 'Instruct: Retrieve semantically similar text.\nQuery:',
    theta: UNCALIBRATED_THETA,
    avoid: [],
  },
  'use-lite-en': { ...plain, pooling: 'mean', theta: USE_LITE_THETA },
};

/** null for a model that is not known: its own files say how it pools (pooling-of.ts). */
export const knownEmbedder = (repo: string): EmbeddingModel | null => {
  const name = (repo.split('/').at(-1) ?? repo).replace(/-ONNX$/i, '');
  return KNOWN[name] ?? null;
};
