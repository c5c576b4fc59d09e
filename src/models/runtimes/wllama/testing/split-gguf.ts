/** Splits a GGUF file of F32 tensors in two, like llama.cpp's gguf-split, with half of the tensors each. */
export const splitGguf = (file: ArrayBuffer): readonly [Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>] => {
  const view = new DataView(file);
  const bytes = new Uint8Array(file);
  let at = 8;
  const u64 = (): number => {
    at += 8;
    return Number(view.getBigUint64(at - 8, true));
  };
  const u32 = (): number => {
    at += 4;
    return view.getUint32(at - 4, true);
  };
  const tensors = u64();
  const entries = u64();
  const metadataStart = at;
  const skipValue = (type: number): void => {
    if (type === 8) {
      const length = u64();
      at += length;
    } else if (type === 9) {
      const item = u32();
      for (let left = u64(); left > 0; left -= 1) skipValue(item);
    } else at += { 0: 1, 1: 1, 2: 2, 3: 2, 7: 1, 10: 8, 11: 8, 12: 8 }[type] ?? 4;
  };
  for (let i = 0; i < entries; i += 1) {
    skipValue(8);
    skipValue(u32());
  }
  const metadata = bytes.slice(metadataStart, at);
  const infos = Array.from({ length: tensors }, () => {
    const start = at;
    skipValue(8);
    const lengths = Array.from({ length: u32() }, u64);
    at += 4;
    return { head: bytes.slice(start, at), offset: u64(), size: 4 * lengths.reduce((a, b) => a * b, 1) };
  });
  const data = aligned(at);
  const part = (number: 0 | 1): Uint8Array<ArrayBuffer> => {
    const half = Math.ceil(tensors / 2);
    const mine = number === 0 ? infos.slice(0, half) : infos.slice(half);
    const split = [
      ...entry('split.no', 2, new Uint16Array([number])),
      ...entry('split.count', 2, new Uint16Array([2])),
      ...entry('split.tensors.count', 5, new Int32Array([tensors])),
    ];
    const head: number[] = [...bytes.slice(0, 8), ...raw64(mine.length), ...raw64(number === 0 ? entries + 3 : 3)];
    if (number === 0) for (const byte of metadata) head.push(byte);
    head.push(...split);
    let offset = 0;
    for (const { head: info, size } of mine) {
      head.push(...info, ...raw64(offset));
      offset += aligned(size);
    }
    const start = aligned(head.length);
    const made = new Uint8Array(start + offset);
    made.set(head);
    let place = start;
    for (const { offset: from, size } of mine) {
      made.set(bytes.subarray(data + from, data + from + size), place);
      place += aligned(size);
    }
    return made;
  };
  return [part(0), part(1)];
};

const aligned = (length: number): number => Math.ceil(length / 32) * 32;
const raw64 = (value: number): Uint8Array => new Uint8Array(new BigUint64Array([BigInt(value)]).buffer);
const entry = (key: string, type: number, value: Uint16Array | Int32Array): number[] => [
  ...raw64(key.length),
  ...new TextEncoder().encode(key),
  ...new Uint8Array(new Uint32Array([type]).buffer),
  ...new Uint8Array(value.buffer, 0, value.byteLength),
];
