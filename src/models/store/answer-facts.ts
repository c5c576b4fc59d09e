/** What an answer says of the file, besides its bytes. */
export interface AnswerFacts {
  /** Where in the file the answer begins. */
  readonly from: number;
  /** Bytes of the whole file; null if it does not tell. */
  readonly total: number | null;
  /** Its mark of this version of the file. */
  readonly version: string | null;
  /** Hex; null if it does not tell. */
  readonly sha256: string | null;
}

/** Reads the headers of a 200 or a 206, as far as the server lets a page of another origin see them. `asked`: the first byte asked for. */
export const factsOf = ({ status, headers }: Response, asked: number): AnswerFacts => {
  const range = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(headers.get('content-range') ?? '');
  const from = status !== 206 ? 0 : Number(range?.[1] ?? asked);
  const length = headers.get('content-length');
  const rest = length === null ? null : Number(length) + from;
  return {
    from,
    total: range?.[2] !== undefined && range[2] !== '*' ? Number(range[2]) : rest,
    version: headers.get('etag') ?? headers.get('last-modified'),
    sha256: hashOf(headers),
  };
};

/** The hub tells the hash of a large file as `X-Linked-ETag`; the standard way is `Repr-Digest` (RFC 9530). A plain ETag may be any hash. */
const hashOf = (headers: Headers): string | null => {
  const linked = /^"?([0-9a-f]{64})"?$/.exec(headers.get('x-linked-etag') ?? '')?.[1];
  if (linked !== undefined) return linked;
  const digest = /(?:^|[\s,])sha-256=:([A-Za-z0-9+/=]+):/.exec(headers.get('repr-digest') ?? '')?.[1];
  if (digest === undefined) return null;
  return Array.from(atob(digest), (byte) => byte.charCodeAt(0).toString(16).padStart(2, '0')).join('');
};
