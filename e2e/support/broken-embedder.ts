import type { Page } from '@playwright/test';

declare global {
  interface Window {
    embedderBroken: boolean;
  }
}

/**
 * Has the embedded encoder give no vectors while it is broken, though it goes on counting tokens: it answers what was not
 * asked, and the page must say so.
 */
export class BrokenEmbedder {
  readonly #page: Page;

  private constructor(page: Page) {
    this.#page = page;
  }

  /** Before the page is opened; it is whole at first. */
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
