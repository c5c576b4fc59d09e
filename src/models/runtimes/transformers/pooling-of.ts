import type { Pooling } from './embedding-models.ts';

/**
 * Pooling of an unknown model by its own files, in the form of sentence-transformers (`1_Pooling/config.json`); the
 * mean, which most are trained with, where they do not say.
 */
export const poolingOf = (config: unknown): Pooling => {
  if (typeof config !== 'object' || config === null) return 'mean';
  const says = config as Readonly<Record<string, unknown>>;
  if (says.pooling_mode_cls_token === true) return 'cls';
  if (says.pooling_mode_lasttoken === true) return 'last_token';
  return 'mean';
};
