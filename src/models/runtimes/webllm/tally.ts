import type { LoadOptions } from '../runtime.ts';
import type { ModelFile } from './model-files.ts';

/** Milliseconds between two reports of progress. */
const REPORT_EVERY = 100;

/** How much of how much has come, over all files. */
export class Tally {
  readonly #files = new Map<string, { loaded: number; total: number | null; shard: boolean }>();
  readonly #onProgress: LoadOptions['onProgress'];
  #shards: number | null = null;
  #reported = 0;

  constructor(onProgress: LoadOptions['onProgress']) {
    this.#onProgress = onProgress;
  }

  /** The shards are by far the most of a model, and their length is known before they come. */
  expect(bytes: number): void {
    this.#shards = bytes;
  }

  note({ url, shard }: ModelFile, loaded: number, total: number | null): void {
    this.#files.set(url, { loaded, total, shard: shard !== null });
    this.report(false);
  }

  get loaded(): number {
    return [...this.#files.values()].reduce((sum, { loaded }) => sum + loaded, 0);
  }

  get #total(): number | null {
    if (this.#shards === null) return null;
    const others = [...this.#files.values()].filter(({ shard }) => !shard);
    return others.reduce((sum, { loaded, total }) => sum + Math.max(loaded, total ?? 0), this.#shards);
  }

  report(now: boolean): void {
    if (!now && performance.now() - this.#reported < REPORT_EVERY) return;
    this.#reported = performance.now();
    this.#onProgress({ phase: 'downloading', loaded: this.loaded, total: this.#total });
  }
}
