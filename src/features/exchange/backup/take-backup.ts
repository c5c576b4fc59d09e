import { appendAll } from '../../../app/conversation-log.ts';
import type { AppState } from '../../../app/state.ts';
import { attachmentsIn, type Entry } from '../../../domain/entry.ts';
import { conversationTitle } from '../../../domain/queries.ts';
import { scrubber } from '../../../domain/scrub.ts';
import { sizeOf } from '../../../domain/table.ts';
import { foldInParts, mapInParts } from '../../../engine/history/fold-in-parts.ts';
import { type Lesson, lessonKey } from '../../../engine/lessons.ts';
import {
  type ConversationMeta,
  filingOf,
  type Storage,
  StorageFailure,
  type StudyEventRow,
} from '../../../engine/storage.ts';
import { createYielder } from '../../../engine/tasks.ts';
import { contentHash } from '../../../engine/vectors/node-vectors.ts';
import { BackupFailure, type BackupManifest, readBackup, readSound, SETTINGS, type Watch } from './backup-file.ts';

/*
 * Two browsers may each have continued the same conversation differently. Its logs then share a beginning and differ from
 * some entry on, and cannot be merged into one. So the set of logs is merged instead: a log that is a prefix of another is
 * part of it, and all others stand side by side. The result does not depend on the order or repetition of merges.
 */

/** Separates the id of a conversation from the suffix of a diverging version. */
const OTHER = '~other~';

/** The conversation that several diverging logs come from. */
const originOf = (id: string): string => id.split(OTHER)[0] as string;

type MergeCase =
  /** Already here, or a prefix of what is here. */
  | { readonly kind: 'same'; readonly id: string }
  /** Continues what is here. */
  | { readonly kind: 'longer'; readonly id: string; readonly added: readonly Entry[] }
  | { readonly kind: 'new'; readonly id: string }
  /** Diverges from what is here, and is added beside it. */
  | { readonly kind: 'differs'; readonly id: string };

/** Logs by id; null for a damaged one. */
type KnownLogs = ReadonlyMap<string, readonly Entry[] | null>;

