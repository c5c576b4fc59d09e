import type { Entry } from '../domain/events.ts';
import type { Lesson } from '../engine/place/lessons.ts';
import type { ConversationMeta, Storage } from '../engine/ports.ts';
import { gapFailure } from './storage-failure.ts';

/** Keeps everything until the tab is closed: for a browser that lets nothing be stored. */
export const memoryStorage = (): Storage => {
  const logs = new Map<string, Entry[]>();
  const metas = new Map<string, ConversationMeta>();
  const vectors = new Map<string, Float32Array>();
  let lessons: readonly Lesson[] = [];
  let learns = true;
  const settings = new Map<string, unknown>();
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
      metas.set(meta.id, meta);
      return null;
    },
    rewrite: async (entries, seen, meta, turns) => {
      const log = logs.get(meta.id) ?? [];
      if (log.length > seen) return { missed: log.slice(seen) };
      logs.set(meta.id, [...entries]);
      metas.set(meta.id, meta);
      vectors.clear();
      lessons = lessons.filter((one) => one.conversationId !== meta.id || !turns.includes(one.nodeId));
      return null;
    },
    read: async (id, afterSeq = 0, limit = Number.POSITIVE_INFINITY) =>
      (logs.get(id) ?? []).slice(afterSeq, afterSeq + limit),
    conversations: async () => [...metas.values()].sort((a, b) => b.updatedAt - a.updatedAt),
    saveMeta: async (meta) => {
      metas.set(meta.id, meta);
    },
    purge: async (id) => {
      logs.delete(id);
      metas.delete(id);
      vectors.clear();
      lessons = lessons.filter(({ conversationId }) => conversationId !== id);
    },
    readVectors: async (model, hashes) => hashes.map((hash) => vectors.get(key(model, hash))?.slice()),
    saveVectors: async (model, added) => {
      for (const [hash, vector] of added) vectors.set(key(model, hash), vector.slice());
    },
    lessons: async () => lessons.toSorted((a, b) => a.at - b.at),
    saveLessons: async (turn, added) => {
      const others = lessons.filter((one) => one.conversationId !== turn.conversationId || one.nodeId !== turn.nodeId);
      lessons = [...others, ...added];
    },
    replaceLessons: async (all) => {
      lessons = all;
    },
    learns: async () => learns,
    setLearns: async (value) => {
      learns = value;
    },
    setting: async (name) => structuredClone(settings.get(name)),
    saveSetting: async (name, value) => {
      settings.set(name, structuredClone(value));
    },
    estimate: async () => null,
    persist: async () => false,
  };
};
