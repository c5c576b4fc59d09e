/** Bytes of a file, by what it is: more takes a browser too long, or a model cannot be sent it. */
export const LIMITS = { picture: 20_000_000, document: 50_000_000, text: 5_000_000 } as const;

/** UTF-16 units of text read from one file: they stand in the log, and every search goes through them. About 200 pages. */
export const MOST_TEXT = 600_000;

/** A file that cannot be attached; the message is for the person. */
export class UnreadableFile extends Error {}
