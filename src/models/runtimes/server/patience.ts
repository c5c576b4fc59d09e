import { ModelFailure } from '../../../engine/model-failure.ts';

/** Milliseconds of silence after which a server is given up. */
export interface Patience {
  /** Before the first word: a server may have to load the model, and read a long prompt on a processor. */
  readonly first: number;
  /** Between two pieces of an answer. */
  readonly between: number;
}

export const usualPatience: Patience = { first: 180_000, between: 60_000 };

/** Aborts its signal when nothing was heard for too long, or when one of the outer signals fires. */
export class Silence {
  readonly #controller = new AbortController();
  readonly #host: string;
  readonly signal: AbortSignal;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(host: string, outer: readonly AbortSignal[]) {
    this.#host = host;
    this.signal = AbortSignal.any([this.#controller.signal, ...outer]);
  }

  /** Something was heard, or the wait begins: from now on, this long. */
  wait(ms: number): void {
    this.end();
    this.#timer = setTimeout(() => {
      const message = `${this.#host} has said nothing for ${Math.round(ms / 1000)} s. Try again, or choose a smaller model.`;
      this.#controller.abort(new ModelFailure('timeout', message));
    }, ms);
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}
