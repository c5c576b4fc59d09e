import { loadTextModel } from '../../src/models/runtimes/transformers/generate.ts';
import { serveRepo } from '../../src/models/runtimes/transformers/load-repo.ts';
import { loadLlama } from '../../src/models/runtimes/wllama/load-llama.ts';
import { generateWith } from '../../src/models/runtimes/wllama/run-llama.ts';
import type { SentGeneration } from '../../src/models/runtimes/worker/protocol.ts';

/*
 * The app's own models without its workers: what their work costs on the thread the user types on. (llama.cpp's
 * library still computes in a worker that it starts itself.)
 */

type Write = (request: SentGeneration) => Promise<unknown>;
const never = new AbortController().signal;
const ignore = (): void => undefined;

const llama = async (files: ReadonlyMap<string, Blob>): Promise<Write> => {
  const spec = { name: 'bench', files: [...files.values()], embeds: false };
  const loaded = await loadLlama(spec, { signal: never, onProgress: ignore, onLost: ignore });
  return (request) => generateWith(loaded, request, ignore, never);
};

const transformers = async (files: ReadonlyMap<string, Blob>): Promise<Write> => {
  const candidate = { device: 'wasm', dtype: 'q8' } as const;
  serveRepo(files, candidate);
  const model = await loadTextModel({ candidate, dtypes: candidate.dtype, files, sight: null });
  return (request) => model.generate(request, ignore, never);
};

let write: Write | null = null;

const bench = {
  /** Loads files from the hub by their paths in the repository. */
  load: async (runtime: 'llama' | 'transformers', repo: string, paths: readonly string[]): Promise<void> => {
    const files = new Map<string, Blob>();
    for (const path of paths) files.set(path, await (await fetch(`${repo}/resolve/main/${path}`)).blob());
    write = await (runtime === 'llama' ? llama : transformers)(files);
  },
  write: async (content: string, maxTokens: number): Promise<void> => {
    const request = { messages: [{ role: 'user' as const, content }], begun: '', topP: null, schema: null };
    await write?.({ ...request, temperature: 0, maxTokens });
  },
};

declare global {
  interface Window {
    modelBench: typeof bench;
  }
}

window.modelBench = bench;
