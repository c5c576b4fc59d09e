import type { SourceConversation } from './source.ts';

/** Reads the conversations of one tool. A new tool needs a file with a reader and a line in `readers.ts`. */
export interface Reader {
  /** Display name of the tool. */
  readonly tool: string;
  /** Checks only what distinguishes the format. `item` is a list element, a line of JSON lines, or a single object. */
  recognises(item: unknown): boolean;
  /**
   * Returns the conversations of one item; a `wholeFile` reader gets the first item followed by all others. Never throws on
   * what it recognises: missing data is omitted and mentioned in the conversation's `notes`.
   */
  read(item: unknown, others: readonly unknown[]): SourceConversation[];
  /** The items of a file (JSON lines) form one whole. */
  readonly wholeFile?: boolean;
  /** Skips damaged lines; otherwise a damaged line spoils a file that is read as a whole. */
  readonly skipsDamaged?: boolean;
}
