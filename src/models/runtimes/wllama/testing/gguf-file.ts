/** Weights and bytes per block of some of ggml's types: F32, Q8_0, TQ1_0, TQ2_0, MXFP4. */
const BLOCKS = { 0: [1, 4], 8: [32, 34], 34: [256, 54], 35: [256, 66], 39: [32, 17] } as const;

/** A GGUF file that is complete by its header; its weights are zeros. */
export const ggufFile = ({ metadata, tensors }: GgufSketch): Uint8Array<ArrayBuffer> => {
  const bytes: number[] = [];
  const u32 = (value: number): void => {
    bytes.push(...new Uint8Array(new Uint32Array([value]).buffer));
  };
  const u64 = (value: number): void => {
    bytes.push(...new Uint8Array(new BigUint64Array([BigInt(value)]).buffer));
  };
  const text = (value: string): void => {
    const encoded = new TextEncoder().encode(value);
    u64(encoded.length);
    bytes.push(...encoded);
  };
  u32(0x46554747);
  u32(3);
  u64(tensors.length);
  u64(Object.keys(metadata).length);
  for (const [key, value] of Object.entries(metadata)) {
    text(key);
    if (typeof value === 'number') {
      u32(4);
      u32(value);
    } else if (typeof value === 'string') {
      u32(8);
      text(value);
    } else {
      u32(9);
      u32(8);
      u64(value.length);
      for (const item of value) text(item);
    }
  }
  let offset = 0;
  for (const { name, dimensions, type } of tensors) {
    text(name);
    u32(dimensions.length);
    for (const length of dimensions) u64(length);
    u32(type);
    u64(offset);
    const weights = dimensions.reduce((product, length) => product * length, 1);
    const [perBlock, blockBytes] = BLOCKS[type];
    offset += (weights / perBlock) * blockBytes;
  }
  const start = Math.ceil(bytes.length / 32) * 32;
  const file = new Uint8Array(start + offset);
  file.set(bytes);
  return file;
};

interface GgufSketch {
  readonly metadata: Readonly<Record<string, string | number | readonly string[]>>;
  readonly tensors: readonly {
    readonly name: string;
    readonly dimensions: readonly number[];
    readonly type: keyof typeof BLOCKS;
  }[];
}
