import type { Attachment } from '../domain/attachment.ts';
import { attachmentIds, type Entry } from '../domain/entry.ts';
import type { PendingTurn } from '../domain/forest.ts';
import { fileNames, userAttachments } from '../engine/context/sent-message.ts';
import { errorMessage } from '../engine/model-failure.ts';
import { abortable } from '../engine/tasks.ts';
import {
  type Kernel,
  notifyNotSent,
  reportingErrors,
  reportNotAttached,
  reportUnexpected,
  setSession,
  whenOpen,
  whyAbsent,
} from './kernel.ts';
import type { Session } from './state.ts';

/** Maximum number of files per message; nobody looks through more. */
const MOST_ATTACHED = 20;

/** The text a draft is sent as: the names of the attached files if nothing was written. */
export const draftText = ({ draft, attached }: Pick<Session, 'draft' | 'attached'>): string =>
  draft.trim() || fileNames(attached);

/** Two drafts as one, the earlier first. */
export const joinDrafts = (...drafts: readonly string[]): string =>
  drafts.filter((text) => text.trim() !== '').join('\n\n');

/** Turns a sent message back into a draft. */
export const draftOf = (turn: Pick<PendingTurn, 'message' | 'attachments'>) => {
  const attached = userAttachments(turn);
  const named = draftText({ draft: '', attached });
  return { draft: turn.message === named ? '' : turn.message, attached };
};

export const isSameFile = (a: Attachment, b: Attachment): boolean => a.id === b.id && a.name === b.name;

/** A module that cannot be loaded is a TypeError in every browser. */
const whyUnread = (error: unknown): string =>
  error instanceof TypeError
    ? 'The file reader could not be loaded. Check your connection, then reload the page and try again.'
    : `It could not be read: ${errorMessage(error)}`;

interface Parts {
  readonly keep: (attached: readonly Attachment[]) => Promise<void>;
  /** Drops a file's bytes unless something else names it. */
  readonly dropFile: (id: string) => Promise<void>;
  /** Returns what puts a text at the end of the draft that is open now, also once another conversation is open. */
  readonly draftHere: () => (text: string) => void;
}

/**
 * Manages the files attached to the next message. Their bytes are stored before they are shown as attached, so
 * nothing is sent incomplete; the attachments themselves are saved too (`keep`), so a reload loses nothing that was
 * shown.
 */
