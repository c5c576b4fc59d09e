import type { Page } from '@playwright/test';

declare global {
  interface Window {
    embedderBroken: boolean;
  }
}

/**
 * Makes the embedded encoder return no vectors while broken, though it still counts tokens: it answers the wrong
 * question, and the page must report that.
 */
export class BrokenEmbedder {
  readonly #page: Page;

  private constructor(page: Page) {
    this.#page = page;
  }

  /** Call before the page is opened; it works at first. */
  static async install(page: Page): Promise<BrokenEmbedder> {
    await page.addInitScript(watchWorkers);
    return new BrokenEmbedder(page);
  }

  async break(): Promise<void> {
    await this.#page.evaluate(() => {
      window.embedderBroken = true;
    });
  }

  async mend(): Promise<void> {
    await this.#page.evaluate(() => {
      window.embedderBroken = false;
    });
  }
}

/** Runs in the page, before its own scripts. */
const watchWorkers = (): void => {
  window.embedderBroken = false;
  class WatchedWorker extends Worker {
    override postMessage(message: unknown, options?: StructuredSerializeOptions | Transferable[]): void {
      const { kind, id } = (message ?? {}) as { kind?: string; id?: number };
      if (kind === 'embed' && window.embedderBroken) {
        const data = { kind: 'counted', id, counts: [] };
        setTimeout(() => this.dispatchEvent(new MessageEvent('message', { data })));
        return;
      }
      super.postMessage(message, options as StructuredSerializeOptions);
    }
  }
  window.Worker = WatchedWorker;
};
