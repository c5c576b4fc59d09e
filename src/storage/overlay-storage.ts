import type { Storage } from '../engine/ports.ts';
import { memoryStorage } from './memory-storage.ts';

/** Goes on in memory over a storage that takes nothing any more but may still be read. */
export const overlayStorage = (below: Storage): Storage => {
  const memory = memoryStorage();
  const above = new Set<string>();
  // Copied up before they are first asked for or changed; from then on only those above count.
  let copied: Promise<void> | null = null;
  const copy = async () => {
    await memory.replaceLessons(await below.lessons());
    await memory.setLearns(await below.learns());
  };
  const lessonsAbove = async (): Promise<Storage> => {
    copied ??= copy();
    await copied;
    return memory;
  };

  return {
    append: async (entries, meta) => {
      if (!above.has(meta.id) && (entries[0]?.seq ?? 1) > 1) await memory.append(await below.read(meta.id), meta);
      above.add(meta.id);
      return memory.append(entries, meta);
    },
    rewrite: async (entries, seen, meta, turns) => {
      // What lies below takes nothing any more: the words stay there, and whoever asks is told by the failure.
      const below_ = above.has(meta.id) ? null : await below.rewrite(entries, seen, meta, turns);
      if (below_ !== null) return below_;
      await lessonsAbove();
      return above.has(meta.id) ? memory.rewrite(entries, seen, meta, turns) : null;
    },
    read: (id, ...rest) => (above.has(id) ? memory : below).read(id, ...rest),
    conversations: async () => {
      const metas = new Map((await below.conversations()).map((meta) => [meta.id, meta]));
      for (const meta of await memory.conversations()) metas.set(meta.id, meta);
      return [...metas.values()].sort((a, b) => b.updatedAt - a.updatedAt);
    },
    saveMeta: memory.saveMeta,
    purge: async (id) => {
      await lessonsAbove();
      await memory.purge(id);
      await below.purge(id);
    },
    readVectors: async (model, hashes) => {
      const kept = await memory.readVectors(model, hashes);
      const stored = await below.readVectors(model, hashes);
      return kept.map((vector, i) => vector ?? stored[i]);
    },
    saveVectors: memory.saveVectors,
    lessons: async () => (await lessonsAbove()).lessons(),
    saveLessons: async (...args) => (await lessonsAbove()).saveLessons(...args),
    replaceLessons: async (all) => (await lessonsAbove()).replaceLessons(all),
    learns: async () => (await lessonsAbove()).learns(),
    setLearns: async (learns) => (await lessonsAbove()).setLearns(learns),
    setting: async (name) => (await memory.setting(name)) ?? below.setting(name),
    saveSetting: memory.saveSetting,
    estimate: below.estimate,
    persist: async () => false,
  };
};
