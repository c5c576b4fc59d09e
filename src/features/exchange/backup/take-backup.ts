import { fold } from '../../../domain/apply.ts';
import type { Entry } from '../../../domain/entry.ts';
import { scrub } from '../../../domain/scrub.ts';
import { sizeOf } from '../../../domain/table.ts';
import type { Lesson } from '../../../engine/place/lessons.ts';
import type { ConversationMeta, Storage, StudyEventRow } from '../../../engine/storage.ts';
import { contentHash } from '../../../engine/vectors/node-vectors.ts';
import { BackupFailure, type BackupManifest, readBackup, type Watch } from './backup-file.ts';

/*
 * Two browsers may have gone on from one conversation each in its own way. Its logs then have a beginning in common and
 * differ from some entry on; nothing can make one log of them. So what is merged is the set of logs: one that begins another is part
 * of it, all others stand side by side. That is the same whichever comes first, and however often.
 */

/** Stands between the id of a conversation and what tells apart another way in which it went on. */
const OTHER = '~other~';

/** The conversation that several logs are ways of going on with. */
const originOf = (id: string): string => id.split(OTHER)[0] as string;

type Place =
  /** It is here already, or the beginning of what is here. */
  | { readonly kind: 'same' }
  /** What is here is its beginning. */
  | { readonly kind: 'longer'; readonly id: string; readonly added: readonly Entry[] }
  | { readonly kind: 'new'; readonly id: string }
  /** It differs from what is here, and stands beside it. */
  | { readonly kind: 'differs'; readonly id: string };

/** Where a log goes, given those of the same origin that are here. */
const placeOf = (id: string, log: readonly Entry[], here: ReadonlyMap<string, readonly Entry[]>): Place => {
  const known = [...here].map(([knownId, entries]) => ({ id: knownId, entries, common: commonLength(entries, log) }));
  if (known.some(({ common }) => common === log.length)) return { kind: 'same' };
  const begun = known.find(({ entries, common }) => common === entries.length);
  if (begun !== undefined) return { kind: 'longer', id: begun.id, added: log.slice(begun.common) };
  if (!here.has(id)) return { kind: known.length === 0 ? 'new' : 'differs', id };
  // Named by where it goes its own way, so that a later and longer copy of it finds it again.
  const longest = known.reduce((most, { common }) => Math.max(most, common), 0);
  const own = contentHash(JSON.stringify(log[longest] ?? null));
  let other = `${originOf(id)}${OTHER}${own}`;
  while (here.has(other)) other = `${other}+`;
  return { kind: 'differs', id: other };
};

const commonLength = (a: readonly Entry[], b: readonly Entry[]): number => {
  const most = Math.min(a.length, b.length);
  for (let at = 0; at < most; at++) if (JSON.stringify(a[at]) !== JSON.stringify(b[at])) return at;
  return most;
};

/** What a backup has against what is here. */
export interface BackupReport {
  readonly madeAt: number;
  /** Conversations that are not here. */
  readonly added: number;
  /** Those that went on in the backup. */
  readonly longer: number;
  /** Those that went on otherwise there: they come to stand beside what is here. */
  readonly differing: number;
  readonly same: number;
  /** Conversations that are here and not in the backup. */
  readonly onlyHere: number;
  readonly lessons: number;
  /** Studies, and labels of studies, that are not here. */
  readonly studies: number;
  readonly labels: number;
  readonly damaged: readonly { readonly title: string; readonly why: string }[];
}

/**
 * `look`: only says what is new. `merge`: adds it; nothing that is here goes away, and the settings stay. `restore`: makes all as it was; what
 * is not in the backup is deleted, and can be brought back for a day as any deleted conversation. Labels that people gave in a study are never
 * deleted: those of both are kept.
 */
export type Take = 'look' | 'merge' | 'restore';

/** Entries are stored in portions of this many, so that no transaction is huge. */
const PORTION = 2000;

