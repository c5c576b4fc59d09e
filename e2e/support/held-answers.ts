import type { Page } from '@playwright/test';
import { RECALL_WORD_DELAY } from '../../src/engine/embedded-names.ts';

/** What is counted and held back: pieces of a reply (`piece`), or embedded turns (`embedded`). */
type Held = 'piece' | 'embedded';

interface Gate {
  kind: Held | null;
  after: number;
  letGo: () => void;
}

declare global {
  interface Window {
    heldAnswers: Gate;
  }
}

/**
 * Holds the answers of the models' workers back after a given point until they are released, like a slow model, so that
 * a test can act in the middle. The model itself is real, and has often written the rest already. An abort lets the end
 * through, not the rest.
 */
export class HeldAnswers {
  readonly #page: Page;

  private constructor(page: Page) {
    this.#page = page;
  }

  /** Call before the page is opened. */
  static async install(page: Page): Promise<HeldAnswers> {
    await page.addInitScript(watchWorkers);
    return new HeldAnswers(page);
  }

  /** From now on each worker's answers stop after this many of a kind. */
  async after(count: number, kind: Held = 'piece'): Promise<void> {
    await this.#page.evaluate(
      ([after, held]) => {
        Object.assign(window.heldAnswers, { after, kind: held });
      },
      [count, kind] as const,
    );
  }

  /** Releases everything held, and whatever follows. */
  async letGo(): Promise<void> {
    await this.#page.evaluate(() => window.heldAnswers.letGo());
  }
}

/** Runs in the page, before its own scripts. */
const watchWorkers = (): void => {
  const waiting = new Set<() => void>();
  const gate: Gate = {
    kind: null,
    after: 0,
    letGo: () => {
      gate.kind = null;
      for (const flush of [...waiting]) flush();
    },
  };
  window.heldAnswers = gate;

  class HeldWorker extends Worker {
    /** Whether the model is one that the user chose. */
    readonly #chosen: boolean;
    #heard: ((event: MessageEvent) => void) | null = null;
    #queue: MessageEvent[] = [];
    #counted = 0;
    readonly #flush = (): void => {
      waiting.delete(this.#flush);
      for (const event of this.#queue.splice(0)) this.#heard?.(event);
    };

    constructor(url: string | URL, options?: WorkerOptions) {
      super(url, options);
      this.#chosen = options?.name === 'wllama' || options?.name === 'transformers';
    }

    override get onmessage() {
      return this.#heard;
    }

    override set onmessage(heard: ((event: MessageEvent) => void) | null) {
      this.#heard = heard;
      super.onmessage = (event) => {
        const { kind } = event.data ?? {};
        if (kind === 'piece' || kind === 'embedded') this.#counted += 1;
        const held =
          this.#queue.length > 0 ||
          (this.#chosen && gate.kind !== null && kind === gate.kind && this.#counted > gate.after);
        if (!held) return this.#heard?.(event);
        this.#queue.push(event);
        waiting.add(this.#flush);
      };
    }

    override postMessage(message: unknown, options?: StructuredSerializeOptions | Transferable[]): void {
      const { kind } = (message ?? {}) as { kind?: string };
      if (kind === 'generate' || kind === 'embed') this.#counted = kind === 'embed' ? this.#counted : 0;
      if (kind === 'abort') {
        this.#queue = this.#queue.filter(({ data }) => data.kind !== 'piece');
        this.#flush();
      }
      super.postMessage(message, options as StructuredSerializeOptions);
    }
  }
  window.Worker = HeldWorker;
};

/** Every reply of recall has said by then that it is no language model. */
const OPENING = 8;

/**
 * Holds the replies of recall, which runs in the page, back after those words, until the function returned is called. For
 * an open page.
 */
export const holdRecall = async (page: Page): Promise<() => Promise<void>> => {
  // With reduced motion, replies appear at once.
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  const letGo = await page.evaluateHandle(
    ([words, delay]) => {
      const { setTimeout: wait } = window;
      const waiting: (() => void)[] = [];
      let left = words;
      const held = (run: () => void, ms?: number, ...rest: never[]): number => {
        // Only recall pauses for exactly this long, before each word.
        if (ms !== delay || left-- > 0) return wait(run, ms, ...rest);
        waiting.push(run);
        return 0;
      };
      Object.assign(window, { setTimeout: held });
      return () => {
        Object.assign(window, { setTimeout: wait });
        for (const run of waiting) run();
      };
    },
    [OPENING, RECALL_WORD_DELAY] as const,
  );
  return () => letGo.evaluate((run) => run());
};
