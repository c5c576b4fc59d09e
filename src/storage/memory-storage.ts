import { attachmentIds, type Entry } from '../domain/entry.ts';
import type { Lesson } from '../engine/lessons.ts';
import {
  type AppendedMeta,
  appendedTo,
  type ConversationMeta,
  filedAs,
  type Storage,
  StorageFailure,
  type StudyEventRow,
  type StudyRow,
} from '../engine/storage.ts';
import { gapFailure } from './storage-failure.ts';

/** Keeps everything until the tab is closed, for a browser that does not allow storage. */
export const memoryStorage = (): Storage => {
  const logs = new Map<string, Entry[]>();
  const metas = new Map<string, ConversationMeta>();
  const vectors = new Map<string, Float32Array>();
  let lessons: readonly Lesson[] = [];
  let learns = true;
  let rests = false;
  const settings = new Map<string, unknown>();
  const blobs = new Map<string, { readonly at: number; readonly blob: Blob }>();
  const studies = new Map<string, StudyRow>();
  const events = new Map<string, StudyEventRow>();
  const dropUnused = (ids: Iterable<string>, spared?: ReadonlySet<string>): void => {
    const used = new Set([...logs.values()].flatMap((log) => [...attachmentIds(log)]));
    for (const id of ids) if (!used.has(id) && spared?.has(id) !== true) blobs.delete(id);
  };
  const put = (meta: AppendedMeta): void => {
    metas.set(meta.id, appendedTo(metas.get(meta.id), meta));
  };
  const change = (ids: readonly string[], changed: (meta: ConversationMeta) => ConversationMeta): void => {
    for (const id of ids) {
      const meta = metas.get(id);
      if (meta !== undefined) metas.set(id, changed(meta));
    }
  };
  const key = (model: string, hash: string) => JSON.stringify([model, hash]);

  return {
    append: async (added, meta) => {
      const log = logs.get(meta.id) ?? [];
      const first = added[0];
      if (first !== undefined) {
        const seen = first.seq - 1;
        if (log.length > seen) return { missed: log.slice(seen) };
        if (log.length < seen) throw gapFailure(meta.id, log.length, first.seq);
      }
      for (const entry of added) log.push(entry);
      logs.set(meta.id, log);
      put(meta);
      return null;
    },
    rewrite: async (entries, seen, meta, turns, spared) => {
      const log = logs.get(meta.id) ?? [];
      if (log.length > seen) return { missed: log.slice(seen) };
      logs.set(meta.id, [...entries]);
      dropUnused(attachmentIds(log), spared);
      put(meta);
      vectors.clear();
      lessons = lessons.filter((one) => one.conversationId !== meta.id || !turns.includes(one.nodeId));
      return null;
    },
    read: async (id, afterSeq = 0, limit = Number.POSITIVE_INFINITY) =>
      (logs.get(id) ?? []).slice(afterSeq, afterSeq + limit),
    pack: async () => undefined,
    open: async (id) => ({ entries: [...(logs.get(id) ?? [])], kept: null }),
    keepMoment: async () => undefined,
    compress: async () => undefined,
    // Nothing is persisted.
    measure: async () => ({ logs: 0, opening: 0, search: 0, vectors: 0, files: 0, studies: 0 }),
    clear: async () => undefined,
    textsKept: async () => [],
    readTexts: async (parts) => parts.map(() => undefined),
    saveTexts: async () => false,
    conversations: async () => [...metas.values()].sort((a, b) => b.updatedAt - a.updatedAt),
    conversation: async (id) => metas.get(id),
    file: async (ids, filing) => change(ids, (meta) => filedAs(meta, filing)),
    setDeleted: async (ids, at) => change(ids, (meta) => ({ ...meta, deletedAt: at })),
    purge: async (id, only, spared) => {
      if (only === 'deleted' && metas.get(id)?.deletedAt === null) return false;
      const named = attachmentIds(logs.get(id) ?? []);
      logs.delete(id);
      dropUnused(named, spared);
      metas.delete(id);
      vectors.clear();
      lessons = lessons.filter(({ conversationId }) => conversationId !== id);
      return true;
    },
    readVectors: async (model, hashes) => hashes.map((hash) => vectors.get(key(model, hash))?.slice()),
    saveVectors: async (model, added) => {
      for (const [hash, vector] of added) vectors.set(key(model, hash), vector.slice());
    },
    saveBlobs: async (added) => {
      for (const [id, blob] of added) if (!blobs.has(id)) blobs.set(id, { at: Date.now(), blob });
    },
    readBlob: async (id) => blobs.get(id)?.blob,
    dropUnused: async (which) => {
      const old = (before: number): string[] => [...blobs].flatMap(([id, { at }]) => (at < before ? [id] : []));
      if ('id' in which) dropUnused([which.id]);
      else dropUnused(old(which.before), which.except);
    },
    blobsKept: async () => ({
      files: blobs.size,
      bytes: [...blobs.values()].reduce((total, { blob }) => total + blob.size, 0),
    }),
    lessons: async () => lessons.toSorted((a, b) => a.at - b.at),
    saveLessons: async (turn, added) => {
      const others = lessons.filter((one) => one.conversationId !== turn.conversationId || one.nodeId !== turn.nodeId);
      lessons = [...others, ...added];
    },
    replaceLessons: async (all) => {
      lessons = all;
    },
    learns: async () => learns,
    learningRests: async () => rests,
    setLearningRests: async (value) => {
      rests = value;
    },
    setLearns: async (value) => {
      learns = value;
    },
    setting: async (name) => structuredClone(settings.get(name)),
    saveSetting: async (name, value) => {
      settings.set(name, structuredClone(value));
    },
    studies: async () => structuredClone([...studies.values()]),
    saveStudy: async (row) => {
      studies.set(row.id, structuredClone(row));
    },
    changeStudy: async (id, change) => {
      const row = studies.get(id);
      if (row !== undefined) studies.set(id, structuredClone(change(structuredClone(row))));
      return row !== undefined;
    },
    removeStudy: async (id) => {
      studies.delete(id);
    },
    studyEvents: async (study) => structuredClone([...events.values()].filter((event) => event.study === study)),
    addStudyEvents: async (added) => {
      const fresh = new Map(added.flatMap((event) => (events.has(event.id) ? [] : [[event.id, event]])));
      for (const [id, event] of fresh) events.set(id, structuredClone(event));
      return fresh.size;
    },
    removeStudyEvents: async (ids) => {
      for (const id of ids) events.delete(id);
    },
    estimate: async () => null,
    persist: async () => false,
    persisted: async () => false,
  };
};

