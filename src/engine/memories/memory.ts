import type { NodeId } from '../../domain/forest.ts';
import type { MemoryParameters } from '../parameters.ts';

/*
 * The port for memories other than the forest: each one takes in the conversation's turns one by one in
 * chronological order, keeps what it derives from them, and recalls part of it for a message. States are immutable,
 * so the memory as it was before any turn remains available: to show what was recalled, and to continue from there
 * when a later turn changes. There is one state per turn, so states share what did not change: lists that grow with
 * the conversation are persistent lists.
 */

/** A turn as a memory takes it in, once its reply is complete. */
export interface MemoryTurn {
  readonly nodeId: NodeId;
  /** Counts turns in the order they were sent, from 1. */
  readonly number: number;
  /** When the message was sent, in milliseconds since 1970. */
  readonly at: number;
  /** With the names of its files, without their text. */
  readonly message: string;
  /** Empty if there was none. */
  readonly reply: string;
}

/** A message to recall something for. */
export interface MemoryQuery {
  /** The turn's number. */
  readonly number: number;
  /** When it was sent, in milliseconds since 1970. */
  readonly at: number;
  /** As the turn is taken in afterwards: with the names of its files, without their text. */
  readonly message: string;
  /** The message's vector, normalised. */
  readonly vector: Float32Array;
}

/** Several texts to be condensed into one. */
export interface Condensation {
  /** Instructions for the language model. */
  readonly instructions: string;
  readonly texts: readonly string[];
  /** Number of sentences to keep if no language model writes the text. */
  readonly sentences: number;
}

/** The model functions available to a memory. They reject if a model fails. */
export interface MemoryTools {
  /** Cosine from which two texts count as being about the same thing with this embedder. */
  readonly theta: number;
  /** Memory parameters the user can set. */
  readonly parameters: MemoryParameters;
  /** Returns normalised vectors, one per text. */
  embed(texts: readonly string[]): Promise<readonly Float32Array[]>;
  /** Counts tokens with the chat model's tokenizer. */
  count(texts: readonly string[]): Promise<readonly number[]>;
  /** Uses the summariser if it is a language model; otherwise keeps the sentences nearest to the mean of all. */
  condense(task: Condensation): Promise<string>;
  /** The summariser's answer; undefined if the summariser is not a language model. */
  ask?(instructions: string, text: string): Promise<string>;
}

/** A recalled text, as it is sent. */
export interface RecalledText {
  /** The cell it comes from. */
  readonly cell: string;
  /** What the cell is called in this memory's own terms, for labelling it in the context. */
  readonly name: string;
  readonly text: string;
  /** The turns it was derived from. */
  readonly from: readonly NodeId[];
  /** Its rating for the message; null if nothing is rated. */
  readonly score: number | null;
  /** Set if it is a single turn, verbatim, with the names of its files: their text is added when it is sent. */
  readonly whole?: true;
}

/** What was recalled, and how the memory found it. */
export interface Recall {
  /** In sending order. */
  readonly items: readonly RecalledText[];
  /** Number of levels visited from the top; omitted by memories without levels. */
  readonly levels?: number;
  /** Cells that were skipped along with their subtrees. */
  readonly skipped?: readonly string[];
  /** Texts that were read along the way but not sent. */
  readonly read?: readonly string[];
}

/** A piece of a memory, for display. Parents come before their children. */
export interface Cell {
  readonly id: string;
  /** null at the top, and if the memory has no tree. */
  readonly parent: string | null;
  /** Its name in this memory's own terms: “slot 2”, “depth 1”. */
  readonly name: string;
  readonly text: string;
  readonly from: readonly NodeId[];
}

export interface Memory<State> {
  /** Also used as the name of its policy. */
  readonly name: string;
  /** The parameters its states depend on: changing one rebuilds everything. */
  readonly shapedBy?: readonly (keyof MemoryParameters)[];
  /** Whether they depend on token counts, and with them on the tokenizer. */
  readonly counts?: true;
  /** Set if nothing is written for it: it asks no language model, whichever is chosen. */
  readonly wordless?: true;
  /** State before the first turn. */
  readonly empty: State;
  take(state: State, turn: MemoryTurn, tools: MemoryTools): Promise<State>;
  recall(state: State, query: MemoryQuery, tools: MemoryTools): Promise<Recall>;
  /** What it has for a message sent `at`, in milliseconds since 1970. Everything that is recalled for it is of a cell. */
  cells(state: State, at: number): readonly Cell[];
}

/** Joins a turn into a single text, as memories embed and store it. */
export const turnText = ({ message, reply }: MemoryTurn): string =>
  reply === '' ? `User: ${message}` : `User: ${message}\nAssistant: ${reply}`;

/**
 * Reads the list a language model was asked for, one item a line, without bullets and numbers. Empty if it answers
 * “none”; null if it lists nothing at all.
 */
export const listIn = (answer: string): string[] | null => {
  const lines = answer
    .split('\n')
    .map((line) => line.replace(/^\s*(?:[-*•]|\p{Nd}+[.)])\s*/u, '').trim())
    .filter((line) => /\p{L}/u.test(line));
  return lines.length === 0 ? null : lines.filter((line) => !/^[^\p{L}]*none[^\p{L}]*$/iu.test(line));
};

/**
 * The turns a text was derived from: the newest one, plus those of the texts it was revised from, which are shared
 * rather than copied each time.
 */
export interface ItemSources {
  readonly turn: NodeId;
  readonly before: readonly ItemSources[];
}

/** Lists each turn once: those of the first text in `before`, then those of the next, then its own. */
export const sourceTurns = (whole: ItemSources): NodeId[] => {
  const turns: NodeId[] = [];
  const seen = new Set<ItemSources>();
  // Not recursive: a text may be revised thousands of times.
  const open: { readonly of: ItemSources; next: number }[] = [{ of: whole, next: 0 }];
  seen.add(whole);
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const earlier = top.of.before[top.next++];
    if (earlier === undefined) {
      turns.push(top.of.turn);
      open.pop();
    } else if (!seen.has(earlier)) {
      seen.add(earlier);
      open.push({ of: earlier, next: 0 });
    }
  }
  return turns;
};
