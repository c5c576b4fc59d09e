import { apply } from '../../domain/apply.ts';
import { type Entry, LOG_VERSION } from '../../domain/entry.ts';
import { emptyForest, type Forest } from '../../domain/forest.ts';
import { type Handled, handle, type Intent } from '../../domain/handle.ts';

/** A log in memory, and the forest that it makes: nothing of it is kept anywhere. */
export class MemoryLog {
  readonly entries: Entry[] = [];
  readonly #forest: Forest = emptyForest();
  #given: Forest | null = null;

  /** The forest as it is, to be read at once: what comes next changes it. */
  get now(): Forest {
    return this.#forest;
  }

  /** The forest as it is. It is never changed once it was given: see `Host.forest`. */
  get forest(): Forest {
    this.#given ??= copyOf(this.#forest);
    return this.#given;
  }

  /** Takes an entry of another log as it is. */
  take({ at, step, event }: Entry): void {
    const entry: Entry = { v: LOG_VERSION, seq: this.entries.length + 1, at, step, event };
    // What was read of a node is known by the object, here as in the app.
    apply(this.#forest, entry, { copies: true });
    this.entries.push(entry);
    this.#given = null;
  }

  /** Carries an intent out as of a moment, in milliseconds since 1970. */
  commit(intent: Intent, at: number): Handled {
    const handled = handle(this.#forest, intent);
    if (!handled.ok) return handled;
    for (const event of handled.events) {
      this.take({ v: LOG_VERSION, seq: 0, at, step: handled.step, event });
    }
    return handled;
  }
}

const copyOf = (forest: Forest): Forest => ({
  ...forest,
  nodes: { ...forest.nodes },
  children: { ...forest.children },
  trees: { ...forest.trees },
  branches: { ...forest.branches },
  overviews: { ...forest.overviews },
  pending: { ...forest.pending },
});
