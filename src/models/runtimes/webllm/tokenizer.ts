import type { Engine } from './engine.ts';

/** The model's own tokenizer, in the engine. */
export interface Tokenizer {
  encode(text: string): ArrayLike<number>;
  idToToken(id: number): string;
}

/**
 * The tokenizer of a loaded model; null if it cannot be reached. The library makes one and does not give it out, so
 * this looks behind its fence, and believes nothing: another version may have rearranged what is there.
 */
export const tokenizerOf = (engine: Engine, modelId: string): Tokenizer | null => {
  const pipelines: unknown = Reflect.get(engine, 'loadedModelIdToPipeline');
  const pipeline: unknown = pipelines instanceof Map ? pipelines.get(modelId) : null;
  const found = isObject(pipeline) ? Reflect.get(pipeline, 'tokenizer') : null;
  return isTokenizer(found) ? found : null;
};

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const isTokenizer = (value: unknown): value is Tokenizer =>
  isObject(value) &&
  typeof Reflect.get(value, 'encode') === 'function' &&
  typeof Reflect.get(value, 'idToToken') === 'function' &&
  (value as Tokenizer).encode('two words').length > 0;

/** UTF-16 units to a token: English has about four, code and other languages fewer; rather too many tokens than too few. */
const UNITS_PER_TOKEN = 3;

export const estimatedTokens = (text: string): number => Math.ceil(text.length / UNITS_PER_TOKEN);
