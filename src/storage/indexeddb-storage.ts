import { Dexie } from 'dexie';
import { attachmentIds, type Entry } from '../domain/entry.ts';
import {
  type AppendedMeta,
  appendedTo,
  type ConversationMeta,
  filedAs,
  type Storage,
  type StorageFailure,
} from '../engine/storage.ts';
import {
  asStorageFailures,
  BUNDLE,
  type DatabaseOptions,
  entryRows,
  guardOf,
  notOpened,
  openDatabase,
  parseBlob,
  parseEntries,
  parseLessons,
  parseMeta,
  parseVector,
} from './coppice-database.ts';
import { type ForestPrint, printForest, readForest, type StoredForest } from './forest-store.ts';
import { clearStorage, compressNext, measureStorage } from './housekeeping.ts';
import { canPack, pack, unpacked } from './log-packs.ts';
import { beginsWith, memoryStorage } from './memory-storage.ts';
import { gapFailure, toStorageFailure } from './storage-failure.ts';
import { announceChange, announceLessons, announceSetting } from './tab-sync.ts';

export interface IndexedDbStorage extends Storage {
  /** Closes the database; later calls reject as `closed`. */
  close(): void;
}

/** Up to this many vectors are just as fast to read one by one. */
const FEW_VECTORS = 64;
/** A range with more than this many times the wanted vectors is not read as one. */
const SPARSE = 2;
/** Entries in a pack: few enough to be parsed within a frame. */
const PACKED = 1000;

