import type { Attachment } from '../../../domain/attachment.ts';
import { type ArchiveFiles, archiveFiles } from './archive-files.ts';
import type { SourceFile } from './entries-of.ts';
import type { NamedBlob } from './read-blobs.ts';

/** Keeps the bytes of a file where those of messages lie, and says what can be read in it. */
type Keep = (file: File) => Promise<Attachment>;

/** Original names of the files of newer exports of ChatGPT, which all end in `.dat`. */
const NAMES = 'conversation_asset_file_names.json';

/** Finds the files that conversations of some exports name, and keeps them. Archives are looked into when the first is asked for. */
export const createFileKeeper = (given: readonly NamedBlob[], keep: Keep) => {
  let opened: Promise<{ files: ArchiveFiles; names: Readonly<Record<string, unknown>> }> | null = null;

  const open = async () => {
    const all: [string, () => Promise<Blob>][] = [];
    for (const { blob } of given) all.push(...(await archiveFiles(blob)));
    const files = new Map(all);
    const list = [...files].find(([path]) => baseName(path) === NAMES)?.[1];
    const told: unknown = list === undefined ? {} : JSON.parse(await (await list()).text());
    return { files, names: typeof told === 'object' && told !== null ? { ...told } : {} };
  };

  const inArchive = async (asset: string): Promise<{ name: string | null; blob: Blob } | null> => {
    opened ??= open();
    const { files, names } = await opened;
    for (const [path, unpack] of files) {
      const base = baseName(path);
      if (!base.startsWith(asset)) continue;
      const original = names[path] ?? names[base];
      return { name: typeof original === 'string' ? baseName(original) : null, blob: await unpack() };
    }
    return null;
  };

  const bytesOf = async ({ name, text, data, asset }: SourceFile): Promise<File | null> => {
    if (data !== undefined) return new File([await (await fetch(data)).blob()], name);
    const found = asset === undefined ? null : await inArchive(asset);
    // The export's own name of a picture is its id.
    if (found !== null)
      return new File([found.blob], asset !== undefined && name.includes(asset) ? (found.name ?? name) : name);
    return text === null ? null : new File([text], name, { type: 'text/plain' });
  };

  return {
    /** What was kept of each; those whose bytes are not there, or damaged, are left out. */
    keep: async (files: readonly SourceFile[]): Promise<Map<SourceFile, Attachment>> => {
      const kept = new Map<SourceFile, Attachment>();
      for (const file of files) {
        // A damaged file is as good as missing, and is marked so; the conversation is opened all the same.
        const bytes = await bytesOf(file).catch(() => null);
        if (bytes === null || bytes.size === 0) continue;
        const attachment = await keep(bytes);
        // What the export read in it goes before what is read here.
        kept.set(file, file.text === null ? attachment : { ...attachment, text: file.text });
      }
      return kept;
    },
  };
};

const baseName = (path: string): string => path.split('/').at(-1) ?? path;
