import type { StoredModel } from '../../app/model-control.ts';
import type { ChatMessage } from '../../domain/context.ts';
import type { Usage } from '../../domain/reply.ts';
import { ModelFailure } from '../../engine/model-failure.ts';
import type { Embedder } from '../../engine/ports.ts';

/** Progress of loading a model. */
export interface LoadProgress {
  /** `preparing`: downloaded, being loaded into memory or onto the GPU. */
  readonly phase: 'downloading' | 'preparing';
  /** Bytes, including what was already on this machine. */
  readonly loaded: number;
  /** Bytes; null while unknown. 1 if only the fraction is reported (the browser’s own model). */
  readonly total: number | null;
}

export interface LoadOptions {
  /** If aborted, the load rejects with the signal's reason, and what was downloaded is kept for resuming. */
  readonly signal: AbortSignal;
  onProgress(progress: LoadProgress): void;
  /**
   * Called when the model fails on its own after loading (device lost, worker died). It is unusable from then on; the next use
   * loads it again.
   */
  onLost(error: Error): void;
}

/** Remembers what is being loaded into memory beyond the end of a page that this closes. */
export interface LoadMarks {
  /** Marks a load until the returned function is called, or the page is left. */
  mark(load: string): () => void;
  /** The loads during which the browser closed their page. */
  left(): Promise<ReadonlySet<string>>;
  /** Removes the mark that an earlier page left of a load. */
  clear(load: string): void;
}

/**
 * Runs a load and marks it once it takes memory. Its download before that is not marked: a page that waits in the background
 * may be closed for any reason.
 */
export const markedLoad = async <T>(
  name: string,
  load: (options: LoadOptions) => Promise<T>,
  options: LoadOptions,
  marks: LoadMarks,
): Promise<T> => {
  // What an earlier load did says nothing of how this one ends.
  marks.clear(name);
  let unmark: (() => void) | null = null;
  const onProgress = (progress: LoadProgress): void => {
    if (progress.phase === 'preparing' && !options.signal.aborted) unmark ??= marks.mark(name);
    options.onProgress(progress);
  };
  try {
    return await load({ ...options, onProgress });
  } finally {
    (unmark as (() => void) | null)?.();
  }
};

/** An embedder that owns memory or a worker. */
export interface LoadedEmbedder extends Embedder {
  close(): void;
}

/** Runs models of one kind. A failed load rejects with a ModelFailure and leaves nothing half loaded. */
export interface Runtime<Spec> {
  loadGenerator?(spec: Spec, options: LoadOptions): Promise<TextGenerator>;
  loadEmbedder?(spec: Spec, options: LoadOptions): Promise<LoadedEmbedder>;
  /** Its models stored on this machine. */
  stored?(): Promise<readonly StoredModel[]>;
  /** Deletes a model's stored files. */
  remove?(key: string): Promise<void>;
}

/**
 * A loaded language model, whatever its runtime; the basis for chat, decide and summarise (../prompted/). Queues requests that
 * it cannot run concurrently.
 */
export interface TextGenerator {
  /** Names the model in traces, e.g. `Qwen3-0.6B-q4f16_1 (WebLLM, WebGPU)`. */
  readonly name: string;
  /** Tokens of prompt and answer together. */
  readonly window: number;
  /** Whether it accepts pictures; omitted if not. May change once the model turns out not to. */
  readonly sees?: boolean;
  /** As in `ChatModel`. */
  readonly forgetsThoughts?: boolean;
  /**
   * Yields the answer in pieces. Aborting the signal ends it soon, also in the worker, and ends the iteration without an error;
   * leaving the loop does the same. Rejects with a ModelFailure; what was yielded stays valid.
   */
  generate(request: GenerationRequest, signal: AbortSignal): AsyncIterable<string>;
  /** Token count of each text, by the model's own tokenizer; if it has none, an estimate, indicated by `estimates`. */
  count(texts: readonly string[]): Promise<number[]>;
  readonly estimates: boolean;
  /** Frees memory, worker and device. Pending requests reject with `closed`. */
  close(): void;
}

