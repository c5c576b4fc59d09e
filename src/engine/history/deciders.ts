import type { Lesson } from '../place/lessons.ts';
import type { Decider, Models } from '../ports.ts';
import type { WhatIfParts } from './parts.ts';
import type { WhatIfDecider } from './question.ts';

/** Who is asked about a turn, and who stands in where that fails. */
export interface Asked {
  readonly models: Pick<Models, 'decide' | 'consult'>;
  readonly embedded: Decider;
}

/** The deciders of re-runs, as they would have answered at a moment. Made once for each state of the lessons. */
export class DecidersThen {
  readonly #parts: Pick<WhatIfParts, 'models' | 'embedded' | 'deciders'>;
  /** Oldest first. */
  readonly #lessons: readonly Lesson[];
  readonly #taught = new Map<number, Promise<Decider>>();

  constructor({ lessons, ...parts }: Pick<WhatIfParts, 'models' | 'embedded' | 'deciders' | 'lessons'>) {
    this.#parts = parts;
    this.#lessons = [...lessons].sort((a, b) => a.at - b.at);
  }

  /** `at`: milliseconds since 1970. */
  async asked(who: WhatIfDecider, at: number): Promise<Asked> {
    const { models, embedded, deciders } = this.#parts;
    const own = await this.#knowing(who === 'embedded-untaught' ? 0 : this.#knownAt(at));
    switch (who) {
      case 'chosen': {
        const { decide, consult } = models;
        const first = decide.name === embedded.decide.name ? own : decide;
        return { models: { decide: first, ...(consult && { consult }) }, embedded: own };
      }
      case 'embedded':
      case 'embedded-untaught':
        return { models: { decide: own }, embedded: own };
      case 'embedded-taught': {
        const all = await this.#knowing(this.#lessons.length);
        return { models: { decide: all }, embedded: all };
      }
      case 'paper-rule':
        return { models: { decide: deciders.paperRule }, embedded: own };
      case 'one-threshold':
        return { models: { decide: deciders.oneThreshold }, embedded: own };
    }
  }

  /** How many lessons there were already. */
  #knownAt(at: number): number {
    const later = this.#lessons.findIndex((lesson) => lesson.at >= at);
    return later === -1 ? this.#lessons.length : later;
  }

  #knowing(count: number): Promise<Decider> {
    let decider = this.#taught.get(count);
    if (decider === undefined) {
      decider = this.#parts.deciders.taught(this.#lessons.slice(0, count));
      this.#taught.set(count, decider);
      // Asked again, it is tried again.
      decider.catch(() => this.#taught.delete(count));
    }
    return decider;
  }
}
