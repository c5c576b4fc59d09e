import type { WllamaSpec } from '../runtimes/model-spec.ts';

/** A model in one GGUF file, which llama.cpp runs on the processor, or on a GPU with 16-bit shaders. */
export interface GgufModel {
  readonly spec: WllamaSpec;
  readonly name: string;
  /** The file's, exactly where `exact`. */
  readonly bytes: number;
  readonly licence: string;
  readonly about: string;
}

const chat = (repo: string, file: string, name: string, bytes: number, licence: string, about: string): GgufModel => ({
  spec: { runtime: 'wllama', source: { kind: 'hub', repo, file }, embeds: false },
  name,
  bytes,
  licence,
  about,
});

const embed = (...facts: Parameters<typeof chat>): GgufModel => {
  const model = chat(...facts);
  return { ...model, spec: { ...model.spec, embeds: true } };
};

/**
 * From small to large. Names and bytes as in the repositories (each found with its bytes in a published list with
 * SHA-256, November 2026). None is larger than 2 GiB: wllama reads no larger file, and WASM has 4 GiB in all.
 */
export const ggufModels: readonly GgufModel[] = [
  chat(
    'bartowski/SmolLM2-135M-Instruct-GGUF',
    'SmolLM2-135M-Instruct-Q8_0.gguf',
    'SmolLM2 135M',
    144_811_360,
    'Apache-2.0',
    'Tiny, to try things out: answers in seconds on any machine, often beside the point. English only.',
  ),
  chat(
    'bartowski/SmolLM2-360M-Instruct-GGUF',
    'SmolLM2-360M-Instruct-Q4_K_M.gguf',
    'SmolLM2 360M',
    270_590_880,
    'Apache-2.0',
    'Quick, and simple in what it says. English only.',
  ),
  chat(
    'unsloth/Qwen3-0.6B-GGUF',
    'Qwen3-0.6B-Q4_K_M.gguf',
    'Qwen3 0.6B',
    396_705_472,
    'Apache-2.0',
    'The smallest that answers sensibly, in many languages. Can think before it answers, which takes long without a GPU.',
  ),
  chat(
    'ggml-org/gemma-3-1b-it-GGUF',
    'gemma-3-1b-it-Q4_K_M.gguf',
    'Gemma 3 1B',
    806_058_240,
    'Gemma',
    'Fluent and friendly for its size, in many languages.',
  ),
  chat(
    'bartowski/Llama-3.2-1B-Instruct-GGUF',
    'Llama-3.2-1B-Instruct-Q4_K_M.gguf',
    'Llama 3.2 1B',
    807_694_464,
    'Llama 3.2',
    'A quick all-rounder; English first.',
  ),
  chat(
    'bartowski/SmolLM2-1.7B-Instruct-GGUF',
    'SmolLM2-1.7B-Instruct-Q4_K_M.gguf',
    'SmolLM2 1.7B',
    1_055_609_824,
    'Apache-2.0',
    'Better prose than its smaller kin. English only.',
  ),
  chat(
    'unsloth/Qwen3-1.7B-GGUF',
    'Qwen3-1.7B-Q4_K_M.gguf',
    'Qwen3 1.7B',
    1_107_409_472,
    'Apache-2.0',
    'Follows instructions well for its size, in many languages. Can think before it answers, which takes long without a GPU.',
  ),
  chat(
    'bartowski/Llama-3.2-3B-Instruct-GGUF',
    'Llama-3.2-3B-Instruct-Q4_K_M.gguf',
    'Llama 3.2 3B',
    2_019_377_600,
    'Llama 3.2',
    'A steady all-rounder for chat; English first.',
  ),
  embed(
    'nomic-ai/nomic-embed-text-v1.5-GGUF',
    'nomic-embed-text-v1.5.Q8_0.gguf',
    'Nomic Embed 1.5',
    146_146_432,
    'Apache-2.0',
    'Compares longer texts, in English. Its θ is a guess: it was never measured on labelled forks.',
  ),
];
