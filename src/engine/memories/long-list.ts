/** Items, or branches, of a branch of the trie. */
const WAYS = 32;
const BITS = 5;

type Branch = readonly unknown[];

/**
 * A list that is never changed: one with an item more, or another in its place, shares the rest with it (a trie of 32
 * ways, as persistent vectors have it). A memory keeps a state for every turn: with arrays ten thousand turns would be
 * fifty million places, with this they are what each turn changed.
 */
export class LongList<T> implements Iterable<T> {
  readonly length: number;
  readonly #root: Branch;
  /** Bits of an index below those that choose in the root. */
  readonly #shift: number;

  private constructor(length: number, root: Branch, shift: number) {
    this.length = length;
    this.#root = root;
    this.#shift = shift;
  }

  static readonly #none = new LongList<never>(0, [], 0);

  static of<T>(...items: readonly T[]): LongList<T> {
    const none: LongList<T> = LongList.#none;
    return none.and(...items);
  }

  /** undefined beyond the end. */
  at(index: number): T | undefined {
    if (index < 0 || index >= this.length) return undefined;
    let branch = this.#root;
    for (let shift = this.#shift; shift > 0; shift -= BITS) branch = branch[(index >>> shift) % WAYS] as Branch;
    return branch[index % WAYS] as T;
  }

  /** With these at the end. */
  and(...items: readonly T[]): LongList<T> {
    let [root, shift, length] = [this.#root, this.#shift, this.length];
    for (const item of items) {
      if (length === WAYS * 2 ** shift) [root, shift] = [[root], shift + BITS];
      root = replaced(root, shift, length++, item);
    }
    return new LongList<T>(length, root, shift);
  }

  /** With another item in the place of one that is there. */
  with(index: number, item: T): LongList<T> {
    if (index < 0 || index >= this.length) throw new RangeError(`${index} is no place in a list of ${this.length}`);
    return new LongList<T>(this.length, replaced(this.#root, this.#shift, index, item), this.#shift);
  }

  *[Symbol.iterator](): Iterator<T> {
    for (let start = 0; start < this.length; start += WAYS) {
      let branch = this.#root;
      for (let shift = this.#shift; shift > 0; shift -= BITS) branch = branch[(start >>> shift) % WAYS] as Branch;
      yield* branch as readonly T[];
    }
  }
}

/** A copy of the branches on the way to a place; the place may be the one after the last. */
const replaced = (branch: Branch, shift: number, index: number, item: unknown): Branch => {
  const copy = branch.slice();
  const at = (index >>> shift) % WAYS;
  copy[at] = shift === 0 ? item : replaced((branch[at] as Branch | undefined) ?? [], shift - BITS, index, item);
  return copy;
};
