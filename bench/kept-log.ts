import { applyEntries, fold, frozen } from '../src/domain/apply.ts';
import { type Entry, LOG_VERSION } from '../src/domain/entry.ts';
import type { Forest } from '../src/domain/forest.ts';
import { handle, type Intent, type IntentOutcome } from '../src/domain/handle.ts';

/** A conversation kept the way the app does, but in memory: a log, and a forest that every commit replaces while sharing what did not change. */
export class KeptLog {
  readonly #entries: Entry[];
  #forest: Forest;
  #ids = 0;

  constructor(entries: readonly Entry[]) {
    this.#entries = [...entries];
    this.#forest = frozen(fold(entries));
  }

  get forest(): Forest {
    return this.#forest;
  }

  get entries(): readonly Entry[] {
    return this.#entries;
  }

  newId(): string {
    this.#ids += 1;
    return `new${this.#ids}`;
  }

  refold(): void {
    this.#forest = frozen(fold(this.#entries));
  }

  commit(intent: Intent): IntentOutcome {
    const handled = handle(this.#forest, intent);
    if (!handled.ok) return handled;
    const added = handled.events.map(
      (event, i): Entry => ({ v: LOG_VERSION, seq: this.#entries.length + 1 + i, at: 0, step: handled.step, event }),
    );
    this.#entries.push(...added);
    this.#forest = applyEntries(this.#forest, added);
    return handled;
  }
}
