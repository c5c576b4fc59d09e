import type { ChatMessage } from '../../domain/context.ts';
import type { Usage } from '../../domain/generation.ts';

/**
 * A language model that is loaded, whatever runs it: chat, decide and summarise are made of one (../prompted/).
 * It queues what it cannot do at once.
 */
export interface TextGenerator {
  /** Names the model in traces, e.g. `Qwen3-0.6B-q4f16_1 (WebLLM, WebGPU)`. */
  readonly name: string;
  /** Tokens of prompt and answer together. */
  readonly window: number;
  /**
   * Yields the answer piece by piece. Aborting the signal ends it soon, in the worker too, and the iteration with it
   * (no error); leaving the loop does the same. Rejects with a ModelFailure; what was yielded stays good.
   */
  generate(request: GenerationRequest, signal: AbortSignal): AsyncIterable<string>;
  /** Tokens of each text, by its own tokenizer; where it has none, estimated, and `estimates` says so. */
  count(texts: readonly string[]): Promise<number[]>;
  readonly estimates: boolean;
  /** Frees memory, worker and device. What is under way rejects with `closed`. */
  close(): void;
}

export interface GenerationRequest {
  readonly messages: readonly ChatMessage[];
  /** How the answer begins already; the model goes on from there. Empty for a new answer. */
  readonly begun: string;
  /** null: the model's own. */
  readonly temperature: number | null;
  readonly topP: number | null;
  readonly maxTokens: number | null;
  /** A JSON schema that the answer has to satisfy; null for free text. */
  readonly schema: object | null;
  /** Called once, at the end. */
  readonly onUsage?: (usage: Usage) => void;
}
