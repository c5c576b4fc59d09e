import type { SourceConversation } from './source.ts';

/** Reads the conversations of one tool. Adding a tool is a file with one of these and a line in `readers.ts`. */
export interface Reader {
  /** The tool, as people call it. */
  readonly tool: string;
  /** Looks only at what tells it from others: an element of a list, a line of JSON lines, or a lone object. */
  recognises(item: unknown): boolean;
  /**
   * The conversations of one item; for a reader of lines (`wholeFile`) the first item is followed by all others. Never throws on
   * what it recognises: what is not there is left out, and `notes` of a conversation says so.
   */
  read(item: unknown, others: readonly unknown[]): SourceConversation[];
  /** The items of a file are one whole: lines of JSON lines. */
  readonly wholeFile?: boolean;
  /** A damaged line is left out; else it spoils a file that is one whole. */
  readonly skipsDamaged?: boolean;
}