/** Where a log belongs, given the local logs of the same origin. */
const placeOf = (id: string, log: readonly Entry[], here: KnownLogs): MergeCase => {
  const known = [...here].flatMap(([knownId, entries]) =>
    entries === null ? [] : [{ id: knownId, entries, common: commonLength(entries, log) }],
  );
  const whole = known.find(({ common }) => common === log.length);
  if (whole !== undefined) return { kind: 'same', id: whole.id };
  const begun = known.find(({ entries, common }) => common === entries.length);
  if (begun !== undefined) return { kind: 'longer', id: begun.id, added: log.slice(begun.common) };
  if (!here.has(id)) return { kind: here.size === 0 ? 'new' : 'differs', id };
  // Named after its point of divergence, so that a later, longer copy matches it again.
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

/** How a backup differs from what is here. */
export interface BackupReport {
  readonly madeAt: number;
  /** Conversations that do not exist here. */
  readonly added: number;
  /** Conversations that continue in the backup. */
  readonly longer: number;
  /** Conversations that continue differently in the backup: they are added beside the local ones. */
  readonly differing: number;
  readonly same: number;
  /** Conversations that were deleted here and come back, without anything new in the backup. */
  readonly restored: number;
  /** Conversations that are here but not in the backup. */
  readonly onlyHere: number;
  readonly lessons: number;
  /** Studies, and labels of studies, that do not exist here. */
  readonly studies: number;
  readonly labels: number;
  readonly damaged: readonly { readonly title: string; readonly why: string }[];
}

/**
 * `look`: only reports what is new. `merge`: adds it; nothing here is removed, and the settings stay. `restore`: resets
 * everything to the backup; what is not in it is deleted, but can be brought back for a day like any deleted conversation.
 * Study labels are never deleted: those of both are kept.
 */
export type RestoreMode = 'look' | 'merge' | 'restore';

interface TakeWatch extends Watch {
  /** Returns the id that a file's bytes give it. */
  fileId(bytes: Blob): Promise<string>;
  /** Called once restoring begins; from then on, the signal no longer stops it: half a backup is not a state to restore. */
  onRestoring?(): void;
  /** Why nothing can be restored at the moment, in whole sentences; null if it can. Asked before restoring begins. */
  obstacle?(): string | null;
}

/**
 * Why nothing can be restored, or null. Where only memory takes what is written, what was stored would be replaced and its
 * copy be lost, and so would be most of the backup, when the page reloads.
 */
export const restoreObstacle = ({ kind, stopped }: AppState['storage']): string | null => {
  if (kind === 'indexeddb') return null;
  if (stopped === null)
    return 'Nothing can be restored here, since this browser does not store data for this page. Allow it to and reload the page, or press Merge to have the conversations until you close this tab.';
  const first = stopped === 'full' ? 'Make room and reload the page' : 'Reload the page';
  return `Nothing can be restored while new data is not being saved: what it replaces would be lost. ${first}, then open the backup again.`;
};

/** Reads a backup and applies it as requested. Rejects with a BackupFailure or a StorageFailure; what was applied by then stays. */
export const takeBackup = async (
  file: Blob,
  storage: Storage,
  how: RestoreMode,
  now: number,
  given: TakeWatch,
): Promise<BackupReport> => {
  let watch: Watch = given;
  if (how === 'restore') {
    // Checked before anything changes.
    const {
      damaged: [flaw],
    } = await takeBackup(file, storage, 'look', now, given);
    if (flaw !== undefined)
      throw new BackupFailure(`“${flaw.title}” in this backup is damaged. Merge the backup instead. ${flaw.why}`);
    given.signal.throwIfAborted();
    const obstacle = given.obstacle?.() ?? null;
    if (obstacle !== null) throw new BackupFailure(obstacle);
    given.onRestoring?.();
    watch = { onProgress: given.onProgress, signal: new AbortController().signal };
  }
  const here = await conversationsIn(storage);
  const counts = { same: 0, restored: 0, longer: 0, new: 0, differs: 0 };
  const damaged: { title: string; why: string }[] = [];
  const changedFiles = new Set<string>();
  const inBackup = new Set<string>();
  const breathe = createYielder(() => performance.now());
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
        // Checked, because a file that is stored here is never replaced.
        if (step.blob === null || (await given.fileId(step.blob)) !== step.id) changedFiles.add(step.id);
        else if (how !== 'look') await storage.saveBlobs(new Map([[step.id, step.blob]]));
        break;
      case 'log': {
        for (const { id, name } of attachmentsIn(step.entries)) {
          if (id === null || !changedFiles.delete(id)) continue;
          const where = step.meta.title || 'Untitled';
          damaged.push({ title: name, why: `It is attached in “${where}”, and its bytes have changed.` });
        }
        const logs = await here.logsOf(step.meta.id);
        const entries = how === 'restore' ? step.entries : await withoutPurged(step.entries, logs, breathe);
        const place = placeOf(step.meta.id, entries, logs);
        const isRestored = place.kind === 'same' && here.isDeleted(place.id);
        counts[isRestored ? 'restored' : place.kind]++;
        if (how === 'restore') await restore(here, step.meta, step.entries, now);
        else if (how === 'merge' && place.kind === 'longer') {
          const known = here.meta(place.id) as ConversationMeta;
          const longer = await foldInParts(entries, breathe);
          // The title of one that was added beside another says so.
          const isOwn = known.title === conversationTitle(await foldInParts(logs.get(place.id) ?? [], breathe));
          const title = isOwn ? conversationTitle(longer) : known.title;
          const updatedAt = Math.max(known.updatedAt, step.meta.updatedAt);
          await here.append(place.added, { ...known, title, turns: sizeOf(longer.nodes), updatedAt, deletedAt: null });
        } else if (how === 'merge' && isRestored) await here.bringBack(place.id);
        else if (how === 'merge' && place.kind !== 'same') {
          // Only a name beside one that is here: versions that the backup has side by side have theirs already.
          const title = place.id === step.meta.id ? step.meta.title : `${step.meta.title} (from the backup)`;
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
  const others = (await storage.conversations()).filter(({ id, deletedAt }) => deletedAt === null && !inBackup.has(id));
  if (how === 'restore' && manifest !== null) {
    const ids = others.map(({ id }) => id);
    await storage.setDeleted(ids, now);
    await storage.replaceLessons(manifest.lessons);
    await storage.setLearns(manifest.learns);
    // One that is not in it was as it comes.
    for (const name of SETTINGS) await storage.saveSetting(name, manifest.settings[name]);
  }
  return {
    madeAt: manifest?.madeAt ?? 0,
    added: counts.new,
    longer: counts.longer,
    differing: counts.differs,
    same: counts.same,
    restored: counts.restored,
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

/** Turns that the user purged from disk do not come back with an older copy. */
const withoutPurged = async (
  log: readonly Entry[],
  here: KnownLogs,
  breathe: () => Promise<void>,
): Promise<readonly Entry[]> => {
  const purged = [...here.values()].flatMap((entries) =>
    (entries ?? []).flatMap(({ event }) => (event.type === 'turns-purged' ? event.nodeIds : [])),
  );
  return purged.length === 0 ? log : mapInParts(log, scrubber(log, purged), breathe);
};

const metaOf = (
  { turns, createdAt, updatedAt, filing }: Omit<ConversationMeta, 'deletedAt'>,
  id: string,
  title: string,
): ConversationMeta => ({ id, title, turns, createdAt, updatedAt, deletedAt: null, filing });

/** Index of the stored conversations, including deleted ones: listed once, then kept up to date as they are added. */
const conversationsIn = async (storage: Storage) => {
  const byOrigin = new Map<string, Map<string, ConversationMeta>>();
  const note = (meta: ConversationMeta): void => {
    const origin = originOf(meta.id);
    byOrigin.set(origin, (byOrigin.get(origin) ?? new Map()).set(meta.id, meta));
  };
  for (const meta of await storage.conversations()) note(meta);
  return {
    storage,
    note,
    meta: (id: string): ConversationMeta | undefined => byOrigin.get(originOf(id))?.get(id),
    isDeleted: (id: string): boolean => typeof byOrigin.get(originOf(id))?.get(id)?.deletedAt === 'number',
    /** The diverging logs of a conversation, deleted ones last. */
    logsOf: async (id: string): Promise<KnownLogs> => {
      const logs = new Map<string, readonly Entry[] | null>();
      const metas = [...(byOrigin.get(originOf(id))?.values() ?? [])];
      const isKept = ({ deletedAt }: ConversationMeta): boolean => deletedAt === null;
      for (const own of [...metas.filter(isKept), ...metas.filter((meta) => !isKept(meta))])
        logs.set(own.id, await readSound(storage, own.id));
      return logs;
    },
    bringBack: async (id: string): Promise<void> => {
      await storage.setDeleted([id], null);
      const meta = byOrigin.get(originOf(id))?.get(id);
      if (meta !== undefined) note({ ...meta, deletedAt: null });
    },
    append: async (entries: readonly Entry[], meta: ConversationMeta): Promise<void> => {
      await appendAll(storage, entries, meta);
      note(meta);
    },
  };
};

/** Replaces the local log, which stays as a deleted conversation unless it is damaged or a prefix of the new one. */
const restore = async (
  here: Awaited<ReturnType<typeof conversationsIn>>,
  meta: Omit<ConversationMeta, 'deletedAt'>,
  entries: readonly Entry[],
  now: number,
): Promise<void> => {
  const own = metaOf(meta, meta.id, meta.title);
  const log = await readSound(here.storage, meta.id);
  if (log !== null) {
    const place = placeOf(meta.id, entries, new Map(log.length === 0 ? [] : [[meta.id, log]]));
    if (place.kind === 'new') return here.append(entries, own);
    if (place.kind === 'longer' || (place.kind === 'same' && log.length === entries.length)) {
      await here.append(place.kind === 'longer' ? place.added : [], own);
      // Appending does not change where it is filed.
      return here.storage.file([own.id], filingOf(own));
    }
    const former = here.meta(meta.id) ?? own;
    // Another version of it may have been replaced at the same moment.
    let id = `${originOf(meta.id)}${OTHER}${now}`;
    while (here.meta(id) !== undefined) id = `${id}+`;
    await here.append(log, { ...former, id, title: `${former.title} (before the backup)`, deletedAt: now });
  }
  // Not purged first: that would take along the files that both name, and a tab that has it open would find it gone.
  try {
    await here.storage.rewrite(entries, Number.POSITIVE_INFINITY, own, []);
  } catch (error) {
    if (!(error instanceof StorageFailure && error.kind === 'full')) throw error;
    await here.storage.purge(meta.id);
    return here.append(entries, own);
  }
  await here.storage.file([own.id], filingOf(own));
  here.note(own);
};

/** Merges lessons: for the same question the later one wins; ties are resolved deterministically. */
const mergedLessons = (here: readonly Lesson[], there: readonly Lesson[]): Lesson[] => {
  const merged = new Map<string, Lesson>();
  for (const lesson of [...here, ...there]) {
    const known = merged.get(lessonKey(lesson));
    if (known === undefined || rank(known, lesson) < 0) merged.set(lessonKey(lesson), lesson);
  }
  return [...merged.values()].sort((a, b) => a.at - b.at || lessonKey(a).localeCompare(lessonKey(b)));
};

const rank = (a: Lesson, b: Lesson): number => a.at - b.at || JSON.stringify(a).localeCompare(JSON.stringify(b));

const newLessons = (here: readonly Lesson[], there: readonly Lesson[]): Lesson[] => {
  const known = new Map(here.map((lesson) => [lessonKey(lesson), lesson]));
  return there.filter((lesson) => {
    const own = known.get(lessonKey(lesson));
    return own === undefined || rank(own, lesson) < 0;
  });
};
