import * as z from 'zod/mini';
import { ModelFailure } from '../../../engine/model-failure.ts';
import type { LoadOptions } from '../runtime.ts';
import type { ModelWorker } from '../worker/model-worker.ts';
import type { ModelFacts } from '../worker/protocol.ts';
import type { Candidate } from './candidates.ts';
import { GOLDEN } from './golden.ts';
import type { Repo } from './repo-files.ts';
import type { RepoSpec } from './transformers-worker.ts';
import { distrust, TRUST_TEXTS } from './trust.ts';

interface Loaded {
  readonly worker: ModelWorker<RepoSpec>;
  readonly facts: ModelFacts;
}

const Vectors = z.array(z.array(z.number()));

/**
 * An embedder that gave the known texts the vectors it should, or a rejection with `untrusted`. What it should is shipped for
 * some models; for others the same weights in WASM say it, once, and it is kept beside them.
 */
export const proved = async (
  candidate: Candidate,
  start: (candidate: Candidate) => Promise<Loaded>,
  repo: Repo,
  options: LoadOptions,
): Promise<Loaded> => {
  const reference = await referenceFor(candidate, start, repo, options);
  const loaded = await start(candidate);
  try {
    const why = distrust(await loaded.worker.embed(TRUST_TEXTS, options.signal), reference);
    if (why === null) return loaded;
    throw new ModelFailure(
      'untrusted',
      `${loaded.facts.name} cannot be trusted on this machine: ${why}. Choose another embedder, or another device.`,
    );
  } catch (error) {
    loaded.worker.close();
    throw error;
  }
};

const BEYOND_WASM: ReadonlySet<string> = new Set(['out-of-memory', 'unsupported']);

const referenceFor = async (
  { device, dtype }: Candidate,
  start: (candidate: Candidate) => Promise<Loaded>,
  repo: Repo,
  options: LoadOptions,
): Promise<readonly ArrayLike<number>[] | null> => {
  const golden = GOLDEN[repo.ref.name];
  if (golden !== undefined) return golden;
  // WASM is the reference; of itself only sense is asked.
  if (device === 'wasm') return null;
  const name = `reference-${dtype}.json`;
  const kept = Vectors.safeParse(await repo.note(name).catch(() => null));
  if (kept.success) return kept.data;
  const started = await start({ device: 'wasm', dtype }).catch((error: unknown) => {
    // What WASM cannot hold or compute has no reference; that its vectors make sense is asked all the same.
    if (error instanceof ModelFailure && BEYOND_WASM.has(error.kind)) return null;
    throw error;
  });
  if (started === null) return null;
  const { worker } = started;
  try {
    const vectors = await worker.embed(TRUST_TEXTS, options.signal);
    const why = distrust(vectors, null);
    if (why !== null) throw new ModelFailure('untrusted', `The model makes no sense in WASM: ${why}.`);
    await repo.keepNote(
      name,
      vectors.map((vector) => [...vector]),
    );
    return vectors;
  } finally {
    worker.close();
  }
};