/** Reads a backup, and takes of it what is asked for. Rejects with a BackupFailure or a StorageFailure; what was taken by then stays. */
export const takeBackup = async (
  file: Blob,
  storage: Storage,
  how: Take,
  now: number,
  watch: Watch,
): Promise<BackupReport> => {
  if (how === 'restore') {
    // Before anything is changed: half a backup is no state to go back to.
    const {
      damaged: [flaw],
    } = await takeBackup(file, storage, 'look', now, watch);
    if (flaw !== undefined)
      throw new BackupFailure(`“${flaw.title}” in it is damaged. Merge the backup instead. ${flaw.why}`);
  }
  const here = await conversationsIn(storage);
  const counts = { same: 0, longer: 0, new: 0, differs: 0 };
  const damaged: { title: string; why: string }[] = [];
  const inBackup = new Set<string>();
  let manifest: BackupManifest | null = null;
  let lessons = 0;
  let studies = 0;
  let labels = 0;
  for await (const step of readBackup(file, watch)) {
    switch (step.kind) {
      case 'manifest': {
        manifest = step.manifest;
        for (const { id } of manifest.conversations) inBackup.add(id);
        lessons = newLessons(await storage.lessons(), manifest.lessons).length;
        if (how === 'merge' && lessons > 0) {
          await storage.replaceLessons(mergedLessons(await storage.lessons(), manifest.lessons));
        }
        break;
      }
      case 'file':
        if (how !== 'look') await storage.saveBlobs(new Map([[step.id, step.blob]]));
        break;
      case 'log': {
        const logs = await here.logsOf(step.meta.id);
        const entries = how === 'restore' ? step.entries : withoutPurged(step.entries, logs);
        const place = placeOf(step.meta.id, entries, logs);
        counts[place.kind]++;
        if (how === 'restore') await restore(here, step.meta, step.entries, now);
        else if (how === 'merge' && place.kind === 'longer') {
          const known = here.meta(place.id) as ConversationMeta;
          const turns = sizeOf(fold(entries).nodes);
          const updatedAt = Math.max(known.updatedAt, step.meta.updatedAt);
          await here.append(place.added, { ...known, turns, updatedAt });
        } else if (how === 'merge' && place.kind !== 'same') {
          const title = place.kind === 'differs' ? `${step.meta.title} (from the backup)` : step.meta.title;
          await here.append(entries, metaOf(step.meta, place.id, title));
        }
        break;
      }
      case 'study': {
        const known = new Set((await storage.studies()).map(({ id }) => id));
        studies += step.rows.filter(({ id }) => !known.has(id)).length;
        labels += (await newLabels(storage, step.labels)).length;
        if (how === 'look') break;
        for (const row of step.rows) if (how === 'restore' || !known.has(row.id)) await storage.saveStudy(row);
        await storage.addStudyEvents(step.labels);
        break;
      }
      case 'damaged':
        damaged.push({ title: step.title, why: step.why });
        break;
    }
  }
  const others = (await storage.conversations()).filter(
    ({ id, deletedAt }) => deletedAt === null && !inBackup.has(originOf(id)) && !inBackup.has(id),
  );
  if (how === 'restore' && manifest !== null) {
    for (const meta of others) await storage.saveMeta({ ...meta, deletedAt: now });
    await storage.replaceLessons(manifest.lessons);
    await storage.setLearns(manifest.learns);
    for (const [name, value] of Object.entries(manifest.settings)) await storage.saveSetting(name, value);
  }
  return {
    madeAt: manifest?.madeAt ?? 0,
    added: counts.new,
    longer: counts.longer,
    differing: counts.differs,
    same: counts.same,
    onlyHere: others.length,
    lessons,
    studies,
    labels,
    damaged,
  };
};

const newLabels = async (storage: Storage, labels: readonly StudyEventRow[]): Promise<readonly StudyEventRow[]> => {
  const known = new Set<string>();
  for (const study of new Set(labels.map((label) => label.study))) {
    for (const { id } of await storage.studyEvents(study)) known.add(id);
  }
  return labels.filter(({ id }) => !known.has(id));
};

/** What the person has removed from disk for good does not come back with an older copy. */
const withoutPurged = (log: readonly Entry[], here: ReadonlyMap<string, readonly Entry[]>): readonly Entry[] => {
  const purged = [...here.values()].flatMap((entries) =>
    entries.flatMap(({ event }) => (event.type === 'turns-purged' ? event.nodeIds : [])),
  );
  return purged.length === 0 ? log : scrub(log, purged);
};

