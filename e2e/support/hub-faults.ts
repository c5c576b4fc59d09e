/** What goes wrong with the files whose address starts with `path`. Everything is optional; the first that fits counts. */
export interface Fault {
  /** `OWNER/NAME` or `OWNER/NAME/PATH`, or the start of one; empty for everything. */
  readonly path: string;
  /** Answers with this status instead of the file. */
  readonly status?: 401 | 403 | 404 | 429 | 500 | 503;
  /** Seconds, sent as `Retry-After` with the status. */
  readonly retryAfter?: number;
  /** The line breaks at this byte of the file, however often it is asked for. */
  readonly cutAt?: number;
  /** The line breaks after so many bytes of each answer. */
  readonly cutAfter?: number;
  readonly bytesPerSecond?: number;
  /** The length that is told is so much off. */
  readonly wrongLengthBy?: number;
  /** One byte in the middle is another. */
  readonly corrupt?: boolean;
  /** Ranges are ignored: 200 and the whole file. */
  readonly noRange?: boolean;
  /** The answer lets no page of another origin read it. */
  readonly noCors?: boolean;
  /** Another version of the file, with another ETag. */
  readonly version?: number;
  /** For so many requests; then as usual. */
  readonly times?: number;
}

/** Faults in force, and how often each has struck. */
export class Faults {
  #rules: { fault: Fault; left: number }[] = [];

  set(faults: readonly Fault[]): void {
    this.#rules = faults.map((fault) => ({ fault, left: fault.times ?? Number.POSITIVE_INFINITY }));
  }

  /** Takes the place of what was set for the same path, and leaves the rest. */
  put(fault: Fault): void {
    this.#rules = this.#rules.filter((rule) => rule.fault.path !== fault.path);
    this.#rules.push({ fault, left: fault.times ?? Number.POSITIVE_INFINITY });
  }

  /** The fault of this request; counts it. */
  strike(path: string): Fault | null {
    const rule = this.#rules.find(({ fault, left }) => left > 0 && path.startsWith(fault.path));
    if (rule === undefined) return null;
    rule.left -= 1;
    return rule.fault;
  }
}
