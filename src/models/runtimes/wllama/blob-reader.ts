/** How much is fetched at once, in bytes: a header is a few kB, or some MB where the vocabulary is large. */
const STEP = 1 << 20;

/** Reads little-endian values of a blob in order, holding no more of it than it needs. Rejects past its end. */
export class BlobReader {
  readonly #blob: Blob;
  #view = new DataView(new ArrayBuffer(0));
  /** Where the view begins in the blob. */
  #start = 0;
  #at = 0;

  constructor(blob: Blob) {
    this.#blob = blob;
  }

  get position(): number {
    return this.#start + this.#at;
  }

  async u32(): Promise<number> {
    return (await this.#have(4)).getUint32(this.#step(4), true);
  }

  /** As a number: no file comes near 2⁵³ bytes. */
  async u64(): Promise<number> {
    return Number((await this.#have(8)).getBigUint64(this.#step(8), true));
  }

  async number(bytes: 1 | 2 | 4 | 8, kind: 'unsigned' | 'signed' | 'float'): Promise<number> {
    const view = await this.#have(bytes);
    const at = this.#step(bytes);
    if (kind === 'float') return bytes === 4 ? view.getFloat32(at, true) : view.getFloat64(at, true);
    if (bytes === 8) return Number(kind === 'signed' ? view.getBigInt64(at, true) : view.getBigUint64(at, true));
    if (bytes === 4) return kind === 'signed' ? view.getInt32(at, true) : view.getUint32(at, true);
    if (bytes === 2) return kind === 'signed' ? view.getInt16(at, true) : view.getUint16(at, true);
    return kind === 'signed' ? view.getInt8(at) : view.getUint8(at);
  }

  async text(bytes: number): Promise<string> {
    const view = await this.#have(bytes);
    return new TextDecoder().decode(new Uint8Array(view.buffer, view.byteOffset + this.#step(bytes), bytes));
  }

  async skip(bytes: number): Promise<void> {
    if (this.position + bytes > this.#blob.size) throw new RangeError('The file ends too early.');
    if (this.#at + bytes <= this.#view.byteLength) this.#at += bytes;
    else {
      this.#start = this.position + bytes;
      this.#at = 0;
      this.#view = new DataView(new ArrayBuffer(0));
    }
  }

  #step(bytes: number): number {
    this.#at += bytes;
    return this.#at - bytes;
  }

  async #have(bytes: number): Promise<DataView> {
    if (this.#at + bytes <= this.#view.byteLength) return this.#view;
    const start = this.position;
    if (start + bytes > this.#blob.size) throw new RangeError('The file ends too early.');
    this.#view = new DataView(await this.#blob.slice(start, start + Math.max(bytes, STEP)).arrayBuffer());
    this.#start = start;
    this.#at = 0;
    return this.#view;
  }
}
