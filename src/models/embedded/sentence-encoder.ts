import { Tokenizer } from '@huggingface/tokenizers';
import * as ort from 'onnxruntime-web/wasm';
import { sum } from '../../domain/numbers.ts';
import { USE_LITE_DIMENSIONS } from '../../engine/embedded-names.ts';
import { meanVector, normalised } from '../../engine/vectors/vector-math.ts';

/** Longest input of the encoder, in tokens (its `model_max_length`). */
const WINDOW = 128;
/**
 * A longer text becomes the mean of its first windows, weighted by token count: 512 tokens are about 400 words, more than most
 * turns have, and limit one text to some 90 ms.
 */
const MAX_WINDOWS = 4;
/** Enough UTF-16 units to fill all windows with any prose; the rest need not be tokenised. */
const MAX_LENGTH = MAX_WINDOWS * WINDOW * 12;
const UNKNOWN = 0;
/** Words whose tokens are cached, some 200 bytes each; longer words are unlikely to recur. */
const MOST_WORDS = 20_000;
const LONGEST_WORD = 32;

interface EncoderFiles {
  /** Bytes of the ONNX file. */
  readonly model: Uint8Array;
  /** Parsed `tokenizer.json`. */
  readonly tokenizer: object;
  /** Parsed `tokenizer_config.json`. */
  readonly tokenizerConfig: object;
  /** URLs of the WASM runtime; omitted in Node, where the runtime finds its own files. */
  readonly wasmPaths?: { readonly mjs: string; readonly wasm: string };
}

export interface SentenceEncoder {
  readonly dimensions: number;
  /** Tokens read per text; a longer text is cut. */
  readonly window: number;
  /**
   * Returns one normalised vector per text, in order. A text with less than half of its letters in the vocabulary (another script,
   * emoji alone, nothing) gets the zero vector, which is similar to nothing: the encoder would otherwise find all such texts alike
   * (cosine 0.75–1).
   */
  embed(texts: readonly string[]): Promise<Float32Array<ArrayBuffer>[]>;
  /** Counts the tokens of each text, without truncation. A run of characters that are not in the vocabulary is one token. */
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

  const tokensOf = tokensByWord((word) => tokenizer.encode(word));

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
    const words = tokensOf(read);
    const letters = sum(words.map((word) => word.letters));
    if (letters === 0 || letters < lettersOf(read.normalize('NFKC')) / 2) return new Float32Array(USE_LITE_DIMENSIONS);
    const all = words.flatMap(({ ids }) => ids).slice(0, MAX_WINDOWS * WINDOW);
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
    // One text at a time: on one thread a batch is no faster (measured, 4–32 texts), and int8 scales are computed over the whole
    // input, so a text's vector would depend on its neighbours (cosine 0.998).
    embed: async (texts) => {
      const vectors: Float32Array<ArrayBuffer>[] = [];
      for (const text of texts) vectors.push(await embedOne(text));
      return vectors;
    },
    count: (texts) => texts.map((text) => sum(tokensOf(text).map(({ ids }) => ids.length))),
  };
};

/** The tokens of a word. */
interface Tokens {
  readonly ids: readonly number[];
  /** Letters and digits in the tokens that the vocabulary knows. */
  readonly letters: number;
}

/**
 * Tokenises a text word by word, caching most words. No piece of a SentencePiece vocabulary spans white space, and any run of it
 * is read as one space, so the best pieces of a text are those of its words.
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
  return (text: string): Tokens[] => (text.normalize('NFKC').match(/\S+/g) ?? []).map(ofWord);
};

const lettersOf = (text: string): number => text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
