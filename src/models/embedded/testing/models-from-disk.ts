import { readFile } from 'node:fs/promises';
import { EMBEDDER, USE_LITE_DIMENSIONS } from '../../../engine/embedded-names.ts';
import type { Models } from '../../../engine/ports.ts';
import { languagesOf, USE_LITE_THETA } from '../../runtimes/embedding.ts';
import { createEmbeddedDecider } from '../embedded-decider.ts';
import { createExtractive } from '../extractive/summary.ts';
import { createRecall } from '../recall/recall.ts';
import { createSentenceEncoder, type SentenceEncoder } from '../sentence-encoder.ts';

/** The embedded models in Node, as the page has them in its worker. */
export const modelsFromDisk = async (): Promise<Models> => {
  const encoder = await encoderFromDisk();
  const tokens = { name: 'use-lite-en', count: async (texts: readonly string[]) => encoder.count(texts) };
  return {
    embed: {
      name: EMBEDDER,
      dimensions: USE_LITE_DIMENSIONS,
      theta: USE_LITE_THETA,
      languages: languagesOf('use-lite-en'),
      embed: async (texts) => encoder.embed(texts),
    },
    decide: createEmbeddedDecider(),
    summarise: createExtractive(),
    chat: createRecall({ tokens, wordDelay: () => 0 }),
  };
};

const FOLDER = new URL('../../../../public/models/use-lite-en/', import.meta.url);

/** The embedded encoder in Node, with the shipped weights; for scripts and tests. */
export const encoderFromDisk = async (): Promise<SentenceEncoder> => {
  const json = async (name: string): Promise<object> =>
    JSON.parse(await readFile(new URL(name, FOLDER), 'utf8')) as object;
  return createSentenceEncoder({
    model: await readFile(new URL('onnx/model_int8.onnx', FOLDER)),
    tokenizer: await json('tokenizer.json'),
    tokenizerConfig: await json('tokenizer_config.json'),
  });
};
