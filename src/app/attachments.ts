import type { Attachment } from '../domain/attachment.ts';
import { attachmentIds, type Entry } from '../domain/entry.ts';
import type { PendingTurn } from '../domain/forest.ts';
import { StorageFailure } from '../engine/storage.ts';
import { guarded, type Kernel, onceOpen, report, setSession } from './kernel.ts';
import type { Session } from './state.ts';

/** More than these in one message nobody looks through. */
const MOST_ATTACHED = 20;

/** What a draft is sent as: where nothing was written, the names of what is attached. */
export const draftText = ({ draft, attached }: Pick<Session, 'draft' | 'attached'>): string =>
  draft.trim() || attached.map(({ name }) => name).join(', ');

/** A message as it was before it was sent. */
export const draftOf = ({ message, attachments = [] }: Pick<PendingTurn, 'message' | 'attachments'>) => {
  const named = draftText({ draft: '', attached: attachments });
  return { draft: message === named ? '' : message, attached: attachments };
};

/**
 * Files that go with the next message. Their bytes are kept before they are shown as attached, so that nothing is sent half; and so is
 * that they are attached (`keep`), so that a reload loses nothing that was shown.
 */
export const createAttachments = (kernel: Kernel, keep: (attached: readonly Attachment[]) => Promise<void>) => {
  const { store, ports } = kernel;
  const session = () => store.getState().session;

  const refuse = (name: string, why: string): void =>
    report(kernel, { id: `attach-${name}`, title: `${name} is not attached`, advice: why, action: null });

  const attachOne = async (file: File, conversationId: string): Promise<void> => {
    const read = await ports.readFile(file).catch(() => ({
      ok: false as const,
      why: 'What reads files could not be loaded. Check the connection, reload the page and try again.',
    }));
    if (!read.ok) return refuse(file.name, read.why);
    const { attachment, bytes } = read;
    try {
      await kernel.storage.saveBlobs(new Map([[attachment.id, bytes]]));
    } catch (error) {
      if (!(error instanceof StorageFailure)) throw error;
      return refuse(file.name, error.message);
    }
    // Read too late for the conversation that it was meant for, or given twice.
    const isWanted = () =>
      store.getState().conversationId === conversationId &&
      !session().attached.some(({ id, name }) => id === attachment.id && name === attachment.name);
    if (!isWanted()) return;
    await keep([...session().attached, attachment]);
    if (isWanted()) setSession(kernel, { attached: [...session().attached, attachment] });
  };

  /** Resolves when what was being read has been. */
  const read = (): Promise<void> =>
    new Promise((resolve) => {
      if (session().attaching.length === 0) return resolve();
      const stop = store.subscribe(() => {
        if (session().attaching.length > 0) return;
        stop();
        resolve();
      });
    });

  return {
    /** What is sent for a text once the files that were given with it are read. */
    whenRead: async (text: string): Promise<string> => {
      const isDraft = draftText(session()) === text;
      await read();
      return isDraft ? draftText(session()) : text;
    },

    actions: {
      /** Reads files and has them go with the next message; those that cannot are told of as problems. */
      attach: guarded(kernel, 'Attaching', async (files: readonly File[]) => {
        const { conversationId } = store.getState();
        const room = Math.max(0, MOST_ATTACHED - session().attached.length - session().attaching.length);
        for (const { name } of files.slice(room)) {
          refuse(name, `A message takes at most ${MOST_ATTACHED} files. Send these first, then the others.`);
        }
        const taken = files.slice(0, room);
        setSession(kernel, { attaching: [...session().attaching, ...taken.map(({ name }) => name)] });
        for (const file of taken) {
          await attachOne(file, conversationId).finally(() => {
            const { attaching } = session();
            const at = attaching.indexOf(file.name);
            setSession(kernel, { attaching: attaching.filter((_, i) => i !== at) });
          });
        }
      }),

      detach: guarded(kernel, 'Taking the file away', async (attachment: Attachment) => {
        setSession(kernel, { attached: session().attached.filter((one) => one !== attachment) });
        const stillThere = session().attached.some(({ id }) => id === attachment.id);
        if (attachment.id !== null && !stillThere) await kernel.storage.dropUnused({ id: attachment.id });
      }),

      /** Keeps a file of an import, with what can be read in it, whatever it is. Rejects where it cannot be stored. */
      keepFile: onceOpen(kernel, async (file: File): Promise<Attachment> => {
        const read = await ports.readFile(file);
        const { name, type: mediaType, size } = file;
        const attachment = read.ok ? read.attachment : { id: await ports.hashOf(file), name, mediaType, size };
        await kernel.storage.saveBlobs(new Map([[attachment.id, read.ok ? read.bytes : file]]));
        return attachment;
      }),

      /** The bytes of a file that came with a message; undefined where they are not there. Rejects where they cannot be read. */
      bytesOf: onceOpen(kernel, ({ id }: Attachment) => (id === null ? undefined : kernel.storage.readBlob(id))),

      /** The files that a log names, as data URLs by their ids; those that are here. */
      filesOf: onceOpen(kernel, async (entries: readonly Entry[]): Promise<ReadonlyMap<string, string>> => {
        const urls = await asDataUrls([...attachmentIds(entries)], (id) => kernel.storage.readBlob(id));
        return new Map(Object.entries(urls));
      }),

      /** How many files are kept with messages, and their bytes. Rejects where that cannot be read. */
      filesKept: onceOpen(kernel, () => kernel.storage.blobsKept()),

      /** Whether the chosen chat model can be shown pictures. */
      chatSees: (): boolean => ports.models().chat.sees === true,
    },
  };
};

/** Files as data URLs by their ids; those whose bytes are there. */
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

/** Pictures that a model has been shown lately are shown again with the next message, and while that is being written. */
const KEPT_URLS = 12;

/** The same, keeping those that were asked for last: a picture takes the page a while to write out. */
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

/** `String.fromCharCode` takes so many at once. */
const AT_ONCE = 0x8000;

const dataUrl = async (blob: Blob): Promise<string> => {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  let binary = '';
  for (let from = 0; from < bytes.length; from += AT_ONCE) {
    binary += String.fromCharCode(...bytes.subarray(from, from + AT_ONCE));
  }
  return `data:${blob.type};base64,${btoa(binary)}`;
};
