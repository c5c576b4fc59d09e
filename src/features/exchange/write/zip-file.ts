import { Zip, ZipPassThrough } from 'fflate';
import { yieldToPage } from '../../../engine/tasks.ts';

/** A path in an archive with its content: bytes, or a data URL. */
export type ZippedFile = readonly [path: string, bytes: Uint8Array | string];

/** An archive of uncompressed files, as pictures and documents are already compressed. The page can draw between them. */
export const zipOf = async (files: readonly ZippedFile[]): Promise<Blob> => {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const failures: Error[] = [];
  const zip = new Zip((failure, chunk) => {
    if (failure !== null) failures.push(failure);
    else parts.push(new Uint8Array(chunk));
  });
  for (const [path, content] of files) {
    const bytes = typeof content === 'string' ? new Uint8Array(await (await fetch(content)).arrayBuffer()) : content;
    const entry = new ZipPassThrough(path);
    zip.add(entry);
    entry.push(bytes, true);
    await yieldToPage();
  }
  zip.end();
  const [failure] = failures;
  if (failure !== undefined) throw failure;
  return new Blob(parts, { type: 'application/zip' });
};

/** The file extension for the media type of a data URL. */
export const endingOf = (url: string): string => {
  const type = /^data:([\w.+-]+\/[\w.+-]+)/.exec(url)?.[1] ?? '';
  return ENDINGS[type] ?? /\/([a-z0-9]{2,5})$/.exec(type)?.[1] ?? 'bin';
};

const ENDINGS: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/svg+xml': 'svg',
  'text/plain': 'txt',
  'text/markdown': 'md',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
};
