import type { StoreApi } from 'zustand/vanilla';
import type { Actions } from '../../../app/actions.ts';
import type { AppState } from '../../../app/state.ts';
import { errorMessage } from '../../../engine/model-failure.ts';
import { StorageFailure } from '../../../engine/storage.ts';

/* Copies of everything into a folder of the user's choice, through the File System Access API where supported. Off by default. */

declare global {
  interface Window {
    showDirectoryPicker?(options: { mode: 'readwrite'; id: string }): Promise<FileSystemDirectoryHandle>;
  }
  interface FileSystemDirectoryHandle {
    keys(): AsyncIterable<string>;
    queryPermission?(what: { mode: 'readwrite' }): Promise<PermissionState>;
    requestPermission?(what: { mode: 'readwrite' }): Promise<PermissionState>;
  }
}

/** The destination of copies, and the result of the last one. */
export interface CopyFolder {
  readonly folder: FileSystemDirectoryHandle;
  /**
   * The name of the copy, which only this browser writes: the folder may hold the only copy of what another browser has, or
   * of what this one had before its data was cleared.
   */
  readonly file: string;
  /** When a copy was last written, in milliseconds since 1970; null before the first. */
  readonly writtenAt: number | null;
  /** Why the last attempt failed, in whole sentences; null if it succeeded. */
  readonly failure: string | null;
  /**
   * What is damaged and thus not in the copy: conversations by title, and files; omitted if nothing is. Such a copy goes
   * beside the last whole one, which may be the only place where they still are.
   */
  readonly damaged?: string;
}

const SETTING = 'backup-folder';
const PREFIX = 'coppice-backup';
/** The name of a copy that lacks what is damaged. */
export const partialName = (file: string): string => file.replace(/\.zip$/, '-without-damaged.zip');

const newFileName = (): string => `${PREFIX}-${crypto.randomUUID().slice(0, 8)}.zip`;

/** Interval between copies if something has changed, in milliseconds. */
const EVERY = 10 * 60 * 1000;
/** Delay after the start of the copy that the last visit was too short for, in milliseconds: opening comes first. */
const SOON = 30 * 1000;
/** In localStorage while something has changed that no copy has. */
const DUE = 'coppice-copy-due';

export const foldersAreThere = (): boolean => window.showDirectoryPicker !== undefined;

type Access = Pick<Actions, 'withStorage'>;

const read = async ({ withStorage }: Access): Promise<Partial<CopyFolder>> =>
  ((await withStorage((storage) => storage.setting(SETTING))) as Partial<CopyFolder> | null | undefined) ?? {};

const save = ({ withStorage }: Access, state: Partial<CopyFolder>): Promise<void> =>
  withStorage((storage) => storage.saveSetting(SETTING, state));

/** null if copies are off. */
export const copyFolder = async (access: Access): Promise<CopyFolder | null> => {
  const saved = await read(access);
  if (saved.folder?.kind !== 'directory') return null;
  const { folder, file = newFileName(), writtenAt = null, failure = null } = saved;
  return { ...saved, folder, file, writtenAt, failure };
};

/** The name stays: chosen again, the folder gets no second copy of the same. */
export const stopCopies = async (access: Access): Promise<void> => {
  const { file } = await read(access);
  await save(access, file === undefined ? {} : { file });
};

/** Overwrites the last copy of this browser; null if copies are off. A failure is stored with the folder and shown there. */
export const writeCopy = async (access: Access, now: number): Promise<CopyFolder | null> => {
  const before = await copyFolder(access);
  if (before === null) return null;
  const after = await writeTo(access, before, now);
  // Copies may have been stopped meanwhile, or another folder chosen.
  const current = await copyFolder(access);
  if (current === null || !(await isSame(current.folder, before.folder))) return current;
  await save(access, after).catch((error: unknown) => {
    // The copy is written all the same.
    if (!(error instanceof StorageFailure)) throw error;
  });
  return after;
};

/** The same for a folder that was just chosen. `found`: the names of other backups in it, which stay as they are. */
export const beginCopies = async (
  access: Access,
  folder: FileSystemDirectoryHandle,
  now: number,
): Promise<{ readonly state: CopyFolder; readonly found: readonly string[] }> => {
  const { file = newFileName() } = await read(access);
  const state = await writeTo(access, { folder, file, writtenAt: null, failure: null }, now);
  await save(access, state);
  return { state, found: state.failure === null ? await otherBackups(state) : [] };
};

