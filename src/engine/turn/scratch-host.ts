import { apply } from '../../domain/apply.ts';
import { LOG_VERSION } from '../../domain/entry.ts';
import type { Forest } from '../../domain/forest.ts';
import { type Handled, handle, type Intent } from '../../domain/handle.ts';
import type { Host } from '../core.ts';

/** A host on which what is done to a forest is done to nothing else: to find out what would come of it. */
export class ScratchHost implements Host {
  #forest: Forest;

  constructor(forest: Forest) {
    this.#forest = forest;
  }

  forest(): Forest {
    return this.#forest;
  }

  async commit(intent: Intent): Promise<Handled> {
    const handled = handle(this.#forest, intent);
    if (!handled.ok) return handled;
    const next = handled.events.some(({ type }) => type === 'turn-placed')
      ? writable(this.#forest)
      : writableBeside(this.#forest);
    for (const event of handled.events) apply(next, { v: LOG_VERSION, seq: 1, at: 0, step: handled.step, event });
    this.#forest = next;
    return handled;
  }

  received(): void {
    // Nothing is replied here.
  }

  phase(): void {
    // Nobody watches.
  }
}

/** A copy whose tables of nodes and topics are those of the forest: what is kept of them serves both. */
const writableBeside = (forest: Forest): Forest => ({
  ...forest,
  pending: { ...forest.pending },
  overviews: { ...forest.overviews },
  history: { past: [...forest.history.past], future: [...forest.history.future] },
});

/** A copy in which a turn can be hung: of a topic a field is written in place. */
const writable = (forest: Forest): Forest => ({
  ...writableBeside(forest),
  nodes: { ...forest.nodes },
  children: { ...forest.children },
  branches: { ...forest.branches },
  trees: Object.fromEntries(Object.entries(forest.trees).map(([id, tree]) => [id, { ...tree }])),
});
