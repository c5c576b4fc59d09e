import type { TransformersSpec } from '../runtimes/model-spec.ts';
import type { Dtype } from '../runtimes/transformers/candidates.ts';

/** A model in ONNX files, which transformers.js runs. */
export interface OnnxModel {
  readonly spec: TransformersSpec;
  readonly name: string;
  /** Bytes of the weights by number format, about; only the formats whose size is known. */
  readonly weights: Readonly<Partial<Record<Dtype, number>>>;
  /** Bytes of tokenizer and configuration, about. */
  readonly beside: number;
  readonly licence: string;
  readonly about: string;
}

const UNMEASURED = 'Its θ is a guess: it was never measured on labelled forks.';

const spec = (
  task: TransformersSpec['task'],
  repo: string,
  dtype: TransformersSpec['dtype'] = 'auto',
): TransformersSpec => ({ runtime: 'transformers', task, source: { kind: 'hub', repo }, dtype, device: 'auto' });

/** Sizes as the hub's file lists show them (rounded there), November 2026. */
export const onnxModels: readonly OnnxModel[] = [
  {
    spec: spec('embed', 'Xenova/all-MiniLM-L6-v2'),
    name: 'all-MiniLM-L6-v2',
    weights: { q8: 23e6, fp16: 45.3e6, fp32: 90.4e6 },
    beside: 0.7e6,
    licence: 'Apache-2.0',
    about: `Small, well known, English: 384 dimensions, 512 tokens. ${UNMEASURED}`,
  },
  {
    spec: spec('embed', 'Xenova/bge-small-en-v1.5'),
    name: 'bge-small-en-v1.5',
    weights: { q8: 34e6, fp16: 66.7e6, fp32: 133e6 },
    beside: 0.7e6,
    licence: 'MIT',
    about: `English, a little sharper than MiniLM: 384 dimensions, 512 tokens. ${UNMEASURED}`,
  },
  {
    spec: spec('embed', 'Xenova/multilingual-e5-small'),
    name: 'multilingual-e5-small',
    weights: { q8: 118e6, fp16: 235e6, fp32: 470e6 },
    beside: 17e6,
    licence: 'MIT',
    about: `The smallest of about a hundred languages: 384 dimensions, 512 tokens. ${UNMEASURED}`,
  },
  {
    // 4 bits: its 32-bit files are 1.2 GB, 16-bit ones overflow, and Google trained it to be quantised.
    spec: spec('embed', 'onnx-community/embeddinggemma-300m-ONNX', 'q4'),
    name: 'EmbeddingGemma 300M',
    weights: { q4: 197.3e6, q8: 309.5e6 },
    beside: 34e6,
    licence: 'Gemma',
    about: `Over a hundred languages: 768 dimensions, 2,048 tokens. ${UNMEASURED}`,
  },
  {
    // 8 bits: the 16-bit file is 1.2 GB.
    spec: spec('embed', 'onnx-community/Qwen3-Embedding-0.6B-ONNX', 'q8'),
    name: 'Qwen3 Embedding 0.6B',
    weights: { q8: 625e6 },
    beside: 15e6,
    licence: 'Apache-2.0',
    about: `Over a hundred languages and code, long texts: 1,024 dimensions, 32,768 tokens. Slow without a GPU. ${UNMEASURED}`,
  },
  {
    spec: spec('generate', 'HuggingFaceTB/SmolLM2-135M-Instruct'),
    name: 'SmolLM2 135M',
    weights: { q4f16: 134e6, q4: 200e6 },
    beside: 3.5e6,
    licence: 'Apache-2.0',
    about: 'Tiny, to try things out: answers on any machine, often beside the point. English only.',
  },
  {
    spec: spec('generate', 'onnx-community/Qwen3-0.6B-ONNX'),
    name: 'Qwen3 0.6B',
    weights: { q4f16: 570e6, q4: 919e6 },
    beside: 15e6,
    licence: 'Apache-2.0',
    about: 'The smallest that answers sensibly, in many languages. WebLLM runs it in half the download.',
  },
];