const metaOf = (
  { turns, createdAt, updatedAt, filing }: Omit<ConversationMeta, 'deletedAt'>,
  id: string,
  title: string,
): ConversationMeta => ({ id, title, turns, createdAt, updatedAt, deletedAt: null, filing });

/** The conversations that are kept, deleted ones among them: listed once, and followed as they are added to. */
const conversationsIn = async (storage: Storage) => {
  const byOrigin = new Map<string, Map<string, ConversationMeta>>();
  const note = (meta: ConversationMeta): void => {
    const origin = originOf(meta.id);
    byOrigin.set(origin, (byOrigin.get(origin) ?? new Map()).set(meta.id, meta));
  };
  const saveMeta = async (meta: ConversationMeta): Promise<void> => {
    await storage.saveMeta(meta);
    note(meta);
  };
  for (const meta of await storage.conversations()) note(meta);
  return {
    storage,
    meta: (id: string): ConversationMeta | undefined => byOrigin.get(originOf(id))?.get(id),
    /** The logs that are ways of going on with a conversation. */
    logsOf: async (id: string): Promise<ReadonlyMap<string, readonly Entry[]>> => {
      const logs = new Map<string, readonly Entry[]>();
      for (const own of byOrigin.get(originOf(id))?.keys() ?? []) logs.set(own, await storage.read(own));
      return logs;
    },
    saveMeta,
    append: async (entries: readonly Entry[], meta: ConversationMeta): Promise<void> => {
      if (entries.length === 0) return saveMeta(meta);
      for (let at = 0; at < entries.length; at += PORTION) {
        const conflict = await storage.append(entries.slice(at, at + PORTION), meta);
        if (conflict !== null)
          throw new Error('Another tab was writing to the same conversation. Close it and try again.');
      }
      note(meta);
    },
  };
};

/** Puts a log in the place of what is here, which stays as a deleted conversation where it is not the beginning of it. */
const restore = async (
  here: Awaited<ReturnType<typeof conversationsIn>>,
  meta: Omit<ConversationMeta, 'deletedAt'>,
  entries: readonly Entry[],
  now: number,
): Promise<void> => {
  const own = metaOf(meta, meta.id, meta.title);
  const log = await here.storage.read(meta.id);
  const place = placeOf(meta.id, entries, new Map(log.length === 0 ? [] : [[meta.id, log]]));
  if (place.kind === 'new') return here.append(entries, own);
  if (place.kind === 'longer') {
    await here.append(place.added, own);
    // What is appended leaves it filed where it is.
    return here.saveMeta(own);
  }
  if (place.kind === 'same' && log.length === entries.length) return here.saveMeta(own);
  const former = here.meta(meta.id) ?? own;
  const id = `${originOf(meta.id)}${OTHER}${now}`;
  await here.append(log, { ...former, id, title: `${former.title} (before the backup)`, deletedAt: now });
  await here.storage.purge(meta.id);
  await here.append(entries, own);
};

const keyOf = ({ conversationId, nodeId, question }: Lesson): string =>
  JSON.stringify([conversationId, nodeId, question]);

/** Of two lessons of one question the later one holds; of two at once, always the same of them. */
const mergedLessons = (here: readonly Lesson[], there: readonly Lesson[]): Lesson[] => {
  const merged = new Map<string, Lesson>();
  for (const lesson of [...here, ...there]) {
    const known = merged.get(keyOf(lesson));
    if (known === undefined || rank(known, lesson) < 0) merged.set(keyOf(lesson), lesson);
  }
  return [...merged.values()].sort((a, b) => a.at - b.at || keyOf(a).localeCompare(keyOf(b)));
};

const rank = (a: Lesson, b: Lesson): number => a.at - b.at || JSON.stringify(a).localeCompare(JSON.stringify(b));

const newLessons = (here: readonly Lesson[], there: readonly Lesson[]): Lesson[] => {
  const known = new Map(here.map((lesson) => [keyOf(lesson), lesson]));
  return there.filter((lesson) => {
    const own = known.get(keyOf(lesson));
    return own === undefined || rank(own, lesson) < 0;
  });
};
