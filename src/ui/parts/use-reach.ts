import { useActions, useApp } from '../app-context.ts';

/** How far the embedder that answers now reaches. */
export interface Reach {
  readonly embedder: string;
  /** What it knows, as ISO 639-1; null where that is not known, or they are too many to name. */
  readonly languages: readonly string[] | null;
  /** The language of the open conversation where the embedder does not know it; null elsewhere. */
  readonly beyond: string | null;
}

export const useReach = (): Reach => {
  const { embedderNow } = useActions();
  // Whenever another answers, the state of its role is another.
  useApp((state) => state.models.embed);
  const language = useApp((state) => state.language);
  const { name: embedder, languages } = embedderNow();
  const beyond = language !== null && languages !== null && !languages.includes(language) ? language : null;
  return { embedder, languages, beyond };
};
