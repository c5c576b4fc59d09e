/** One at a time, in order of arrival. */
export class Queue {
  #last: Promise<void> = Promise.resolve();

  /** Waits for its turn; what is returned ends it. Rejects with the signal's reason, and takes no turn then. */
  async enter(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    const before = this.#last;
    let leave: () => void = () => undefined;
    const turn = new Promise<void>((resolve) => {
      leave = resolve;
    });
    this.#last = before.then(() => turn);
    const aborted = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
    try {
      await Promise.race([before, aborted]);
      return leave;
    } catch (error) {
      leave();
      throw error;
    }
  }
}
