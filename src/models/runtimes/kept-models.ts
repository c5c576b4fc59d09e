import type { ModelFiles } from '../store/model-files.ts';
import type { StoredModel } from './runtime.ts';

/** What a runtime whose models are files says of those on this machine. `runtime` is how its keys begin. */
export const keptModels = (files: ModelFiles, runtime: string) => ({
  stored: async (): Promise<readonly StoredModel[]> =>
    (await files.list()).filter(({ key }) => key.startsWith(`${runtime}:`)),
  remove: (key: string): Promise<void> => files.remove(key),
});
