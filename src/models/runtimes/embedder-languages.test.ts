import { expect, test } from 'vitest';
import { languagesOf } from './embedding.ts';

test.each([
  'use-lite-en',
  'Xenova/all-MiniLM-L6-v2',
  'bge-small-en-v1.5',
  'nomic-embed-text-v1.5.Q8_0.gguf',
  'nomic-embed-text:latest',
  'e5-small-v2',
])('%s knows English only', (name) => expect(languagesOf(name)).toEqual(['en']));

test.each([
  'multilingual-e5-small',
  'paraphrase-multilingual-MiniLM-L12-v2',
  'embeddinggemma-300m-ONNX',
  'Qwen3-Embedding-0.6B-ONNX',
  'nomic-embed-text-v2-moe',
  'bge-m3',
  'something of the person’s own',
])('%s knows many, or nobody says', (name) => expect(languagesOf(name)).toBeNull());