const otherBackups = async ({ folder, file }: CopyFolder): Promise<readonly string[]> => {
  const names: string[] = [];
  for await (const name of folder.keys()) {
    if (name.startsWith(PREFIX) && name.endsWith('.zip') && name !== file && name !== partialName(file))
      names.push(name);
  }
  return names.sort();
};

/** The handles are copies: each reading of the setting makes its own. */
const isSame = async (a: FileSystemDirectoryHandle, b: FileSystemDirectoryHandle): Promise<boolean> =>
  a === b || a.isSameEntry(b);

const writeTo = async (access: Access, before: CopyFolder, now: number): Promise<CopyFolder> => {
  const { folder, file } = before;
  try {
    if ((await folder.queryPermission?.({ mode: 'readwrite' })) === 'prompt') {
      throw new Error('The browser asks again for permission to write there. Press “Allow and save now”.');
    }
    const watch = { signal: new AbortController().signal, onProgress: () => undefined };
    const { packBackup } = await import('./backup-file.ts');
    const { file: backup, damaged } = await access.withStorage((storage) => packBackup(storage, now, watch));
    const handle = await folder.getFileHandle(damaged.length === 0 ? file : partialName(file), { create: true });
    // The old copy stays until the new one is complete.
    const writable = await handle.createWritable();
    await writable.write(backup);
    await writable.close();
    return { folder, file, writtenAt: now, failure: null, ...(damaged.length > 0 && { damaged: damaged.join(', ') }) };
  } catch (error) {
    return { ...before, failure: errorMessage(error) };
  }
};

/**
 * What changes with everything that a backup holds: the list does with whatever is said or deleted, while the open log also
 * is another one when a conversation is only looked at.
 */
const WRITTEN = ['conversations', 'studyWrites', 'learning', 'keys', 'personas', 'settings'] as const;

/** Whether something that a backup holds has changed. */
export const changesBackup = (now: AppState, before: AppState): boolean =>
  WRITTEN.some((part) => now[part] !== before[part]);

/**
 * The latest change that no copy has, as an arbitrary name for it; null if there is none. Kept in localStorage as well: the
 * page may be closed long before a copy is complete, and the next visit writes it.
 */
const changeDue = () => {
  /** Where localStorage is blocked or full, for this visit only. */
  let own: string | null = null;
  const stored = (): string | null => {
    try {
      return localStorage.getItem(DUE);
    } catch {
      return null;
    }
  };
  return {
    latest: (): string | null => stored() ?? own,
    add: (): void => {
      const change = crypto.randomUUID();
      try {
        localStorage.setItem(DUE, change);
      } catch {
        own = change;
      }
    },
    /** A later one stays. */
    remove: (change: string): void => {
      if (stored() === change) localStorage.removeItem(DUE);
      if (own === change) own = null;
    },
  };
};

/**
 * Writes a copy every few minutes and when the user leaves the page, if something has changed, and soon after the start if
 * the last visit ended before its changes were copied; one tab at a time. Does nothing in browsers without folder access.
 */
export const keepCopies = ({ store, actions }: { store: StoreApi<AppState>; actions: Actions }): void => {
  if (!foldersAreThere()) return;
  const due = changeDue();
  /** The damage that the user was told of. */
  let told = '';
  const write = async (): Promise<void> => {
    const change = due.latest();
    if (change === null) return;
    await navigator.locks.request('coppice-copies', { ifAvailable: true }, async (lock) => {
      // The copy being written may lack the latest change.
      if (lock === null) return;
      const state = await writeCopy(actions, Date.now());
      // Where the storage did not open it is not known whether copies are on: the next visit may write it.
      if (state === null && store.getState().storage.kind === 'memory') return;
      if (state !== null && state.failure !== null) {
        actions.announce(`Could not save a copy to “${state.folder.name}”. Open Backup to see why.`);
        return;
      }
      due.remove(change);
      const { damaged = '' } = state ?? {};
      if (damaged !== '' && damaged !== told)
        actions.announce(`The copy in “${state?.folder.name}” lacks what is damaged. Open Backup to see what that is.`);
      told = damaged;
    });
  };
  const tell = async (error: unknown): Promise<void> => {
    // Where site data is blocked no lock is given, whether or not there are copies to write.
    const folder = await copyFolder(actions).catch(() => undefined);
    if (folder !== null) actions.announce(`Could not save a copy to your folder: ${errorMessage(error)}`);
  };
  const begin = () => void write().catch(tell);
  if (due.latest() !== null) setTimeout(begin, SOON);
  store.subscribe((now, before) => {
    if (now.phase === 'ready' && before.phase === 'ready' && changesBackup(now, before)) due.add();
  });
  setInterval(begin, EVERY);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') begin();
  });
};
