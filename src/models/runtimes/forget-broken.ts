import { ModelFailure } from '../../engine/model-failure.ts';
import type { ModelFiles } from '../store/model-files.ts';

/**
 * What loading with a model's files gives. Where they turn out corrupt they are deleted, so that the next try downloads
 * them again. Not for files of the person's own, which are theirs to remove.
 */
export const forgetBroken = async <T>(files: ModelFiles, modelKey: string, loading: Promise<T>): Promise<T> => {
  try {
    return await loading;
  } catch (error) {
    if (error instanceof ModelFailure && error.kind === 'corrupt') await files.remove(modelKey);
    throw error;
  }
};