/** Opens the persistent storage. Rejects with a StorageFailure. */
export const openIndexedDbStorage = async (options: DatabaseOptions = {}): Promise<IndexedDbStorage> => {
  const db = await openDatabase(options);
  const guarded = guardOf(db);
  const {
    entries,
    conversations,
    vectors,
    lessons,
    settings,
    blobs,
    blobUses,
    studies,
    labelEvents,
    packs,
    texts,
    forests,
    compressed,
  } = db;
  const tablesOfLogs = [entries, compressed, packs, forests, texts, conversations, vectors, lessons, blobs, blobUses];

  const logAfter = (id: string, seq: number) =>
    entries.where('[conversationId+seq]').between([id, seq], [id, Dexie.maxKey], false);

  const newestSeq = async (id: string): Promise<number> => {
    const [newest] = await logAfter(id, 0).reverse().limit(1).primaryKeys();
    return newest?.[1] ?? 0;
  };

  const lessonsOf = (...of: readonly string[]) =>
    lessons.where('[conversationId+nodeId+question]').between([...of, Dexie.minKey], [...of, Dexie.maxKey]);

  const usesOf = (conversationId: string) =>
    blobUses.where('[conversationId+id]').between([conversationId, Dexie.minKey], [conversationId, Dexie.maxKey]);

  /** Removes those of the given files that no conversation references any more. */
  const dropIfUnused = async (ids: readonly string[]): Promise<void> => {
    const counts = await Promise.all(ids.map((id) => blobUses.where('id').equals(id).count()));
    await blobs.bulkDelete(ids.filter((_, at) => counts[at] === 0));
  };

  /** Sets the files that a conversation references, and removes those no longer referenced by any, except those `spared`. */
  const nameOnly = async (
    conversationId: string,
    ids: ReadonlySet<string>,
    spared: ReadonlySet<string> = new Set(),
  ): Promise<void> => {
    await blobUses.bulkPut([...ids].map((id) => ({ conversationId, id })));
    const gone = (await usesOf(conversationId).primaryKeys()).map(([, id]) => id).filter((id) => !ids.has(id));
    await blobUses.bulkDelete(gone.map((id): [string, string] => [conversationId, id]));
    await dropIfUnused(gone.filter((id) => !spared.has(id)));
  };

  const putMeta = async (meta: AppendedMeta): Promise<void> => {
    const stored = await conversations.get(meta.id);
    await conversations.put(appendedTo(stored === undefined ? undefined : parseMeta(meta.id, stored), meta));
  };

  /** Changes the metas of those of the given conversations that exist, in one transaction. */
  const changeMetas = (ids: readonly string[], change: (meta: ConversationMeta) => ConversationMeta): Promise<void> =>
    guarded(async () => {
      const changed = await db.transaction('rw', conversations, async () => {
        const rows = await conversations.bulkGet([...ids]);
        const there = ids.flatMap((id, at) => (rows[at] === undefined ? [] : [parseMeta(id, rows[at])]));
        await conversations.bulkPut(there.map(change));
        return there;
      });
      // To another tab, news of one that is not stored means that it was deleted for good.
      for (const { id } of changed) announceChange(id);
    });

  /**
   * Reads vectors whose hashes lie close together, as those of one long conversation do, as one range: this takes a
   * tenth of the time. Returns null if they are scattered.
   */
  const rangeOfVectors = async (
    model: string,
    hashes: readonly string[],
  ): Promise<(Float32Array | undefined)[] | null> => {
    const sorted = hashes.toSorted();
    const range = vectors.where('[model+hash]').between([model, sorted[0]], [model, sorted.at(-1)], true, true);
    if ((await range.count()) > SPARSE * hashes.length) return null;
    const rows = new Map((await range.toArray()).map((row) => [row.hash, row]));
    return hashes.map((hash) => parseVector(rows.get(hash)));
  };

  const packsOf = (id: string) => packs.where('[conversationId+from]').between([id, Dexie.minKey], [id, Dexie.maxKey]);

  const textsOf = (id: string) => texts.where('[conversationId+part]').between([id, Dexie.minKey], [id, Dexie.maxKey]);

  const stampOf = async (id: string): Promise<string | null> => {
    const row = await packs.get([id, 0]);
    return row !== undefined && 'stamp' in row ? row.stamp : null;
  };

  /** Rows with the entries after `seq`: at least `limit` entries, plus those sharing a row with the last. */
  const someAfter = (id: string, seq: number, limit: number) =>
    entries.where('[conversationId+seq]').between([id, seq], [id, seq + limit + BUNDLE], false);

  /** Adding them all in one task would block rendering. */
  const addRows = async (id: string, added: readonly Entry[]): Promise<void> => {
    for (const row of entryRows(id, added)) await entries.add(row);
  };

  const readRows = async (id: string, afterSeq: number, limit = Number.POSITIVE_INFINITY): Promise<Entry[]> =>
    limit === Number.POSITIVE_INFINITY
      ? parseEntries(id, await logAfter(id, afterSeq).toArray(), afterSeq)
      : (await parseEntries(id, await someAfter(id, afterSeq, limit).toArray(), afterSeq)).slice(0, limit);

  const forestOf = (id: string) =>
    forests.where('[conversationId+part]').between([id, Dexie.minKey], [id, Dexie.maxKey]);

  /** The stored forest read last, so that the next one stored can share unchanged parts with it. */
  let lastRead: { readonly id: string; readonly forest: StoredForest } | null = null;

  /** Returns the packed part of a log and the stamp of its version; null if nothing is packed. */
  const readPacks = async (id: string) => {
    const rows = canPack() ? await packsOf(id).toArray() : [];
    const stamp = rows.find((row) => 'stamp' in row)?.stamp;
    const made = rows.flatMap((row) => ('stamp' in row ? [] : [row]));
    if (stamp === undefined || made.length === 0) return null;
    return { stamp, log: await unpacked(made), to: made.at(-1)?.to ?? 0 };
  };

  const readKept = async (id: string) => {
    const rows = canPack() ? await forestOf(id).toArray() : [];
    return { isThere: rows.length > 0, forest: await readForest(rows) };
  };

  /** Reads a log from its packs, and from its rows what came after them; with `forest`, also the stored forest. */
  const readWhole = async (id: string, { forest: wanted }: { readonly forest: boolean }) => {
    // The forest is requested first, so that it is read while the packs load.
    const [kept, packed] = await Promise.all([wanted ? readKept(id) : null, readPacks(id)]);
    if (packed === null) return { entries: await readRows(id, 0), forest: null };
    const { stamp, log } = packed;
    const forest = kept?.forest?.stamp === stamp ? kept.forest : null;
    // A forest that is outdated or unreadable is removed, to be stored again.
    if (kept?.isThere === true && forest === null) await forestOf(id).delete();
    const tail = await db.transaction('r', entries, packs, async () =>
      // Rewritten in the meantime: the packs are no longer valid.
      (await stampOf(id)) === stamp ? logAfter(id, log.length).toArray() : null,
    );
    if (tail === null) return { entries: await readRows(id, 0), forest: null };
    // An unreadable pack and those after it are created again.
    if (log.length < packed.to) await packsOf(id).delete();
    for (const entry of await parseEntries(id, tail, log.length)) log.push(entry);
    return { entries: log, forest: forest !== null && forest.count <= log.length ? forest : null };
  };

  /** Replaces the stored forest, unless the log was rewritten in the meantime or another tab was first. */
  const keepForest = async (id: string, stamp: string, printed: ForestPrint): Promise<void> => {
    const { head, shelves, same } = printed;
    await db.transaction('rw', packs, forests, async () => {
      const there = await forests.get([id, 0]);
      const sums = there !== undefined && 'sums' in there ? there.sums : {};
      if ((await stampOf(id)) !== stamp || same.some(({ part, sum }) => sums[part] !== sum)) return;
      const parts = new Set([head, ...shelves, ...same].map(({ part }) => part));
      const gone = (await forestOf(id).primaryKeys()).filter(([, part]) => !parts.has(part));
      await forests.bulkDelete(gone);
      await forests.bulkPut([head, ...shelves]);
    });
  };

  /** Packs the next entries of a log; returns false if there are too few new ones. */
  const packNext = async (id: string): Promise<boolean> => {
    const next = await db.transaction('rw', entries, packs, async () => {
      const [newest] = await packsOf(id).reverse().limit(1).toArray();
      const stamp = newest === undefined ? crypto.randomUUID() : await stampOf(id);
      if (newest === undefined) await packs.put({ conversationId: id, from: 0, stamp: stamp as string });
      const after = newest !== undefined && 'to' in newest ? newest.to : 0;
      const isEnough = (await newestSeq(id)) >= after + PACKED;
      return { stamp, after, rows: isEnough ? await someAfter(id, after, PACKED).toArray() : null };
    });
    if (next.rows === null) return false;
    const packed = await pack(id, (await parseEntries(id, next.rows, next.after)).slice(0, PACKED));
    return db.transaction('rw', packs, async () => {
      if (next.stamp === null || (await stampOf(id)) !== next.stamp) return false;
      await packs.put(packed);
      return true;
    });
  };

  return {
    append: (added, meta) =>
      guarded(async (again) => {
        const first = added[0];
        const seen = (first?.seq ?? 1) - 1;
        const missed = await db.transaction('rw', entries, texts, conversations, blobUses, async () => {
          if (first !== undefined) {
            const newest = await newestSeq(meta.id);
            if (newest > seen) return logAfter(meta.id, seen).toArray();
            if (newest < seen) throw gapFailure(meta.id, newest, first.seq);
          }
          await addRows(meta.id, added);
          await textsOf(meta.id).delete();
          await blobUses.bulkPut([...attachmentIds(added)].map((id) => ({ conversationId: meta.id, id })));
          await putMeta(meta);
          return null;
        });
        const conflict = missed === null ? null : await parseEntries(meta.id, missed, seen);
        // A first try that counted as failed may have stored them.
        if (conflict !== null && !(again && beginsWith(conflict, added))) return { missed: conflict };
        announceChange(meta.id);
        return null;
      }),

    rewrite: (log, seen, meta, turns, spared) =>
      guarded(async (again) => {
        const missed = await db.transaction('rw', tablesOfLogs, async () => {
          if ((await newestSeq(meta.id)) > seen) return logAfter(meta.id, seen).toArray();
          await compressed.delete(meta.id);
          await packsOf(meta.id).delete();
          await forestOf(meta.id).delete();
          await textsOf(meta.id).delete();
          await logAfter(meta.id, 0).delete();
          await addRows(meta.id, log);
          await putMeta(meta);
          await vectors.clear();
          await nameOnly(meta.id, attachmentIds(log), spared);
          await Promise.all(turns.map((turn) => lessonsOf(meta.id, turn).delete()));
          return null;
        });
        announceLessons();
        const conflict = missed === null ? null : await parseEntries(meta.id, missed, seen);
        // As in `append`; what is rewritten without anything new meets no conflict with itself.
        const own = log.slice(seen);
        if (conflict !== null && !(again && own.length > 0 && beginsWith(conflict, own))) return { missed: conflict };
        announceChange(meta.id);
        return null;
      }),

    read: (id, afterSeq = 0, limit = Number.POSITIVE_INFINITY) =>
      guarded(async () => {
        const isWhole = afterSeq === 0 && limit === Number.POSITIVE_INFINITY;
        return isWhole ? (await readWhole(id, { forest: false })).entries : readRows(id, afterSeq, limit);
      }),

    open: (id) =>
      guarded(async () => {
        const { entries: log, forest } = await readWhole(id, { forest: true });
        lastRead = forest === null ? null : { id, forest };
        return { entries: log, kept: forest };
      }),

    pack: (id, goOn) =>
      guarded(async () => {
        if (!canPack()) return;
        while ((await goOn()) && (await packNext(id)));
      }),

    keepMoment: (id, moment, goOn) =>
      guarded(async () => {
        const stamp = canPack() ? await stampOf(id) : null;
        if (stamp === null) return;
        const printed = await printForest(id, stamp, moment, lastRead?.id === id ? lastRead.forest : null, goOn);
        if (printed !== null) await keepForest(id, stamp, printed);
      }),

    compress: (id, goOn) =>
      guarded(async () => {
        if (!canPack()) return;
        while ((await goOn()) && (await compressNext(db, id)));
      }),

    // Not repeated: it is ended by the same kind of error that tells of a broken connection.
    measure: (onPart, signal) => asStorageFailures(() => measureStorage(db, onPart, signal)),

    clear: (kind) =>
      guarded(async () => {
        if (kind === 'opening') lastRead = null;
        await clearStorage(db, kind);
      }),

    textsKept: () =>
      guarded(async () => {
        const keys = await texts.toCollection().primaryKeys();
        return keys.flatMap(([id, part]) => (part === 0 ? [id] : []));
      }),

    readTexts: (parts) => guarded(() => texts.bulkGet(parts.map(([id, part]): [string, number] => [id, part]))),

    saveTexts: (row) =>
      guarded(() =>
        db.transaction('rw', entries, texts, async () => {
          if ((await newestSeq(row.conversationId)) !== row.seq) return false;
          await texts.put(row);
          return true;
        }),
      ),

    conversations: () =>
      guarded(async () => {
        const metas = (await conversations.toArray()).map((row) => parseMeta(row.id, row));
        return metas.sort((a, b) => b.updatedAt - a.updatedAt);
      }),

    conversation: (id) =>
      guarded(async () => {
        const row = await conversations.get(id);
        return row === undefined ? undefined : parseMeta(id, row);
      }),

    file: (ids, change) => changeMetas(ids, (meta) => filedAs(meta, change)),

    setDeleted: (ids, at) => changeMetas(ids, (meta) => ({ ...meta, deletedAt: at })),

    // Vectors are stored by content and shared by conversations, and words can partly be guessed from them.
    // All are removed: they are a cache, and what is still needed is computed again.
    purge: (id, only, spared) =>
      guarded(async () => {
        const purged = await db.transaction('rw', tablesOfLogs, async () => {
          const row = only === 'deleted' ? await conversations.get(id) : undefined;
          if (row !== undefined && parseMeta(id, row).deletedAt === null) return false;
          await Promise.all([
            compressed.delete(id),
            packsOf(id).delete(),
            forestOf(id).delete(),
            textsOf(id).delete(),
            logAfter(id, 0).delete(),
            conversations.delete(id),
            vectors.clear(),
            lessonsOf(id).delete(),
            nameOnly(id, new Set(), spared),
          ]);
          return true;
        });
        if (!purged) return false;
        announceChange(id);
        announceLessons();
        return true;
      }),

    readVectors: (model, hashes) =>
      guarded(async () => {
        const dense = hashes.length < FEW_VECTORS ? null : await rangeOfVectors(model, hashes);
        return dense ?? (await vectors.bulkGet(hashes.map((hash) => [model, hash]))).map(parseVector);
      }),

    saveVectors: (model, added) =>
      guarded(async () => {
        // A view would be stored with its entire underlying buffer; `slice` keeps only the vector.
        await vectors.bulkPut([...added].map(([hash, vector]) => ({ model, hash, vector: vector.slice() })));
      }),

    saveBlobs: (added) =>
      guarded(async () => {
        const ids = [...added.keys()];
        await db.transaction('rw', blobs, async () => {
          const known = new Set(await blobs.where('id').anyOf(ids).primaryKeys());
          const rows = [...added].filter(([id]) => !known.has(id));
          await blobs.bulkAdd(rows.map(([id, blob]) => ({ id, at: Date.now(), size: blob.size, blob })));
        });
      }),

    readBlob: (id) => guarded(async () => parseBlob(await blobs.get(id))),

    dropUnused: (which) =>
      guarded(async () => {
        await db.transaction('rw', blobs, blobUses, async () => {
          const old = 'id' in which ? [which.id] : await blobs.where('at').below(which.before).primaryKeys();
          const spared = ('before' in which && which.except) || new Set<string>();
          await dropIfUnused(old.filter((id) => !spared.has(id)));
        });
      }),

    blobsKept: () =>
      guarded(async () => {
        let [files, bytes] = [0, 0];
        await blobs.each(({ size }) => {
          files += 1;
          bytes += size;
        });
        return { files, bytes };
      }),

    lessons: () => guarded(async () => parseLessons(await lessons.toArray())),

    saveLessons: ({ conversationId, nodeId }, added) =>
      guarded(async () => {
        await db.transaction('rw', lessons, async () => {
          await lessonsOf(conversationId, nodeId).delete();
          await lessons.bulkPut([...added]);
        });
        announceLessons();
      }),

    replaceLessons: (all) =>
      guarded(async () => {
        await db.transaction('rw', lessons, async () => {
          await lessons.clear();
          await lessons.bulkPut([...all]);
        });
        announceLessons();
      }),

    learns: () => guarded(async () => (await settings.get('learns'))?.value !== false),

    learningRests: () => guarded(async () => (await settings.get('learning-rests'))?.value === true),

    setLearningRests: (rests) =>
      guarded(async () => {
        await settings.put({ name: 'learning-rests', value: rests });
        announceLessons();
      }),

    setLearns: (learns) =>
      guarded(async () => {
        await settings.put({ name: 'learns', value: learns });
        announceLessons();
      }),

    setting: (name) => guarded(async () => (await settings.get(name))?.value),
    saveSetting: (name, value) =>
      guarded(async () => {
        await settings.put({ name, value });
        announceSetting(name);
      }),

    studies: () => guarded(() => studies.toArray()),

    saveStudy: (row) =>
      guarded(async () => {
        await studies.put(row);
      }),

    changeStudy: (id, change) =>
      guarded(() =>
        db.transaction('rw', studies, async () => {
          const row = await studies.get(id);
          if (row !== undefined) await studies.put(change(row));
          return row !== undefined;
        }),
      ),

    removeStudy: (id) => guarded(() => studies.delete(id)),

    studyEvents: (study) => guarded(() => labelEvents.where('study').equals(study).toArray()),

    addStudyEvents: (events) =>
      guarded(() =>
        db.transaction('rw', labelEvents, async () => {
          const known = new Set(
            await labelEvents
              .where('id')
              .anyOf(events.map(({ id }) => id))
              .primaryKeys(),
          );
          const added = events.filter(({ id }) => !known.has(id));
          await labelEvents.bulkPut(added);
          return added.length;
        }),
      ),

    removeStudyEvents: (ids) => guarded(() => labelEvents.bulkDelete([...ids])),

    estimate: () =>
      asStorageFailures(async () => {
        const { usage, quota } = (await navigator.storage?.estimate()) ?? {};
        return usage === undefined || quota === undefined ? null : { usage, quota };
      }),

    persist: () => asStorageFailures(async () => (await navigator.storage?.persist?.()) ?? false),
    persisted: () => asStorageFailures(async () => (await navigator.storage?.persisted?.()) ?? false),

    close: () => db.end(),
  };
};

