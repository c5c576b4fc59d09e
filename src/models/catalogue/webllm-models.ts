import type { WebLlmSpec } from '../runtimes/model-spec.ts';
import builds from './webllm-builds.json';

/** A model that WebLLM has ready. */
export interface WebLlmModel {
  readonly spec: WebLlmSpec;
  readonly name: string;
  /** Of the whole model; what it downloads follows from them. */
  readonly parameters: number;
  readonly licence: string;
  readonly about: string;
}

/** A build of a model as the installed library lists it (webllm-builds.json; its test holds it to the library). */
export interface WebLlmBuild {
  readonly id: string;
  /** MB on the GPU, with a cache for 4,096 tokens. */
  readonly vramMB: number;
  /** Runs on phones, by the library's word. */
  readonly lowResource: boolean;
  /** Bytes that one binding has to hold; 0 where the usual 128 MiB do. */
  readonly bindingBytes: number;
}

/** Bytes of tokenizer, configuration and compiled library, about. */
const BESIDE_WEIGHTS = 22e6;
/** Bits a weight takes with its scales: groups of 32 share one of 16 or of 32 bits. */
const BITS = { q4f16: 4.5, q4f32: 5 };

/**
 * The build that would be loaded: without 16-bit shaders it is the one of 32 bits, where there is one. The spec names
 * the 16-bit one in any case, so that a choice stays the same whatever the GPU can do that day (the runtime chooses
 * alike).
 */
export const buildFor = ({ spec }: WebLlmModel, shaderF16: boolean): WebLlmBuild | null => {
  const id = shaderF16 ? spec.modelId : spec.modelId.replace('q4f16', 'q4f32');
  return builds.find((build) => build.id === id) ?? null;
};

/** Bytes. Within 1 % of the three that are known exactly (Qwen3 0.6B, 1.7B, 4B). */
export const downloadOf = ({ parameters }: WebLlmModel, build: WebLlmBuild): number =>
  Math.round((parameters * (build.id.includes('q4f32') ? BITS.q4f32 : BITS.q4f16)) / 8 + BESIDE_WEIGHTS);

const model = (base: string, name: string, billions: number, licence: string, about: string): WebLlmModel => ({
  spec: { runtime: 'webllm', modelId: `${base}-q4f16_1-MLC`, custom: null },
  name,
  parameters: billions * 1e9,
  licence,
  about,
});

/** From small to large. Parameters by the models' cards. */
export const webLlmModels: readonly WebLlmModel[] = [
  model(
    'SmolLM2-360M-Instruct',
    'SmolLM2 360M',
    0.362,
    'Apache-2.0',
    'Quick, and simple in what it says. English only.',
  ),
  model(
    'Qwen3-0.6B',
    'Qwen3 0.6B',
    0.596,
    'Apache-2.0',
    'The smallest that answers sensibly, in many languages. Can think before it answers.',
  ),
  model('gemma3-1b-it', 'Gemma 3 1B', 1.0, 'Gemma', 'Fluent and friendly for its size, in many languages.'),
  model('Llama-3.2-1B-Instruct', 'Llama 3.2 1B', 1.236, 'Llama 3.2', 'A quick all-rounder; English first.'),
  model(
    'Qwen3-1.7B',
    'Qwen3 1.7B',
    1.72,
    'Apache-2.0',
    'Follows instructions well for its size, in many languages. Can think before it answers.',
  ),
  model('gemma-2-2b-it', 'Gemma 2 2B', 2.614, 'Gemma', 'Good prose; English first.'),
  model('Llama-3.2-3B-Instruct', 'Llama 3.2 3B', 3.213, 'Llama 3.2', 'A steady all-rounder for chat; English first.'),
  model('Phi-3.5-mini-instruct', 'Phi 3.5 mini', 3.821, 'MIT', 'Strong at reasoning and code for its size.'),
  model(
    'Qwen3-4B',
    'Qwen3 4B',
    4.022,
    'Apache-2.0',
    'The best of these that an ordinary graphics card runs well. Can think before it answers.',
  ),
  model(
    'Llama-3.1-8B-Instruct',
    'Llama 3.1 8B',
    8.03,
    'Llama 3.1',
    'Knows more and writes better, for a strong graphics card.',
  ),
  model(
    'Qwen3-8B',
    'Qwen3 8B',
    8.19,
    'Apache-2.0',
    'The best replies of this list, for a strong graphics card. Can think before it answers.',
  ),
];
