import { createEmbeddedDecider } from '../adapters/models/embedded-decider.ts';
import { encoderFromDisk } from '../adapters/models/encoder-from-disk.ts';
import { createExtractive } from '../adapters/models/extractive/extractive.ts';
import { createRecall } from '../adapters/models/recall/recall.ts';
import { USE_LITE_THETA } from '../adapters/models/theta.ts';
import { USE_LITE_DIMENSIONS } from '../adapters/models/use-lite.ts';
import type { Models } from '../engine/ports.ts';

/** The embedded models in Node, as the page has them in its worker. */
export const modelsFromDisk = async (): Promise<Models> => {
  const encoder = await encoderFromDisk();
  const tokens = { name: 'use-lite-en', count: async (texts: readonly string[]) => encoder.count(texts) };
  return {
    embed: {
      name: 'use-lite-en int8',
      dimensions: USE_LITE_DIMENSIONS,
      theta: USE_LITE_THETA,
      embed: async (texts) => encoder.embed(texts),
    },
    decide: createEmbeddedDecider(),
    summarise: createExtractive(),
    chat: createRecall({ tokens, pieceDelay: 0 }),
  };
};
