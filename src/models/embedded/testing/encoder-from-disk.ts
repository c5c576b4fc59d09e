import { readFile } from 'node:fs/promises';
import { createSentenceEncoder, type SentenceEncoder } from '../sentence-encoder.ts';

const FOLDER = new URL('../../../../public/models/use-lite-en/', import.meta.url);

/** The embedded encoder in Node, with the weights that ship: for scripts and tests. */
export const encoderFromDisk = async (): Promise<SentenceEncoder> => {
  const json = async (name: string): Promise<object> =>
    JSON.parse(await readFile(new URL(name, FOLDER), 'utf8')) as object;
  return createSentenceEncoder({
    model: await readFile(new URL('onnx/model_int8.onnx', FOLDER)),
    tokenizer: await json('tokenizer.json'),
    tokenizerConfig: await json('tokenizer_config.json'),
  });
};
