/** Maximum bytes of a file, by type: more takes a browser too long, or cannot be sent to a model. */
export const LIMITS = { picture: 20_000_000, document: 50_000_000, text: 5_000_000 } as const;

/** Maximum text read from one file, in UTF-16 units: it is stored in the log, and every search scans it. About 200 pages. */
export const MOST_TEXT = 600_000;

/** A file that cannot be attached; the message is for the person. */
export class UnreadableFile extends Error {}
