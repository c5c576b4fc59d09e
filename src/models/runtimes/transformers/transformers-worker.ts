import type { LoadOptions } from '../runtime.ts';
import { otherMessages } from '../worker/protocol.ts';
import { type ServedModel, serveModel } from '../worker/serve-model.ts';
import { loadVectorModel } from './embed.ts';
import { loadTextModel } from './generate.ts';
import { serveRepo, watchDevice } from './load-repo.ts';
import { isFatal, onnxFailure } from './onnx-failure.ts';
import type { Candidate, Pooling, RepoFiles } from './repo-files.ts';
/* A model of transformers.js in a module worker of its own, by the protocol of ../worker/protocol.ts. */

/** What the page sends: the files, whole, and how they are to be used. */
export interface RepoSpec {
  readonly name: string;
  readonly files: RepoFiles;
  readonly candidate: Candidate;
  /** null: it writes text. */
  readonly embeds: { readonly pooling: Pooling; readonly prefix: string } | null;
}

/** One answer's failure spoils the runtime: the page is told, and loads it again on the next use. */
const guard =
  ({ onLost }: Pick<LoadOptions, 'onLost'>) =>
  async <T>(work: () => Promise<T> | T): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      const failure = onnxFailure(error);
      if (isFatal(failure)) onLost(failure);
      throw failure;
    }
  };

serveModel<RepoSpec>(async ({ name, files, candidate, embeds }, options): Promise<ServedModel> => {
  const bytes = [...files.values()].reduce((sum, { size }) => sum + size, 0);
  options.onProgress({ phase: 'preparing', loaded: bytes, total: bytes });
  const guarded = guard(options);
  // While it loads, a failure is the load's own.
  const loaded = guard({ onLost: () => undefined });
  return loaded(async () => {
    serveRepo(files, candidate);
    const served =
      embeds === null ? await textModel(candidate, files, guarded) : await vectorModel(candidate, embeds, guarded);
    if (candidate.device === 'webgpu') void watchDevice(options.onLost);
    return { ...served, facts: { ...served.facts, name } };
  });
});

type Guarded = ReturnType<typeof guard>;

const vectorModel = async (
  candidate: Candidate,
  embeds: NonNullable<RepoSpec['embeds']>,
  guarded: Guarded,
): Promise<ServedModel> => {
  const model = await loadVectorModel(candidate, embeds);
  return {
    facts: { name: '', window: 0, estimates: false, dimensions: model.dimensions },
    embed: async (texts, signal) => {
      const vectors: Float32Array<ArrayBuffer>[] = [];
      for (const text of texts) {
        await otherMessages();
        signal.throwIfAborted();
        vectors.push(await guarded(() => model.embed(text)));
      }
      return vectors;
    },
    count: (texts) => guarded(() => texts.map(model.count)),
  };
};

const textModel = async (candidate: Candidate, files: RepoFiles, guarded: Guarded): Promise<ServedModel> => {
  const model = await loadTextModel(candidate, files);
  return {
    facts: { name: '', window: model.window, estimates: false, dimensions: null },
    generate: (request, piece, signal) => guarded(() => model.generate(request, piece, signal)),
    count: (texts) => guarded(() => texts.map(model.count)),
  };
};