/** As JSON with sorted keys: those of an entry that was read are in the order of its schema, not in which they were written. */
const inOrder = (entry: unknown): string =>
  JSON.stringify(entry, (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );

/** Whether a log begins with these entries. */
export const beginsWith = (log: readonly Entry[], entries: readonly Entry[]): boolean =>
  entries.every((entry, at) => inOrder(entry) === inOrder(log[at]));

/** Continues in memory on top of a storage that no longer accepts writes but may still be read. */
export const overlayStorage = (below: Storage): Storage => {
  const memory = memoryStorage();
  const above = new Set<string>();
  /** Studies and their events that were removed above; nothing can be removed below any more. */
  const removed = new Set<string>();
  // Copied up before they are first read or changed; from then on only the copies count.
  let copied: Promise<void> | null = null;
  const copy = async () => {
    await memory.replaceLessons(await below.lessons());
    await memory.setLearns(await below.learns());
    await memory.setLearningRests(await below.learningRests());
  };
  const lessonsAbove = async (): Promise<Storage> => {
    copied ??= copy();
    await copied;
    return memory;
  };

  const conversations = async (): Promise<ConversationMeta[]> => {
    const metas = new Map((await below.conversations()).map((meta) => [meta.id, meta]));
    for (const meta of await memory.conversations()) metas.set(meta.id, meta);
    return [...metas.values()].sort((a, b) => b.updatedAt - a.updatedAt);
  };

  const conversation = async (id: string): Promise<ConversationMeta | undefined> =>
    (await memory.conversation(id)) ?? below.conversation(id);

  /** Copies metas up before they are changed. */
  const lift = async (ids: readonly string[]): Promise<void> => {
    for (const id of ids) {
      // Where nothing can be read any more, nothing is lost by going on without it.
      const read = () => below.conversation(id).catch(() => undefined);
      const meta = (await memory.conversation(id)) === undefined ? await read() : undefined;
      if (meta !== undefined) await memory.append([], meta);
    }
  };

  /** What takes no more room may still succeed below; if it does not, it counts until the tab is closed. */
  const alsoBelow = (write: Promise<void>): Promise<void> =>
    write.catch((error: unknown) => {
      if (!(error instanceof StorageFailure)) throw error;
    });

  /** What is missing can be made or attached again: it holds nothing up once nothing can be read below any more. */
  const missingIfClosed =
    <T>(missing: T) =>
    (error: unknown): T => {
      if (!(error instanceof StorageFailure) || error.kind !== 'closed') throw error;
      return missing;
    };

  /** Number of entries of a log that are stored below. Rejects if they are not its beginning. */
  const begunBelow = async (id: string): Promise<number> => {
    const stored = await below.read(id);
    const whole = await memory.read(id);
    if (!beginsWith(whole, stored))
      throw new StorageFailure(
        'unknown',
        'What is stored is another version of this conversation. Export this one, then reload the page.',
      );
    return stored.length;
  };

  return {
    append: async (entries, meta) => {
      await lift([meta.id]);
      if (entries.length === 0 && !above.has(meta.id)) {
        // Nothing but the meta changes, so its log is still the one below.
        if (meta.deletedAt !== undefined) await alsoBelow(below.setDeleted([meta.id], meta.deletedAt));
        return memory.append([], meta);
      }
      if (!above.has(meta.id) && (entries[0]?.seq ?? 1) > 1) await memory.append(await below.read(meta.id), meta);
      above.add(meta.id);
      return memory.append(entries, meta);
    },
    rewrite: async (entries, seen, meta, ...rest) => {
      const isAbove = above.has(meta.id);
      // What is stored below, too. If that fails, so does this: the words are still there.
      const own = isAbove ? await begunBelow(meta.id) : null;
      const missed = await (own === null
        ? below.rewrite(entries, seen, meta, ...rest)
        : own > 0
          ? below.rewrite(entries.slice(0, own), own, meta, ...rest)
          : null);
      if (missed !== null) return missed;
      await lessonsAbove();
      return isAbove ? memory.rewrite(entries, seen, meta, ...rest) : null;
    },
    read: (id, ...rest) => (above.has(id) ? memory : below).read(id, ...rest),
    pack: async () => undefined,
    open: (id) => (above.has(id) ? memory : below).open(id),
    keepMoment: async () => undefined,
    compress: async () => undefined,
    measure: below.measure,
    // Clearing may free exactly the space that is needed.
    clear: below.clear,
    textsKept: memory.textsKept,
    readTexts: memory.readTexts,
    saveTexts: memory.saveTexts,
    conversations,
    conversation,
    file: async (ids, change) => {
      await lift(ids);
      await memory.file(ids, change);
    },
    setDeleted: async (ids, at) => {
      await lift(ids);
      // Deleted to make room, they must not be back after the reload that is asked for.
      await alsoBelow(below.setDeleted(ids, at));
      await memory.setDeleted(ids, at);
    },
    purge: async (id, only, spared) => {
      if (only === 'deleted' && (await conversation(id))?.deletedAt === null) return false;
      await lessonsAbove();
      await below.purge(id, undefined, spared);
      return memory.purge(id, undefined, spared);
    },
    readVectors: async (model, hashes) => {
      const kept = await memory.readVectors(model, hashes);
      const stored = await below.readVectors(model, hashes).catch(missingIfClosed([]));
      return kept.map((vector, i) => vector ?? stored[i]);
    },
    saveVectors: memory.saveVectors,
    saveBlobs: memory.saveBlobs,
    readBlob: async (id) => (await memory.readBlob(id)) ?? below.readBlob(id).catch(missingIfClosed(undefined)),
    dropUnused: memory.dropUnused,
    blobsKept: async () => {
      const [above, under] = await Promise.all([memory.blobsKept(), below.blobsKept()]);
      return { files: above.files + under.files, bytes: above.bytes + under.bytes };
    },
    lessons: async () => (await lessonsAbove()).lessons(),
    saveLessons: async (...args) => (await lessonsAbove()).saveLessons(...args),
    replaceLessons: async (all) => (await lessonsAbove()).replaceLessons(all),
    learns: async () => (await lessonsAbove()).learns(),
    learningRests: async () => (await lessonsAbove()).learningRests(),
    setLearningRests: async (rests) => (await lessonsAbove()).setLearningRests(rests),
    setLearns: async (learns) => (await lessonsAbove()).setLearns(learns),
    setting: async (name) => (await memory.setting(name)) ?? below.setting(name),
    saveSetting: memory.saveSetting,
    studies: async () => {
      const kept = await memory.studies();
      const own = new Set(kept.map(({ id }) => id));
      const stored = (await below.studies()).filter(({ id }) => !own.has(id) && !removed.has(id));
      return [...stored, ...kept];
    },
    saveStudy: async (row) => {
      removed.delete(row.id);
      await memory.saveStudy(row);
    },
    changeStudy: async (id, change) => {
      const row = removed.has(id) ? undefined : (await below.studies()).find((one) => one.id === id);
      if (row !== undefined && !(await memory.studies()).some((one) => one.id === id)) await memory.saveStudy(row);
      return memory.changeStudy(id, change);
    },
    removeStudy: async (id) => {
      removed.add(id);
      await memory.removeStudy(id);
    },
    studyEvents: async (study) => {
      const kept = await memory.studyEvents(study);
      const stored = (await below.studyEvents(study)).filter(({ id }) => !removed.has(id));
      return [...stored, ...kept];
    },
    addStudyEvents: async (added) => {
      const there = new Set<string>();
      for (const study of new Set(added.map((event) => event.study))) {
        for (const { id } of await below.studyEvents(study)) if (!removed.has(id)) there.add(id);
      }
      return memory.addStudyEvents(added.filter(({ id }) => !there.has(id)));
    },
    removeStudyEvents: async (ids) => {
      for (const id of ids) removed.add(id);
      await memory.removeStudyEvents(ids);
    },
    estimate: below.estimate,
    persist: async () => false,
    persisted: async () => false,
  };
};
