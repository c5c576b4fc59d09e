/** What a model is doing, for those who watch it. `failure` says why it failed and what to do; null otherwise. */
export interface ModelState {
  readonly state: 'idle' | 'loading' | 'ready' | 'busy' | 'failed';
  readonly failure: string | null;
}

export type OnModelState = (state: ModelState) => void;
