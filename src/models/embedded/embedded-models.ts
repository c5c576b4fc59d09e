import { RECALL } from '../../domain/forest.ts';
import {
  DECIDER,
  EMBEDDER,
  RECALL_WINDOW,
  RECALL_WORD_DELAY,
  SUMMARISER,
  USE_LITE_DIMENSIONS,
} from '../../engine/embedded-names.ts';
import { type Learner, NOTHING_LEARNED } from '../../engine/lessons.ts';
import type { ChatModel, Decider, Embedder, Summariser, TokenCounter } from '../../engine/ports.ts';
import { once } from '../../engine/tasks.ts';
import { languagesOf, USE_LITE_THETA } from '../runtimes/embedding.ts';
import type { OnModelState } from '../runtimes/runtime.ts';
import type { EncoderClient } from './encoder-client.ts';

interface EmbeddedOptions {
  /** Absolute base URL of the site's files, e.g. `document.baseURI`. */
  readonly base: string;
  /** Receives the encoder's state; the encoder also counts tokens for the chat role. */
  readonly onEncoderState?: OnModelState;
  /** Whether to avoid motion: `recall` then replies at once, not word by word. */
  readonly isStill?: () => boolean;
}

export interface EmbeddedModels {
  readonly embed: Embedder;
  readonly tokens: TokenCounter;
  readonly summarise: Summariser;
  readonly chat: ChatModel;
  /** Loads the encoder ahead of its first use; rejects if that fails. */
  load(signal?: AbortSignal): Promise<void>;
  /** Terminates the worker. */
  close(): void;
}

/** The models shipped with the app, except the decider. Nothing is loaded until it is used. */
export const createEmbeddedModels = ({
  base,
  onEncoderState = ignore,
  isStill = () => false,
}: EmbeddedOptions): EmbeddedModels => {
  const encoder = encoderOnDemand(new URL('models/use-lite-en/', base).href, onEncoderState);
  const tokens: TokenCounter = { name: 'use-lite-en', count: encoder.count };
  return {
    embed: {
      name: EMBEDDER,
      dimensions: USE_LITE_DIMENSIONS,
      theta: USE_LITE_THETA,
      languages: languagesOf('use-lite-en'),
      embed: encoder.embed,
    },
    tokens,
    summarise: summariserOnDemand(),
    chat: recallOnDemand(tokens, isStill),
    load: encoder.load,
    close: encoder.close,
  };
};

const ignore: OnModelState = () => undefined;

/*
 * The embedded models. Their code is loaded after the page's first paint, or earlier on first use. Calls reject if it cannot be
 * loaded.
 */

const encoderOnDemand = (folder: string, onState: OnModelState): EncoderClient => {
  let opened: EncoderClient | null = null;
  const open = once(async () => {
    const { createEncoderClient } = await import('./encoder-client.ts');
    opened = createEncoderClient(folder, onState);
    return opened;
  });
  return {
    load: async (signal) => (await open()).load(signal),
    embed: async (texts, signal, when) => (await open()).embed(texts, signal, when),
    count: async (texts) => (await open()).count(texts),
    close: () => opened?.close(),
  };
};

const openDecider = async () => {
  const [{ createEmbeddedDecider }, { createPersonalLayer }] = await Promise.all([
    import('./embedded-decider.ts'),
    import('./personal/learner.ts'),
  ]);
  const learner = createPersonalLayer();
  return { learner, decider: createEmbeddedDecider(undefined, learner) };
};

/** The decider with what it has learned from the person. `load` prepares it before the first message. */
export const deciderOnDemand = (open = openDecider): { decide: Decider; learner: Learner; load(): Promise<void> } => {
  let loaded: Pick<Decider, 'instant'> | null = null;
  const both = once(async () => {
    const opened = await open();
    loaded = opened.decider;
    return opened;
  });
  return {
    decide: {
      name: DECIDER,
      ungated: true,
      get instant() {
        return loaded?.instant === true;
      },
      topic: async (...asked) => (await both()).decider.topic(...asked),
      branch: async (...asked) => (await both()).decider.branch(...asked),
      reconsider: async (...asked) => (await both()).decider.reconsider(...asked),
    },
    learner: {
      lessonsOf: async (questions) => (await both()).learner.lessonsOf(questions),
      // Without lessons and before its first use, there is nothing to discard: the conversation opens without it.
      learn: async (lessons) =>
        loaded === null && lessons.length === 0 ? NOTHING_LEARNED : (await both()).learner.learn(lessons),
    },
    load: async () => {
      const [{ shippedWeights }, { shippedLexicon }] = await Promise.all([
        import('./decider-weights.ts'),
        import('./lexicon.ts'),
      ]);
      await Promise.all([both(), shippedWeights(), shippedLexicon()]);
    },
  };
};

const summariserOnDemand = (): Summariser => {
  const load = once(async () => (await import('./extractive/summary.ts')).createExtractive());
  return {
    name: SUMMARISER,
    summarise: async (...asked) => (await load()).summarise(...asked),
    title: async (...asked) => (await load()).title(...asked),
  };
};

const recallOnDemand = (tokens: TokenCounter, isStill: () => boolean): ChatModel => {
  const load = once(async () => {
    const { createRecall } = await import('./recall/recall.ts');
    return createRecall({ tokens, wordDelay: () => (isStill() ? 0 : RECALL_WORD_DELAY) });
  });
  return {
    name: RECALL,
    window: RECALL_WINDOW,
    tokens,
    async *reply(request, signal) {
      yield* (await load()).reply(request, signal);
    },
  };
};