interface OpenedStorage {
  readonly storage: Storage;
  readonly kind: 'indexeddb' | 'memory';
  /** Why nothing is stored, or (kind `indexeddb`) why nothing more can be; stored data can still be read. */
  readonly failure: StorageFailure | null;
}

/**
 * Opens the persistent storage if it really works, otherwise one in memory. Never rejects. `begin` may read ahead from
 * storage that has not been verified yet.
 */
export const openStorage = async (
  options: DatabaseOptions = {},
  begin?: (storage: Storage) => void,
): Promise<OpenedStorage> => {
  try {
    const storage = await openIndexedDbStorage(options);
    begin?.(storage);
    const failure = await probe(storage);
    if (failure === null || failure.kind === 'full') return { storage, kind: 'indexeddb', failure };
    storage.close();
    return { storage: memoryStorage(), kind: 'memory', failure };
  } catch (error) {
    return { storage: memoryStorage(), kind: 'memory', failure: toStorageFailure(error) };
  }
};

/** Some browsers open a database in a private window and only refuse the operations on it. */
const probe = async (storage: Storage): Promise<StorageFailure | null> => {
  try {
    await storage.conversations();
    await storage.saveVectors('probe', new Map([['probe', Float32Array.of(1)]]));
    await storage.readVectors('probe', ['probe']);
    return null;
  } catch (error) {
    return notOpened(error);
  }
};
