/** Hands on what follows a prefix that the library puts before a reply; or everything, where it does not. */
export class PrefixStripper {
  shown = '';
  #held = '';
  #prefix: string;
  readonly #piece: (text: string) => void;

  constructor(prefix: string, piece: (text: string) => void) {
    this.#prefix = prefix;
    this.#piece = piece;
  }

  take(text: string): void {
    if (this.#prefix === '') return this.#hand(text);
    this.#held += text;
    if (this.#held.length < this.#prefix.length && this.#prefix.startsWith(this.#held)) return;
    const rest = this.#held.startsWith(this.#prefix) ? this.#held.slice(this.#prefix.length) : this.#held;
    this.#prefix = '';
    this.#held = '';
    this.#hand(rest);
  }

  /** What looked like the beginning of the prefix, and was not. */
  end(): void {
    if (this.#prefix === '' || this.#held === '') return;
    this.#prefix = '';
    this.#hand(this.#held);
  }

  #hand(text: string): void {
    if (text === '') return;
    this.shown += text;
    this.#piece(text);
  }
}