export const createAttachments = (kernel: Kernel, { keep, dropFile, draftHere }: Parts) => {
  const { store, ports } = kernel;
  const session = () => store.getState().session;

  let refusals = 0;
  const refuse = (name: string, why: string, others = 0): false => {
    refusals += 1;
    reportNotAttached(kernel, name, why, others);
    return false;
  };

  /** By the file that is being read, what ends its reading. */
  const removals = new Map<File, AbortController>();
  const leaveOut = (file: File): void =>
    setSession(kernel, { attaching: session().attaching.filter((one) => one !== file) });

  const attachOne = async (file: File, conversationId: string, signal: AbortSignal): Promise<boolean> => {
    if (signal.aborted) return false;
    const read = await abortable(ports.readFile(file, signal), signal).catch((error: unknown) => ({
      ok: false as const,
      why: whyUnread(error),
    }));
    if (signal.aborted) return false;
    if (!read.ok) return refuse(file.name, read.why);
    const { attachment, bytes } = read;
    try {
      await kernel.storage.saveBlobs(new Map([[attachment.id, bytes]]));
    } catch (error) {
      return refuse(file.name, errorMessage(error));
    }
    const isOpen = () => store.getState().conversationId === conversationId;
    if (!isOpen()) return refuse(file.name, 'Another conversation was opened before it was read.');
    // Not wanted if the same file was added twice, or removed meanwhile.
    const isWanted = () =>
      isOpen() && !signal.aborted && !session().attached.some((one) => isSameFile(one, attachment));
    if (!isWanted()) return !signal.aborted;
    await keep([...session().attached, attachment]);
    if (isWanted()) setSession(kernel, { attached: [...session().attached, attachment] });
    else if (isOpen()) await keep(session().attached);
    return isOpen() && !signal.aborted;
  };

  const attach = async (files: readonly File[]): Promise<boolean> => {
    const { conversationId } = store.getState();
    const room = Math.max(0, MOST_ATTACHED - session().attached.length - session().attaching.length);
    const [first, ...others] = files.slice(room);
    if (first !== undefined) {
      const why = `You can attach up to ${MOST_ATTACHED} files to a message. Send the rest with the next one.`;
      // All in one: a folder may hold hundreds.
      refuse(first.name, why, others.length);
    }
    const taken = files.slice(0, room).map((file) => ({ file, removal: new AbortController() }));
    for (const { file, removal } of taken) removals.set(file, removal);
    setSession(kernel, { attaching: [...session().attaching, ...taken.map(({ file }) => file)] });
    let attached = 0;
    for (const { file, removal } of taken) {
      const isAttached = await attachOne(file, conversationId, removal.signal).finally(() => {
        removals.delete(file);
        if (store.getState().conversationId === conversationId) leaveOut(file);
      });
      if (isAttached) attached += 1;
    }
    return attached === files.length;
  };

  const attachOrReport = (files: readonly File[]): Promise<boolean> =>
    attach(files).catch((error: unknown) => {
      reportUnexpected(kernel, 'Attaching', error);
      return false;
    });

  /** Resolves once all pending files have been read. */
  const read = (): Promise<void> =>
    new Promise((resolve) => {
      if (session().attaching.length === 0) return resolve();
      const stop = store.subscribe(() => {
        if (session().attaching.length > 0) return;
        stop();
        resolve();
      });
    });

  /** Whether the files to be sent are still stored; takes away those that are not. */
  const areThere = async (): Promise<boolean> => {
    const gone: Attachment[] = [];
    for (const one of session().attached) {
      if (one.id !== null && (await kernel.storage.readBlob(one.id)) === undefined) gone.push(one);
    }
    // New conversations of all tabs share one draft, and a purge takes the files of a message that went back into it.
    for (const { name } of gone) refuse(name, `${whyAbsent(kernel)} Attach it again, or send without it.`);
    if (gone.length > 0) setSession(kernel, { attached: session().attached.filter((one) => !gone.includes(one)) });
    return gone.length === 0;
  };

  return {
    /** Returns the draft's files, once those being read have been; null, and says why, if it is not to be sent. */
    filesOfDraft: async (): Promise<readonly Attachment[] | null> => {
      const { conversationId } = store.getState();
      const isOpen = () => store.getState().conversationId === conversationId;
      const before = refusals;
      await read();
      if (isOpen() && (refusals > before || !(await areThere()))) return null;
      if (isOpen()) return session().attached;
      notifyNotSent(kernel, conversationId, 'message');
      return null;
    },

    actions: {
      /**
       * Reads files and attaches them to the next message; those that cannot be attached are reported as problems.
       * Returns whether all of them are attached.
       */
      attach: whenOpen(kernel, attachOrReport),

      /** Attaches a text of the draft as a file in its place; if that fails, it goes back into the draft it came from. */
      attachInstead: async (text: string): Promise<void> => {
        // At once: it is not to be sent twice.
        setSession(kernel, { draft: session().draft.replace(text, '').trim() });
        await kernel.opened;
        const putBack = draftHere();
        const file = new File([text], 'pasted text.txt', { type: 'text/plain' });
        if (!(await attachOrReport([file]))) putBack(text);
      },

      /** Removes a file that is still being read. */
      stopAttaching: (file: File): void => {
        removals.get(file)?.abort();
        leaveOut(file);
      },

      detach: reportingErrors(kernel, 'Removing the file', async (attachment: Attachment) => {
        setSession(kernel, { attached: session().attached.filter((one) => one !== attachment) });
        const stillThere = session().attached.some(({ id }) => id === attachment.id);
        if (attachment.id === null || stillThere) return;
        await keep(session().attached);
        await dropFile(attachment.id);
      }),

      /** Stores a file from an import, with whatever text can be read from it, regardless of its type. Rejects if it cannot be stored. */
      keepFile: whenOpen(kernel, async (file: File): Promise<Attachment> => {
        const read = await ports.readFile(file).catch(() => ({ ok: false as const }));
        const { name, type: mediaType, size } = file;
        const attachment = read.ok ? read.attachment : { id: await ports.hashOf(file), name, mediaType, size };
        await kernel.storage.saveBlobs(new Map([[attachment.id, read.ok ? read.bytes : file]]));
        return attachment;
      }),

      /** Returns the id under which a file with these bytes is stored. */
      fileId: (bytes: Blob): Promise<string> => ports.hashOf(bytes),

      /** Returns the bytes of a message's file; undefined if they are missing. Rejects if they cannot be read. */
      bytesOf: whenOpen(kernel, ({ id }: Attachment) => (id === null ? undefined : kernel.storage.readBlob(id))),

      /** Returns the files a log references as data URLs by id, skipping those that are missing. */
      filesOf: whenOpen(kernel, async (entries: readonly Entry[]): Promise<ReadonlyMap<string, string>> => {
        const urls = await asDataUrls([...attachmentIds(entries)], (id) => kernel.storage.readBlob(id));
        return new Map(Object.entries(urls));
      }),

      /** Counts the files stored with messages and their bytes. Rejects if they cannot be read. */
      filesKept: whenOpen(kernel, () => kernel.storage.blobsKept()),

      /** Whether the current chat model accepts pictures. */
      chatSees: (): boolean => ports.models().chat.sees === true,
    },
  };
};

/** Returns files as data URLs by id, skipping those whose bytes are missing. */
const asDataUrls = async (
  ids: readonly string[],
  read: (id: string) => Promise<Blob | undefined>,
): Promise<Record<string, string>> => {
  const urls: Record<string, string> = {};
  for (const id of ids) {
    const blob = await read(id);
    if (blob !== undefined) urls[id] = await dataUrl(blob);
  }
  return urls;
};

/** Number of pictures to cache: recent ones are sent again with the next message, and while it is being written. */
const KEPT_URLS = 12;

/** Like `asDataUrls`, but caches the most recently requested files, since encoding a picture takes a while. */
export const keptDataUrls = (read: (id: string) => Promise<Blob | undefined>) => {
  const kept = new Map<string, string>();
  return async (ids: readonly string[]): Promise<Record<string, string>> => {
    const missing = ids.filter((id) => !kept.has(id));
    for (const [id, url] of Object.entries(await asDataUrls(missing, read))) kept.set(id, url);
    const found = Object.fromEntries(
      ids.flatMap((id): [string, string][] => {
        const url = kept.get(id);
        return url === undefined ? [] : [[id, url]];
      }),
    );
    for (const id of [...kept.keys()].slice(0, -KEPT_URLS)) kept.delete(id);
    return found;
  };
};

/** Limit on the number of arguments passed to `String.fromCharCode`. */
const AT_ONCE = 0x8000;

const dataUrl = async (blob: Blob): Promise<string> => {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  let binary = '';
  for (let from = 0; from < bytes.length; from += AT_ONCE) {
    binary += String.fromCharCode(...bytes.subarray(from, from + AT_ONCE));
  }
  return `data:${blob.type};base64,${btoa(binary)}`;
};
