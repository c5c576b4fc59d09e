import type { Placement } from '../../domain/decision.ts';
import type { Forest } from '../../domain/forest.ts';
import type { FreshIds } from '../../domain/handle.ts';

/** Ids for what placements make: those that the original made at the same place, where a re-run has not used them yet. */
export class ReusedIds {
  readonly #newId: () => string;
  readonly #used = new Set<string>();

  constructor(newId: () => string) {
    this.#newId = newId;
  }

  /** What the forest holds now is used. */
  note(forest: Forest): void {
    for (const id of Object.keys(forest.trees)) this.#used.add(id);
    for (const id of Object.keys(forest.branches)) this.#used.add(id);
  }

  /** `placement`: the original's; its ids may be new ones, or those of what was there. */
  like({ treeId, branchId }: Placement): FreshIds {
    return { treeId: this.#unused(treeId), branchId: this.#unused(branchId) };
  }

  #unused(id: string): string {
    return this.#used.has(id) ? this.#newId() : id;
  }
}
