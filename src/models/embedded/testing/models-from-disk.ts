import type { Models } from '../../../engine/ports.ts';
import { createEmbeddedDecider } from '../embedded-decider.ts';
import { createExtractive } from '../extractive/extractive.ts';
import { createRecall } from '../recall/recall.ts';
import { USE_LITE_THETA } from '../theta.ts';
import { USE_LITE_DIMENSIONS } from '../use-lite.ts';
import { encoderFromDisk } from './encoder-from-disk.ts';

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
