import type { ChatModel, Embedder, Summariser, TokenCounter } from '../../engine/ports.ts';
import type { OnModelState } from '../model-state.ts';
import { languagesOf } from '../runtimes/embedder-languages.ts';
import { recallOnDemand, summariserOnDemand } from './embedded-on-demand.ts';
import { createEncoderClient } from './encoder-client.ts';
import { USE_LITE_THETA } from './theta.ts';
import { USE_LITE_DIMENSIONS } from './use-lite.ts';

export interface EmbeddedOptions {
  /** Absolute address under which the site's files lie, e.g. `document.baseURI`. */
  readonly base: string;
  /** What the encoder is doing; it also counts tokens for the chat role. */
  readonly onEncoderState?: OnModelState;
  /** Milliseconds between words of a `recall` reply. */
  readonly pieceDelay?: number;
}

export interface EmbeddedModels {
  readonly embed: Embedder;
  readonly tokens: TokenCounter;
  readonly summarise: Summariser;
  readonly chat: ChatModel;
  /** Loads the encoder ahead of its first use; rejects if that fails. */
  load(signal?: AbortSignal): Promise<void>;
  /** Ends the worker. */
  close(): void;
}

/** The models that ship with the app, but for the decider. Nothing is loaded until it is used. */
export const createEmbeddedModels = ({
  base,
  onEncoderState = ignore,
  pieceDelay,
}: EmbeddedOptions): EmbeddedModels => {
  const encoder = createEncoderClient(new URL('models/use-lite-en/', base).href, onEncoderState);
  const tokens: TokenCounter = { name: 'use-lite-en', count: encoder.count };
  return {
    embed: {
      name: 'use-lite-en int8',
      dimensions: USE_LITE_DIMENSIONS,
      theta: USE_LITE_THETA,
      languages: languagesOf('use-lite-en'),
      embed: encoder.embed,
    },
    tokens,
    summarise: summariserOnDemand(),
    chat: recallOnDemand(tokens, pieceDelay),
    load: encoder.load,
    close: encoder.close,
  };
};

const ignore: OnModelState = () => undefined;
