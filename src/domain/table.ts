/**
 * Records by id, looked up as in any object. To list them use `recordsOf`, `idsOf` and `sizeOf`: on a layered table,
 * `Object.values` and the like see only what has changed in it.
 */
export type Table<T> = { [id: string]: T | undefined };

/*
 * A layered table has its base table as its prototype: unchanged records are found there, and a removed record is
 * undefined. A commit therefore costs only what it changes, and the forests of a hundred moments share what they have
 * in common. Layers grow geometrically downwards, which keeps them few.
 */

/** Records of the topmost layer, which is copied on every branching. */
const TOP = 96;
/** A layer is merged into the one below unless that one is this many times as large. */
const RATIO = 4;
/** Maximum number of tables with a cached listing. */
const LISTED = 24;

const isPlain = (table: object): boolean => Object.getPrototypeOf(table) === Object.prototype;
const below = <T>(table: Table<T>): Table<T> => Object.getPrototypeOf(table);

/** Own key counts of layers that are never written to again. */
const layers = new WeakMap<object, number>();

/** Marks a table as no longer written to, so that its count and listing can be cached. */
export const freezeTable = (table: Table<unknown>): void => {
  if (!layers.has(table)) layers.set(table, Object.keys(table).length);
};

const isFrozen = (table: Table<unknown>): boolean => layers.has(table) && (isPlain(table) || isFrozen(below(table)));

const layerSize = (layer: object): number => layers.get(layer) ?? Object.keys(layer).length;

/** Returns a writable table with the contents of another, which must not be written to from then on. */
export const layered = <T>(table: Table<T>): Table<T> => {
  if (isPlain(table)) return layerOn(table, []);
  freezeTable(table);
  if (Object.keys(table).length < TOP) return layerOn(below(table), [table]);
  return layerOn(merged(table), []);
};

/**
 * Ids that a layer added where there was no record; they are listed last, even if there had been one before. The value
 * tells whether there may still be one below the layer, which this layer has removed.
 */
const added = new WeakMap<object, Map<string, boolean>>();

const addTo = (layer: object, id: string, isBelow: boolean): void => {
  const known = added.get(layer);
  if (known === undefined) added.set(layer, new Map([[id, isBelow]]));
  else known.set(id, isBelow);
};

/** Creates one layer from the contents of several, lowest first. */
const layerOn = <T>(table: Table<T>, contents: readonly Table<T>[]): Table<T> => {
  const layer: Table<T> = Object.create(table);
  for (const upper of contents) {
    for (const [id, isBelow] of added.get(upper) ?? []) {
      addTo(layer, id, isBelow || Object.hasOwn(layer, id));
      // So that they come after the existing ones.
      delete layer[id];
    }
    Object.assign(layer, upper);
  }
  return layer;
};

/** Returns the same table with its upper layers merged. */
const merged = <T>(table: Table<T>): Table<T> => {
  const upper = [table];
  let size = Object.keys(table).length;
  let under = below(table);
  while (layerSize(under) <= RATIO * size) {
    if (isPlain(under)) return flattened(table);
    upper.unshift(under);
    size += layerSize(under);
    under = below(under);
  }
  const layer = layerOn(under, upper);
  freezeTable(layer);
  return layer;
};

/** Returns a plain object with all of its records. */
const flattened = <T>(table: Table<T>): Table<T> => {
  if (isPlain(table)) return table;
  const listing = listingOf(table);
  const { slots } = listing;
  const ids = listing.ids();
  const flat: Table<T> = {};
  for (let at = 0; at < ids.length; at++) if (slots[at] !== undefined) flat[ids[at] as string] = slots[at];
  freezeTable(flat);
  return flat;
};

/** Returns a table with one record added or replaced; it must not be written to any more. */
export const withRecord = <T>(table: Table<T>, id: string, record: T): Table<T> => {
  const next = layered(table);
  write(next, id, record);
  freezeTable(next);
  return next;
};

/** Writes a record in place, or removes it if undefined. */
export const write = <T>(table: Table<T>, id: string, record: T | undefined): void => {
  const plain = isPlain(table);
  if (record === undefined && plain) {
    delete table[id];
    return;
  }
  if (record !== undefined && !plain && table[id] === undefined) {
    addTo(table, id, Object.hasOwn(table, id));
    delete table[id];
  }
  table[id] = record;
};

interface Listing<T> {
  /** In insertion order, as an object lists them; a removed one leaves a slot without a record. */
  readonly ids: () => readonly string[];
  readonly slots: readonly (T | undefined)[];
  readonly size: number;
  readonly placeOf: (id: string) => number | undefined;
  records: readonly T[] | null;
}

const listings = new WeakMap<object, { readonly listing: Listing<unknown>; readonly ref: WeakRef<object> | null }>();
/** Tables with cached listings, except plain ones; the most recently used comes last. */
const listed = new Set<WeakRef<object>>();

const listingOf = <T>(table: Table<T>): Listing<T> => {
  const known = listings.get(table);
  if (known !== undefined) {
    if (known.ref !== null) {
      listed.delete(known.ref);
      listed.add(known.ref);
    }
    return known.listing as Listing<T>;
  }
  const listing = isPlain(table) ? plainListing(Object.keys(table), Object.values(table)) : layerListing(table);
  // The listing of a table still being written to may change.
  if (isFrozen(table)) keepListing(table, listing);
  return listing;
};