export interface GenerationRequest {
  readonly messages: readonly ChatMessage[];
  /** The pictures that messages refer to, as data URLs by id; omitted if there are none. */
  readonly pictures?: Readonly<Record<string, string>>;
  /** The answer so far, which the model continues. Empty for a new answer. */
  readonly begun: string;
  /** null for the model's default. */
  readonly temperature: number | null;
  readonly topP: number | null;
  readonly maxTokens: number | null;
  /** A JSON schema that the answer has to satisfy; null for free text. */
  readonly schema: object | null;
  /** false to answer without reasoning first, where that can be turned off; omitted otherwise. */
  readonly thinking?: false;
  /** Called once, at the end. */
  readonly onUsage?: (usage: Usage) => void;
}

/** Observes a model's requests. */
export interface ModelWatch {
  /** A request started or ended. */
  active(active: boolean): void;
  /** A request succeeded (null), or the server denied access. */
  refused(failure: ModelFailure | null): void;
}

/** Wraps a model to report its activity and refusals. */
export const watchedGenerator = (generator: TextGenerator, watch: ModelWatch): TextGenerator => ({
  name: generator.name,
  window: generator.window,
  get sees() {
    return generator.sees === true;
  },
  forgetsThoughts: generator.forgetsThoughts === true,
  estimates: generator.estimates,
  count: (texts) => generator.count(texts),
  close: () => generator.close(),
  async *generate(request, signal) {
    watch.active(true);
    try {
      yield* generator.generate(request, signal);
      watch.refused(null);
    } catch (error) {
      if (isRefusal(error)) watch.refused(error);
      throw error;
    } finally {
      watch.active(false);
    }
  },
});

export const watchedEmbedder = (embedder: LoadedEmbedder, watch: ModelWatch): LoadedEmbedder => ({
  name: embedder.name,
  dimensions: embedder.dimensions,
  theta: embedder.theta,
  languages: embedder.languages ?? null,
  close: () => embedder.close(),
  embed: async (texts, signal, when) => {
    watch.active(true);
    try {
      const vectors = await embedder.embed(texts, signal, when);
      watch.refused(null);
      return vectors;
    } catch (error) {
      if (isRefusal(error)) watch.refused(error);
      throw error;
    } finally {
      watch.active(false);
    }
  },
});

const isRefusal = (error: unknown): error is ModelFailure =>
  error instanceof ModelFailure && error.kind === 'unauthorised';

/** A message for a vision model: text followed by pictures, in the format of OpenAI's API. Only the text if there are no pictures. */
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

type PicturedPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image_url'; readonly image_url: { readonly url: string } };

/**
 * Estimates a text's tokens if the model's tokenizer is not accessible: about four characters per token in Latin script, two in
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
 * Number of threads for a WASM runtime: about half of the logical processors, i.e. the physical cores, at most eight, leaving
 * one for the page. They spin while waiting, so one too many slows down all. One if the page is not isolated (COOP and COEP).
 */
export const threadsFor = (processors: number, isolated: boolean): number =>
  isolated ? Math.max(1, Math.min(8, processors - 1, Math.max(2, Math.floor(processors / 2)))) : 1;

/** A model's state, for observers. `failure` says why it failed and what to do; null otherwise. */
export interface ModelState {
  readonly state: 'idle' | 'loading' | 'ready' | 'busy' | 'failed';
  readonly failure: string | null;
}

export type OnModelState = (state: ModelState) => void;

/** Averaging window in milliseconds: long enough to be steady, short enough to notice a slower connection. */
const WINDOW = 5000;
/** Milliseconds before the first estimate. */
const SETTLES = 500;

interface DownloadRate {
  /** Bytes per second over the last seconds; null while unknown. */
  readonly speed: number | null;
  /** Seconds; null while unknown. */
  readonly timeLeft: number | null;
}

/** Measures download speed. `at` is in milliseconds of any clock; bytes present before the first call do not count. */
export const speedMeter = (): ((loaded: number, total: number | null, at: number) => DownloadRate) => {
  let samples: { loaded: number; at: number }[] = [];
  return (loaded, total, at) => {
    // The download started over, so earlier samples are void.
    if (loaded < (samples.at(-1)?.loaded ?? 0)) samples = [];
    samples.push({ loaded, at });
    // Keeps one sample from before the window, so that the samples span all of it.
    while (samples[1] !== undefined && at - samples[1].at >= WINDOW) samples.shift();
    const first = samples[0];
    if (first === undefined || at - first.at < SETTLES) return { speed: null, timeLeft: null };
    const speed = (1000 * (loaded - first.loaded)) / (at - first.at);
    const timeLeft = total === null || speed === 0 ? null : Math.max(0, total - loaded) / speed;
    return { speed, timeLeft };
  };
};
