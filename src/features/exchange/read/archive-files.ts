/** Files of archives, each by its whole name, unpacked when it is asked for. */
export type ArchiveFiles = ReadonlyMap<string, () => Promise<Blob>>;

/* Records of a ZIP archive, by their first four bytes (APPNOTE 6.3.10, section 4.3). */
const END = 0x06054b50;
const END_64_LOCATOR = 0x07064b50;
const ENTRY = 0x02014b50;
const END_BYTES = 22;
const ENTRY_BYTES = 46;
const LOCAL_BYTES = 30;
/** Bytes of one unpacked file: more than any picture or document of a chat has, and what a browser can hold. */
const LARGEST = 512 * 1024 * 1024;
/** A comment may follow the end. */
const LONGEST_COMMENT = 0xffff;
/** Stands where a number is too large for its place, and is in the extra field of this tag. */
const ELSEWHERE = 0xffffffff;
const EXTRA_64 = 1;

const STORED = 0;
const DEFLATED = 8;

/**
 * What an archive holds, told by the list at its end, so that a file is found in gigabytes without reading them. Empty for
 * what is no archive, or one without a sound end. `largest`: bytes beyond which a file is given up.
 */
export const archiveFiles = async (archive: Blob, largest = LARGEST): Promise<ArchiveFiles> => {
  const files = new Map<string, () => Promise<Blob>>();
  const list = await listOf(archive);
  if (list === null) return files;
  const view = await viewOf(archive, list.from, list.from + list.size);
  for (let at = 0; at + ENTRY_BYTES <= view.byteLength && view.getUint32(at, true) === ENTRY; ) {
    const name = view.getUint16(at + 28, true);
    const extra = view.getUint16(at + 30, true);
    const comment = view.getUint16(at + 32, true);
    const end = at + ENTRY_BYTES + name + extra + comment;
    if (end > view.byteLength) break;
    const path = new TextDecoder().decode(new Uint8Array(view.buffer, at + ENTRY_BYTES, name));
    const place = placeOf(view, at, at + ENTRY_BYTES + name, extra);
    if (!path.endsWith('/')) files.set(path, () => unpacked(archive, place, largest));
    at = end;
  }
  return files;
};

interface Place {
  readonly method: number;
  readonly packed: number;
  readonly from: number;
}

const viewOf = async (blob: Blob, from: number, to: number): Promise<DataView> =>
  new DataView(await blob.slice(Math.max(0, from), to).arrayBuffer());

/** Where the list of files stands; null if there is none. */
const listOf = async (archive: Blob): Promise<{ readonly from: number; readonly size: number } | null> => {
  const begin = Math.max(0, archive.size - END_BYTES - LONGEST_COMMENT);
  const view = await viewOf(archive, begin, archive.size);
  for (let at = view.byteLength - END_BYTES; at >= 0; at--) {
    if (view.getUint32(at, true) !== END) continue;
    const [size, from] = [view.getUint32(at + 12, true), view.getUint32(at + 16, true)];
    if (size !== ELSEWHERE && from !== ELSEWHERE) return { from, size };
    if (at < 20 || view.getUint32(at - 20, true) !== END_64_LOCATOR) return null;
    const far = Number(view.getBigUint64(at - 12, true));
    const end = await viewOf(archive, far, far + 56);
    return end.byteLength < 56
      ? null
      : { size: Number(end.getBigUint64(40, true)), from: Number(end.getBigUint64(48, true)) };
  }
  return null;
};

const placeOf = (view: DataView, at: number, extraAt: number, extra: number): Place => {
  const method = view.getUint16(at + 10, true);
  const whole = view.getUint32(at + 24, true);
  let [packed, from] = [view.getUint32(at + 20, true), view.getUint32(at + 42, true)];
  for (let field = extraAt; field + 4 <= extraAt + extra; field += 4 + view.getUint16(field + 2, true)) {
    if (view.getUint16(field, true) !== EXTRA_64) continue;
    let next = field + 4 + (whole === ELSEWHERE ? 8 : 0);
    if (packed === ELSEWHERE) {
      packed = Number(view.getBigUint64(next, true));
      next += 8;
    }
    if (from === ELSEWHERE) from = Number(view.getBigUint64(next, true));
  }
  return { method, packed, from };
};

const unpacked = async (archive: Blob, { method, packed, from }: Place, largest: number): Promise<Blob> => {
  const head = await viewOf(archive, from, from + LOCAL_BYTES);
  const begin = from + LOCAL_BYTES + head.getUint16(26, true) + head.getUint16(28, true);
  const bytes = archive.slice(begin, begin + packed);
  if (method === STORED) return bytes;
  if (method !== DEFLATED) throw new Error(`It is packed in a way that is not read (${method}).`);
  let size = 0;
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, out) => {
      size += chunk.length;
      if (size > largest) throw new Error(`It unpacks to more than ${largest / 1024 / 1024} MB.`);
      out.enqueue(chunk);
    },
  });
  return new Response(bytes.stream().pipeThrough(new DecompressionStream('deflate-raw')).pipeThrough(counted)).blob();
};
