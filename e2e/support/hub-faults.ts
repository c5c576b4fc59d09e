/** A fault for the files whose path starts with `path`. Everything else is optional; the first match applies. */
export interface Fault {
  /** `OWNER/NAME` or `OWNER/NAME/PATH`, or a prefix of one; empty for everything. */
  readonly path: string;
  /** Responds with this status instead of the file. */
  readonly status?: 401 | 403 | 404 | 429 | 500 | 503;
  /** Seconds, sent as `Retry-After` with the status. */
  readonly retryAfter?: number;
  /** The connection breaks at this byte of the file, however often it is requested. */
  readonly cutAt?: number;
  /** The connection breaks after this many bytes of each response. */
  readonly cutAfter?: number;
  readonly bytesPerSecond?: number;
  /** The reported length is off by this much. */
  readonly wrongLengthBy?: number;
  /** Changes one byte in the middle. */
  readonly corrupt?: boolean;
  /** Ignores ranges: 200 with the whole file. */
  readonly noRange?: boolean;
  /** Sends no CORS headers, so that other origins cannot read the response. */
  readonly noCors?: boolean;
  /** Another version of the file, with a different ETag. */
  readonly version?: number;
  /** Applies to this many requests, then no more. */
  readonly times?: number;
}

/** The active faults, and how many requests each still applies to. */
export class Faults {
  #rules: { fault: Fault; left: number }[] = [];

  set(faults: readonly Fault[]): void {
    this.#rules = faults.map((fault) => ({ fault, left: fault.times ?? Number.POSITIVE_INFINITY }));
  }

  /** Replaces the fault for the same path, and keeps the others. */
  put(fault: Fault): void {
    this.#rules = this.#rules.filter((rule) => rule.fault.path !== fault.path);
    this.#rules.push({ fault, left: fault.times ?? Number.POSITIVE_INFINITY });
  }

  /** The fault for this request, which counts as one use. */
  strike(path: string): Fault | null {
    const rule = this.#rules.find(({ fault, left }) => left > 0 && path.startsWith(fault.path));
    if (rule === undefined) return null;
    rule.left -= 1;
    return rule.fault;
  }
}
