/**
 * Records by id. One is looked up as in any object; they are listed by `recordsOf`, `idsOf` and `sizeOf`, for what
 * `Object.values` and its like see of a table that was branched off is only what has changed in it.
 */
export type Table<T> = { [id: string]: T | undefined };

/*
 * A table that is branched off has the one it comes from as its prototype: what is the same is found there, and a record
 * that is gone is undefined. So a commit costs what it changes, and forests of a hundred moments share what they have in
 * common. Layers grow geometrically downwards, which keeps them few.
 */

/** Records of the topmost layer, which every branching copies. */
const TOP = 96;
/** A layer is merged into the one below unless that is so many times as large. */
const RATIO = 4;
/** Tables whose listing is kept. */
const LISTED = 24;

const isPlain = (table: object): boolean => Object.getPrototypeOf(table) === Object.prototype;
const below = <T>(table: Table<T>): Table<T> => Object.getPrototypeOf(table);

/** Own keys of the layers that are never written to again. */
const layers = new WeakMap<object, number>();

/** Says of a table that it is not written to any more: what is counted and listed of it can be kept. */
export const settle = (table: Table<unknown>): void => {
  if (!layers.has(table)) layers.set(table, Object.keys(table).length);
};

const isSettled = (table: Table<unknown>): boolean => layers.has(table) && (isPlain(table) || isSettled(below(table)));

const layerSize = (layer: object): number => layers.get(layer) ?? Object.keys(layer).length;

/** A table to write to that has all of another, which from then on is not to be written to. */
export const branched = <T>(table: Table<T>): Table<T> => {
  if (isPlain(table)) return layerOn(table, []);
  settle(table);
  if (Object.keys(table).length < TOP) return layerOn(below(table), [table]);
  return layerOn(merged(table), []);
};

/**
 * Ids that a layer has where there was no record: they are listed last, also where there had been one before. With each, whether there may
 * be one below the layer all the same, which it has removed.
 */
const added = new WeakMap<object, Map<string, boolean>>();

const addTo = (layer: object, id: string, isBelow: boolean): void => {
  const known = added.get(layer);
  if (known === undefined) added.set(layer, new Map([[id, isBelow]]));
  else known.set(id, isBelow);
};

/** A layer of all that some layers have, the lowest first. */
const layerOn = <T>(table: Table<T>, contents: readonly Table<T>[]): Table<T> => {
  const layer: Table<T> = Object.create(table);
  for (const upper of contents) {
    for (const [id, isBelow] of added.get(upper) ?? []) {
      addTo(layer, id, isBelow || Object.hasOwn(layer, id));
      // So that they come behind what was there.
      delete layer[id];
    }
    Object.assign(layer, upper);
  }
  return layer;
};

/** The same table with its upper layers made one. */
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
  settle(layer);
  return layer;
};

/** A plain object of all that is in it. */
const flattened = <T>(table: Table<T>): Table<T> => {
  if (isPlain(table)) return table;
  const listing = listingOf(table);
  const { slots } = listing;
  const ids = listing.ids();
  const flat: Table<T> = {};
  for (let at = 0; at < ids.length; at++) if (slots[at] !== undefined) flat[ids[at] as string] = slots[at];
  settle(flat);
  return flat;
};

/** A table with one record more, or another in its place; it is not to be written to any more. */
export const withRecord = <T>(table: Table<T>, id: string, record: T): Table<T> => {
  const next = branched(table);
  write(next, id, record);
  settle(next);
  return next;
};

/** Writes a record in place, or (undefined) removes it. */
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
  /** In the order in which they came, as an object lists them; one that is gone leaves a place without a record. */
  readonly ids: () => readonly string[];
  readonly slots: readonly (T | undefined)[];
  readonly size: number;
  readonly placeOf: (id: string) => number | undefined;
  records: readonly T[] | null;
}

const listings = new WeakMap<object, { readonly listing: Listing<unknown>; readonly ref: WeakRef<object> | null }>();
/** Whose listings are kept, plain tables aside: the one asked for last comes last. */
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
  // What is still written to is not the same the next time.
  if (isSettled(table)) keepListing(table, listing);
  return listing;
};

const keepListing = <T>(table: Table<T>, listing: Listing<T>): void => {
  // There are few, on which all others lie: theirs stay as long as they do.
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

/** A settled table of those records, which stand in the order in which it lists them. */
export const listedTable = <T>(ids: readonly string[], records: readonly T[]): Table<T> => {
  const table: Table<T> = {};
  for (let at = 0; at < ids.length; at++) table[ids[at] as string] = records[at];
  layers.set(table, ids.length);
  keepListing(table, plainListing(ids, records));
  return table;
};

const plainListing = <T>(ids: readonly string[], slots: readonly (T | undefined)[]): Listing<T> => {
  let places: Map<string, number> | null = null;
  const placeOf = (id: string) => {
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
    // Places are made for who needs one of them.
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
  // `concat` copies as a block, and once.
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

/** All records, in the order in which they came. */
export const recordsOf = <T>(table: Table<T>): readonly T[] => {
  if (isPlain(table) && !layers.has(table)) return Object.values(table) as T[];
  const listing = listingOf(table);
  const { slots, size } = listing;
  listing.records ??=
    size === slots.length ? (slots as readonly T[]) : slots.filter((one): one is T => one !== undefined);
  return listing.records;
};

/** The ids of all records, in the same order. */
export const idsOf = <T>(table: Table<T>): readonly string[] => {
  if (isPlain(table)) return Object.keys(table);
  const listing = listingOf(table);
  const { slots, size } = listing;
  const ids = listing.ids();
  return size === ids.length ? ids : ids.filter((_, at) => slots[at] !== undefined);
};

const sizes = new WeakMap<object, number>();

/** It costs what the upper layers have, and not what is listed. */
export const sizeOf = (table: Table<unknown>): number => {
  if (isPlain(table)) return layers.get(table) ?? Object.keys(table).length;
  const known = sizes.get(table);
  if (known !== undefined) return known;
  const lower = below(table);
  let size = sizeOf(lower);
  for (const id of Object.keys(table)) size += Number(table[id] !== undefined) - Number(lower[id] !== undefined);
  if (isSettled(table)) sizes.set(table, size);
  return size;
};

/**
 * Ids that were written to since two tables were one, on the way to either; null where they have nothing in common or one
 * is still written to, so that it may be all. It costs what was changed since then.
 */
export const writtenIds = <T>(before: Table<T>, now: Table<T>): ReadonlySet<string> | null => {
  if (!isSettled(before) || !isSettled(now)) return null;
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

/** Of those the ids whose records differ. */
export const changedIds = <T>(before: Table<T>, now: Table<T>): readonly string[] | null => {
  const written = writtenIds(before, now);
  return written === null ? null : [...written].filter((id) => before[id] !== now[id]);
};

/** From the topmost down. */
const layersOf = <T>(table: Table<T>): Table<T>[] => {
  const found = [table];
  for (let layer = table; !isPlain(layer); ) {
    layer = below(layer);
    found.push(layer);
  }
  return found;
};

/** The same as a plain object, to be compared or cloned. */
export const plainTable = <T>(table: Table<T>): Table<T> => ({ ...flattened(table) });
