import type { GivenFile } from './evaluation-port.ts';

/** Files from a picker; one for folders says where each of them lies. */
export const pickedFiles = (files: FileList | null): GivenFile[] =>
  [...(files ?? [])].map((file) => given(file, file.webkitRelativePath || file.name));

/** What was dropped: files, and everything under folders. */
export const droppedFiles = async ({ items, files }: DataTransfer): Promise<GivenFile[]> => {
  // The items are gone after the event, so the entries are asked for at once.
  const entries = [...items].flatMap((item) => item.webkitGetAsEntry?.() ?? []);
  if (entries.length === 0) return pickedFiles(files);
  return (await Promise.all(entries.map(filesUnder))).flat();
};

const given = (file: File, path: string): GivenFile => ({ path, size: file.size, text: () => file.text() });

const filesUnder = async (entry: FileSystemEntry): Promise<GivenFile[]> => {
  const path = entry.fullPath.replace(/^\//, '');
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
    return [given(file, path)];
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const found: GivenFile[] = [];
  // A reader gives a hundred at a time, and none at the end.
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return found;
    found.push(...(await Promise.all(some.map(filesUnder))).flat());
  }
};