const keepListing = <T>(table: Table<T>, listing: Listing<T>): void => {
  // There are few, and all others build on them; their listings live as long as they do.
  if (isPlain(table)) {
    listings.set(table, { listing, ref: null });
    return;
  }
  const ref = new WeakRef<object>(table);
  listings.set(table, { listing, ref });
  listed.add(ref);
  const [oldest] = listed;
  if (listed.size <= LISTED || oldest === undefined) return;
  listed.delete(oldest);
  const forgotten = oldest.deref();
  if (forgotten !== undefined) listings.delete(forgotten);
};

/** Creates a frozen table from these records, which are already in listing order. */
export const listedTable = <T>(ids: readonly string[], records: readonly T[]): Table<T> => {
  const table: Table<T> = {};
  for (let at = 0; at < ids.length; at++) table[ids[at] as string] = records[at];
  layers.set(table, ids.length);
  keepListing(table, plainListing(ids, records));
  return table;
};

const plainListing = <T>(ids: readonly string[], slots: readonly (T | undefined)[]): Listing<T> => {
  let places: Map<string, number> | null = null;
  // Mostly the last few are asked for: an index of all is built once the search for them has passed as many ids.
  let left = ids.length;
  const placeOf = (id: string) => {
    for (let at = ids.length - 1; at >= 0 && left > 0; at--, left--) if (ids[at] === id) return at;
    places ??= new Map(ids.map((one, at) => [one, at]));
    return places.get(id);
  };
  return { ids: () => ids, slots, size: ids.length, placeOf, records: null };
};

const layerListing = <T>(table: Table<T>): Listing<T> => {
  const lower = listingOf(below(table));
  const news = added.get(table);
  const lastIds: string[] = [];
  const lastRecords: T[] = [];
  const changed: [place: number, record: T | undefined][] = [];
  let size = lower.size;
  const records = Object.values(table);
  for (const [at, id] of Object.keys(table).entries()) {
    const record = records[at];
    const isBelow = news?.get(id);
    // The index of places is built only if one of them is needed.
    const known = isBelow === false ? undefined : lower.placeOf(id);
    const stays = known !== undefined && record !== undefined && isBelow === undefined;
    if (known !== undefined) {
      changed.push([known, stays ? record : undefined]);
      if (lower.slots[known] !== undefined) size -= 1;
    }
    if (record === undefined) continue;
    size += 1;
    if (stays) continue;
    lastIds.push(id);
    lastRecords.push(record);
  }
  // `concat` copies as a block, and only once.
  const slots = lower.slots.concat(lastRecords);
  for (const [place, record] of changed) slots[place] = record;
  let places: Map<string, number> | null = null;
  const placeOf = (id: string): number | undefined => {
    places ??= new Map(lastIds.map((one, at) => [one, lower.slots.length + at]));
    return places.get(id) ?? lower.placeOf(id);
  };
  let ids: readonly string[] | null = null;
  return { ids: () => (ids ??= lower.ids().concat(lastIds)), slots, size, placeOf, records: null };
};

/** All records, in insertion order. */
export const recordsOf = <T>(table: Table<T>): readonly T[] => {
  if (isPlain(table) && !layers.has(table)) return Object.values(table) as T[];
  const listing = listingOf(table);
  const { slots, size } = listing;
  listing.records ??=
    size === slots.length ? (slots as readonly T[]) : slots.filter((one): one is T => one !== undefined);
  return listing.records;
};

/** All ids, in the same order. */
export const idsOf = <T>(table: Table<T>): readonly string[] => {
  if (isPlain(table)) return Object.keys(table);
  const listing = listingOf(table);
  const { slots, size } = listing;
  const ids = listing.ids();
  return size === ids.length ? ids : ids.filter((_, at) => slots[at] !== undefined);
};

const sizes = new WeakMap<object, number>();

/** Costs the size of the upper layers, not of the whole table. */
export const sizeOf = (table: Table<unknown>): number => {
  if (isPlain(table)) return layers.get(table) ?? Object.keys(table).length;
  const known = sizes.get(table);
  if (known !== undefined) return known;
  const lower = below(table);
  let size = sizeOf(lower);
  for (const id of Object.keys(table)) size += Number(table[id] !== undefined) - Number(lower[id] !== undefined);
  if (isFrozen(table)) sizes.set(table, size);
  return size;
};

/**
 * Ids written since two tables diverged, on either side; null if they have nothing in common or one is still being
 * written to, which means any id may have changed. The cost is proportional to the changes since then.
 */
export const writtenIds = <T>(before: Table<T>, now: Table<T>): ReadonlySet<string> | null => {
  if (!isFrozen(before) || !isFrozen(now)) return null;
  const ids = new Set<string>();
  if (before === now) return ids;
  const olds = layersOf(before);
  const news = layersOf(now);
  const shared = news.find((layer) => olds.includes(layer));
  if (shared === undefined) return null;
  for (const layers of [olds, news]) {
    for (const layer of layers.slice(0, layers.indexOf(shared))) for (const id of Object.keys(layer)) ids.add(id);
  }
  return ids;
};

/** The ids among those whose records differ. */
export const changedIds = <T>(before: Table<T>, now: Table<T>): readonly string[] | null => {
  const written = writtenIds(before, now);
  return written === null ? null : [...written].filter((id) => before[id] !== now[id]);
};

/** The layers of a table from the topmost down. */
const layersOf = <T>(table: Table<T>): Table<T>[] => {
  const found = [table];
  for (let layer = table; !isPlain(layer); ) {
    layer = below(layer);
    found.push(layer);
  }
  return found;
};
