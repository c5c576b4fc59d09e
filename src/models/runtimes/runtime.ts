import type { ChatMessage } from '../../domain/context.ts';
import type { Usage } from '../../domain/reply.ts';
import type { Embedder } from '../../engine/ports.ts';

/** How far a download has come. */
export interface LoadProgress {
  /** `preparing`: downloaded, on its way into memory or onto the GPU. */
  readonly phase: 'downloading' | 'preparing';
  /** Bytes. What was on this machine already counts as come. */
  readonly loaded: number;
  /** Bytes; null while it is not known. 1 where only the share that has come is told (the browser’s own model). */
  readonly total: number | null;
}

export interface LoadOptions {
  /** Aborted: the load rejects with the signal's reason, and what was downloaded is kept to go on from. */
  readonly signal: AbortSignal;
  onProgress(progress: LoadProgress): void;
  /**
   * The model failed by itself after it was loaded (device lost, worker died). It is of no use any more; the
   * next use loads it again.
   */
  onLost(error: Error): void;
}

/** An embedder that holds memory or a worker of its own. */
export interface LoadedEmbedder extends Embedder {
  close(): void;
}

/** What runs models of one kind. A load rejects with a ModelFailure and leaves nothing half loaded behind. */
export interface Runtime<Spec> {
  loadGenerator?(spec: Spec, options: LoadOptions): Promise<TextGenerator>;
  loadEmbedder?(spec: Spec, options: LoadOptions): Promise<LoadedEmbedder>;
  /** What of its models is kept on this machine. */
  stored?(): Promise<readonly StoredModel[]>;
  /** Deletes what is kept of a model. */
  remove?(key: string): Promise<void>;
}

/** A model's files on this machine. */
export interface StoredModel {
  /** As `specKey` where the spec is known. */
  readonly key: string;
  readonly name: string;
  /** Bytes on this machine, and of the whole model; `total` is null while it is not known. */
  readonly bytes: number;
  readonly total: number | null;
}

/**
 * A language model that is loaded, whatever runs it: chat, decide and summarise are made of one (../prompted/).
 * It queues what it cannot do at once.
 */
export interface TextGenerator {
  /** Names the model in traces, e.g. `Qwen3-0.6B-q4f16_1 (WebLLM, WebGPU)`. */
  readonly name: string;
  /** Tokens of prompt and answer together. */
  readonly window: number;
  /** It takes pictures; left out where it does not. One that finds out may change its mind. */
  readonly sees?: boolean;
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
  /** The pictures that messages name, as data URLs by their ids; left out where there are none. */
  readonly pictures?: Readonly<Record<string, string>>;
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

/** What a message is to a model that sees: its words, then its pictures, as OpenAI's API has them. Without pictures its words alone. */
export const withPictures = (
  { content, pictures = [] }: ChatMessage,
  urls: GenerationRequest['pictures'],
): string | PicturedPart[] => {
  const shown = pictures.flatMap(({ id }): PicturedPart[] => {
    const url = id === null ? undefined : urls?.[id];
    return url === undefined ? [] : [{ type: 'image_url', image_url: { url } }];
  });
  return shown.length === 0 ? content : [{ type: 'text', text: content }, ...shown];
};

export type PicturedPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image_url'; readonly image_url: { readonly url: string } };

/**
 * Tokens of a text for a model whose tokenizer is out of reach: about four characters a token in Latin script, two in
 * other alphabets, one in scripts without spaces between words. Meant to err on the high side.
 */
export const estimatedTokens = (text: string): number => {
  let quarters = 0;
  for (const letter of text) {
    const code = letter.codePointAt(0) ?? 0;
    quarters += code < 0x300 ? 1 : code < 0x2e80 ? 2 : 4;
  }
  return Math.ceil(quarters / 4);
};

/**
 * Threads for a runtime in WASM: about half of what the processor has, which is its cores, at most eight, and one is left
 * to the page. They wait by spinning, so that one too many makes all slow. One where the page is not isolated (COOP and COEP).
 */
export const threadsFor = (processors: number, isolated: boolean): number =>
  isolated ? Math.max(1, Math.min(8, processors - 1, Math.max(2, Math.floor(processors / 2)))) : 1;

/** What a model is doing, for those who watch it. `failure` says why it failed and what to do; null otherwise. */
export interface ModelState {
  readonly state: 'idle' | 'loading' | 'ready' | 'busy' | 'failed';
  readonly failure: string | null;
}

export type OnModelState = (state: ModelState) => void;
