import { Tokenizer } from '@huggingface/tokenizers';
import * as ort from 'onnxruntime-web/wasm';
import { meanVector, normalised } from '../../engine/vectors/vector-math.ts';
import { USE_LITE_DIMENSIONS } from './embedded-names.ts';

/** Longest input of the encoder, in tokens (its `model_max_length`). */
const WINDOW = 128;
/**
 * A longer text becomes the mean of its first windows, weighted by their tokens: 512 tokens are about
 * 400 words, which is more than most turns have, and bound one text to some 90 ms.
 */
const MAX_WINDOWS = 4;
/** Enough UTF-16 units for all windows of any prose; what follows need not be tokenised. */
const MAX_LENGTH = MAX_WINDOWS * WINDOW * 12;
const UNKNOWN = 0;
/** Words whose tokens are kept, some 200 bytes each; a longer one is none that comes again. */
const MOST_WORDS = 20_000;
const LONGEST_WORD = 32;

interface EncoderFiles {
  /** Bytes of the ONNX file. */
  readonly model: Uint8Array;
  /** Parsed `tokenizer.json`. */
  readonly tokenizer: object;
  /** Parsed `tokenizer_config.json`. */
  readonly tokenizerConfig: object;
  /** Addresses of the WASM runtime; left out in Node, where the runtime finds its own files. */
  readonly wasmPaths?: { readonly mjs: string; readonly wasm: string };
}

export interface SentenceEncoder {
  readonly dimensions: number;
  /** Tokens of a text that it reads; of a longer one, the beginning. */
  readonly window: number;
  /**
   * One normalised vector a text, in order. A text of which the vocabulary knows less than half the
   * letters (another script, emoji alone, nothing) gives the zero vector, which is similar to nothing: the
   * encoder would otherwise find all such texts alike (cosine 0.75–1).
   */
  embed(texts: readonly string[]): Promise<Float32Array<ArrayBuffer>[]>;
  /** Tokens of each text, none cut off. A run of characters that are not in the vocabulary is one token. */
  count(texts: readonly string[]): number[];
}

/** Universal Sentence Encoder Lite (or a model of the same shape) on one thread of WASM, in a worker or in Node. */
export const createSentenceEncoder = async (files: EncoderFiles): Promise<SentenceEncoder> => {
  // More threads would need cross-origin isolation, which a plain file server does not give.
  ort.env.wasm.numThreads = 1;
  if (files.wasmPaths !== undefined) ort.env.wasm.wasmPaths = { ...files.wasmPaths };
  const tokenizer = new Tokenizer(files.tokenizer, files.tokenizerConfig);
  const session = await ort.InferenceSession.create(files.model, {
    executionProviders: ['wasm'],
  });

  const encode = tokensByWord((word) => tokenizer.encode(word));

  const runWindow = async (ids: BigInt64Array): Promise<Float32Array> => {
    const shape = [1, ids.length];
    const output = await session.run(
      {
        input_ids: new ort.Tensor('int64', ids, shape),
        attention_mask: new ort.Tensor('int64', new BigInt64Array(ids.length).fill(1n), shape),
      },
      ['sentence_embedding'],
    );
    const vector = output.sentence_embedding?.data;
    if (!(vector instanceof Float32Array)) throw new Error('the encoder gave no sentence embedding');
    return vector;
  };

  const embedOne = async (text: string): Promise<Float32Array<ArrayBuffer>> => {
    const read = text.slice(0, MAX_LENGTH);
    const { ids, letters } = encode(read);
    if (letters === 0 || letters < lettersOf(read.normalize('NFKC')) / 2) return new Float32Array(USE_LITE_DIMENSIONS);
    const all = ids.slice(0, MAX_WINDOWS * WINDOW);
    const parts: Float32Array[] = [];
    const lengths: number[] = [];
    for (let start = 0; start < all.length; start += WINDOW) {
      const window = all.slice(start, start + WINDOW);
      // Only unknown characters: the graph masks them all and would give NaN.
      if (window.every((id) => id === UNKNOWN)) continue;
      parts.push(await runWindow(BigInt64Array.from(window, BigInt)));
      lengths.push(window.length);
    }
    return parts.length === 0 ? new Float32Array(USE_LITE_DIMENSIONS) : normalised(meanVector(parts, lengths));
  };

  return {
    dimensions: USE_LITE_DIMENSIONS,
    window: MAX_WINDOWS * WINDOW,
    // One text at a time: on one thread a batch is no faster (measured, 4–32 texts), and int8 scales are
    // taken over the whole input, so that a text's vector would depend on its neighbours (cosine 0.998).
    embed: async (texts) => {
      const vectors: Float32Array<ArrayBuffer>[] = [];
      for (const text of texts) vectors.push(await embedOne(text));
      return vectors;
    },
    count: (texts) => texts.map((text) => encode(text).ids.length),
  };
};

interface Tokens {
  readonly ids: readonly number[];
  /** Letters and digits of those that the vocabulary knows. */
  readonly letters: number;
}

/**
 * The tokens of a text, word by word: no piece of a SentencePiece vocabulary reaches over white space, of which any run is read as one
 * space, so that the best pieces of a text are those of its words. Of most words they are known from the last time.
 */
const tokensByWord = (encode: (word: string) => { ids: number[]; tokens: string[] }) => {
  const known = new Map<string, Tokens>();
  const ofWord = (word: string): Tokens => {
    const found = known.get(word);
    if (found !== undefined) return found;
    const { ids, tokens } = encode(word);
    const letters = tokens.reduce((sum, token, i) => sum + (ids[i] === UNKNOWN ? 0 : lettersOf(token)), 0);
    const read = { ids, letters };
    if (known.size === MOST_WORDS) known.clear();
    if (word.length <= LONGEST_WORD) known.set(word, read);
    return read;
  };
  return (text: string): Tokens => {
    const words = text.normalize('NFKC').match(/\S+/g) ?? [];
    const read = words.map(ofWord);
    return { ids: read.flatMap(({ ids }) => ids), letters: read.reduce((sum, { letters }) => sum + letters, 0) };
  };
};

const lettersOf = (text: string): number => text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
