import * as z from 'zod/mini';
import { Attachment } from '../domain/attachment.ts';
import { keptSetting } from './kept-setting.ts';
import { draftKey, type Kernel, reportNotAttached, reportUnexpected, whyAbsent } from './kernel.ts';

const StoredDraftFiles = z.record(z.string(), z.array(Attachment));
type StoredDraftFiles = z.infer<typeof StoredDraftFiles>;

/** Damaged data counts as never attached. */
const readDraftFiles = (stored: unknown): StoredDraftFiles => {
  const read = StoredDraftFiles.safeParse(stored);
  return read.success ? read.data : {};
};

const isOf = (file: Attachment | undefined, id: string | null, name: string): boolean =>
  file?.id === id && file.name === name;

export type DraftFiles = ReturnType<typeof createDraftFiles>;

/**
 * Manages the files attached to unsent messages, by draft. With the text read from them they can be large, so they
 * are kept in the database rather than next to the draft text; their bytes are stored with those of sent files.
 */
export const createDraftFiles = (kernel: Kernel) => {
  const kept = keptSetting(kernel, { name: 'draft-files', words: 'the attached files', parse: readDraftFiles });

  /** Resolves when they are saved; reports a failure to the user. */
  const change = (draft: string, next: (before: readonly Attachment[]) => readonly Attachment[]): Promise<void> =>
    kept
      .change(({ [draft]: before = [], ...others }) => {
        const files = next(before);
        if (files.length === before.length && files.every(({ id, name }, i) => isOf(before[i], id, name))) return null;
        return files.length === 0 ? others : { ...others, [draft]: [...files] };
      })
      .catch((error) => reportUnexpected(kernel, 'Saving the attached files', error));

  const keep = (draft: string, files: readonly Attachment[]): Promise<void> => change(draft, () => files);

  /** Ids of all files referenced by any draft, except a given one. */
  const named = async (except?: string): Promise<ReadonlySet<string>> => {
    const drafts = Object.entries(await kept.read()).filter(([draft]) => draft !== except);
    return new Set(drafts.flatMap(([, files]) => files.flatMap(({ id }) => id ?? [])));
  };

  /** Removes the files of a draft, with the bytes of those that nothing else references. */
  const remove = async (draft: string): Promise<void> => {
    const { [draft]: files = [] } = await kept.read();
    if (files.length === 0) return;
    await keep(draft, []);
    const others = await named();
    for (const { id } of files) if (id !== null && !others.has(id)) await kernel.storage.dropUnused({ id });
  };

  return {
    keep,
    named,
    remove,

    /** Removes those of conversations that are stored no longer: the page was closed after one had been removed, and before its draft. */
    removeLost: async (): Promise<void> => {
      for (const draft of Object.keys(await kept.read()))
        if (draft !== draftKey('', 0) && (await kernel.storage.conversation(draft)) === undefined) await remove(draft);
    },

    /** Returns the files of a draft whose bytes still exist; reports those that are gone, once. */
    read: async (draft: string): Promise<readonly Attachment[]> => {
      const files = (await kept.read())[draft] ?? [];
      const found: Attachment[] = [];
      for (const one of files) {
        if (one.id !== null && (await kernel.storage.readBlob(one.id)) !== undefined) found.push(one);
        else reportNotAttached(kernel, one.name, `${whyAbsent(kernel)} Attach it again.`);
      }
      const gone = files.filter((one) => !found.includes(one));
      // Another tab may have attached more meanwhile.
      const isGone = (one: Attachment) => gone.some(({ id, name }) => isOf(one, id, name));
      if (gone.length > 0) await change(draft, (before) => before.filter((one) => !isGone(one)));
      return found;
    },
  };
};
