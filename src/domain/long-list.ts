/*
 * A list whose older elements are not in memory as objects but are created on demand from their stored form. To readers
 * it is an array like any other: iterating over all of it costs as much as creating all of it, and other uses do not
 * pay for that.
 */

/** Source of the older elements. The same index always gives an equal element, but not always the same object. */
export interface Source<T> {
  readonly length: number;
  at(index: number): T;
}

/** The parts of a list: the first `length` elements of the source, followed by the newer ones. */
interface Parts<T> {
  readonly source: Source<T>;
  length: number;
  newer: T[];
  /** The very first element, by which a list is recognised. */
  first: T | undefined;
}

const long = new WeakMap<object, Parts<unknown>>();

const partsOf = <T>(list: readonly T[]): Parts<T> | undefined => long.get(list) as Parts<T> | undefined;

/** Returns the source of a list and how many of its elements the list begins with; undefined for an ordinary list. */
export const sourceOf = <T>(list: readonly T[]): Pick<Parts<T>, 'source' | 'length'> | undefined => partsOf(list);

/** Creates a list that begins with all of a source. */
export const longList = <T>(source: Source<T>, newer: readonly T[]): T[] =>
  source.length === 0 ? [...newer] : listOf({ source, length: source.length, newer: [...newer], first: undefined });

const listOf = <T>(parts: Parts<T>): T[] => {
  const list = new Proxy<T[]>([], new Handler(parts));
  long.set(list, parts as Parts<unknown>);
  return list;
};

/** Returns a separate list with the same elements, to be written to. The source is shared. */
export const copyOf = <T>(list: readonly T[]): T[] => {
  const parts = partsOf(list);
  return parts === undefined ? [...list] : listOf({ ...parts, newer: [...parts.newer] });
};

/** Returns the list with more elements at its end; the original is left unchanged. */
export const grown = <T>(list: readonly T[], added: readonly T[]): readonly T[] => {
  const parts = partsOf(list);
  // Copied as a block: there may be hundreds of thousands.
  return parts === undefined ? list.concat(added) : listOf({ ...parts, newer: parts.newer.concat(added) });
};

class Handler<T> implements ProxyHandler<T[]> {
  readonly #parts: Parts<T>;

  constructor(parts: Parts<T>) {
    this.#parts = parts;
  }

  get(target: T[], key: string | symbol, receiver: unknown): unknown {
    if (key === 'length') return this.#length;
    if (key === Symbol.iterator) return this.#each;
    const index = this.#indexOf(key);
    return index === null ? Reflect.get(target, key, receiver) : this.#at(index);
  }

  has(target: T[], key: string | symbol): boolean {
    const index = this.#indexOf(key);
    return index === null ? Reflect.has(target, key) : index < this.#length;
  }

  set(_: T[], key: string | symbol, value: unknown): boolean {
    const parts = this.#parts;
    const index = key === 'length' ? (value as number) : this.#indexOf(key);
    if (index === null || index > this.#length) return false;
    if (index < parts.length) {
      // Overwritten elements must be among the newer ones, and truncated ones must be gone.
      parts.newer = key === 'length' ? [] : [...this.#slice(index, parts.length), ...parts.newer];
      parts.length = index;
    }
    if (key === 'length') parts.newer.length = index - parts.length;
    else parts.newer[index - parts.length] = value as T;
    return true;
  }

  /** `pop` calls this before it sets the length. */
  deleteProperty(_: T[], key: string | symbol): boolean {
    return this.#indexOf(key) === this.#length - 1;
  }

  ownKeys(): string[] {
    return [...Array.from({ length: this.#length }, (_, index) => String(index)), 'length'];
  }

  getOwnPropertyDescriptor(_: T[], key: string | symbol): PropertyDescriptor | undefined {
    if (key === 'length') return { value: this.#length, writable: true, enumerable: false, configurable: false };
    const index = this.#indexOf(key);
    if (index === null || index >= this.#length) return undefined;
    return { value: this.#at(index), writable: true, enumerable: true, configurable: true };
  }

  get #length(): number {
    return this.#parts.length + this.#parts.newer.length;
  }

  readonly #each = (): Generator<T> => this.#walk();

  *#walk(): Generator<T> {
    for (let index = 0; index < this.#length; index++) yield this.#at(index) as T;
  }

  #at(index: number): T | undefined {
    const parts = this.#parts;
    if (index >= parts.length) return parts.newer[index - parts.length];
    if (index > 0) return parts.source.at(index);
    parts.first ??= parts.source.at(0);
    return parts.first;
  }

  #slice(from: number, to: number): T[] {
    return Array.from({ length: to - from }, (_, at) => this.#at(from + at) as T);
  }

  #indexOf(key: string | symbol): number | null {
    // Of an array's properties, only its elements begin with a digit.
    return typeof key === 'string' && key <= '9~' && key >= '0' ? Number(key) : null;
  }
}

/**
 * A source that creates its elements block by block. The most recently read blocks are kept, so that iterating over the
 * list creates each of them once.
 */
export class Blocks<T> implements Source<T> {
  readonly length: number;
  readonly #ends: readonly number[];
  readonly #read: (block: number) => readonly T[];
  readonly #most: number;
  readonly #made = new Map<number, readonly T[]>();
  #last: { readonly block: number; readonly from: number; readonly to: number; readonly made: readonly T[] } | null =
    null;

  /** `ends`: number of elements up to the end of each block. `most`: number of blocks to keep. */
  constructor(ends: readonly number[], read: (block: number) => readonly T[], most: number) {
    this.#ends = ends;
    this.#read = read;
    this.#most = most;
    this.length = ends.at(-1) ?? 0;
  }

  at(index: number): T {
    let last = this.#last;
    if (last === null || index < last.from || index >= last.to) {
      const block = this.#blockOf(index);
      last = {
        block,
        from: this.#ends[block - 1] ?? 0,
        to: this.#ends[block] as number,
        made: this.#blockAt(block),
      };
      this.#last = last;
    }
    return last.made[index - last.from] as T;
  }

  #blockAt(block: number): readonly T[] {
    const made = this.#made.get(block) ?? this.#read(block);
    this.#made.delete(block);
    this.#made.set(block, made);
    for (const [oldest] of this.#made) {
      if (this.#made.size <= this.#most) break;
      this.#made.delete(oldest);
    }
    return made;
  }

  #blockOf(index: number): number {
    return placeWhere(0, this.#ends.length, (block) => (this.#ends[block] as number) <= index);
  }
}

/** Returns the first place from `from` up to `to` that is not before the target, in ordered places; `to` if all of them are before it. */
export const placeWhere = (from: number, to: number, isBefore: (place: number) => boolean): number => {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
};
