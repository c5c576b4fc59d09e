import type { NodeId } from '../../domain/forest.ts';
import type { MemoryParameters } from '../parameters.ts';

/*
 * The port of memories other than the forest: each takes the conversation's turns in, one by one and in order of time,
 * keeps what it makes of them, and recalls some of it for a message. States are never changed, so that the memory as it
 * was before any turn is still there: for showing what was recalled, and for going on from there when a later turn changed.
 * One is kept for every turn, so they share what did not change: lists that grow with the conversation are long lists.
 */

/** A turn as a memory takes it in, when its reply stands. */
export interface MemoryTurn {
  readonly nodeId: NodeId;
  /** Counts turns in the order they were sent, from 1. */
  readonly number: number;
  /** When the message was sent, in milliseconds since 1970. */
  readonly at: number;
  readonly message: string;
  /** Empty where there was none. */
  readonly reply: string;
}

/** A message that something is to be recalled for. */
export interface MemoryQuery {
  /** The turn's number. */
  readonly number: number;
  /** When it was sent, in milliseconds since 1970. */
  readonly at: number;
  readonly message: string;
  /** The message's, normalised. */
  readonly vector: Float32Array;
}

/** Several texts to be made one. */
export interface Condensation {
  /** What a language model is told. */
  readonly instructions: string;
  readonly texts: readonly string[];
  /** Sentences that are kept where no language model writes. */
  readonly sentences: number;
}

/** What a memory may ask of the models. Rejects where they fail. */
export interface MemoryTools {
  /** Cosine from which this embedder takes two texts to be about the same. */
  readonly theta: number;
  /** What the person can set about memories. */
  readonly parameters: MemoryParameters;
  /** Normalised vectors, one a text. */
  embed(texts: readonly string[]): Promise<readonly Float32Array[]>;
  /** Tokens, as the chat model counts them. */
  count(texts: readonly string[]): Promise<readonly number[]>;
  /** By the summariser, where it is a language model; else the sentences nearest to the mean of all. */
  condense(task: Condensation): Promise<string>;
  /** The summariser's answer, where it is a language model; left out where it is none. */
  ask?(instructions: string, text: string): Promise<string>;
}

/** Something recalled, as it is sent. */
export interface RecalledText {
  /** The cell it comes from. */
  readonly cell: string;
  /** What that is in this memory's own terms, for naming it in the context. */
  readonly name: string;
  readonly text: string;
  /** The turns that it was made of. */
  readonly from: readonly NodeId[];
  /** How it was rated for the message; null where nothing is rated. */
  readonly score: number | null;
  /** It is one turn, word for word. */
  readonly whole?: true;
}

/** What was recalled, and what the memory went through to find it. */
export interface Recall {
  /** In the order in which they are sent. */
  readonly items: readonly RecalledText[];
  /** Levels that were visited from the top; left out by a memory that has none to visit. */
  readonly levels?: number;
  /** Cells that were passed over with all below them. */
  readonly skipped?: readonly string[];
  /** Texts that were read on the way and not sent. */
  readonly read?: readonly string[];
}

/** A piece of a memory, for showing it. Parents come before their children. */
export interface Cell {
  readonly id: string;
  /** null at the top, and where the memory has no tree. */
  readonly parent: string | null;
  /** What it is in this memory's own terms: “slot 2”, “depth 1”. */
  readonly name: string;
  readonly text: string;
  readonly from: readonly NodeId[];
}

export interface Memory<State> {
  /** Also the name of its policy. */
  readonly name: string;
  /** The parameters that its states depend on: with other values everything is made anew. */
  readonly shapedBy?: readonly (keyof MemoryParameters)[];
  /** Before any turn. */
  readonly empty: State;
  take(state: State, turn: MemoryTurn, tools: MemoryTools): Promise<State>;
  recall(state: State, query: MemoryQuery, tools: MemoryTools): Promise<Recall>;
  cells(state: State): readonly Cell[];
}

/** A turn as one text, as memories embed and keep it. */
export const turnText = ({ message, reply }: MemoryTurn): string =>
  reply === '' ? `User: ${message}` : `User: ${message}\nAssistant: ${reply}`;

/**
 * The turns that a text was made of: the newest one, and those of the texts that it was revised from, which are shared and
 * not listed again each time.
 */
export interface MadeOf {
  readonly turn: NodeId;
  readonly before: readonly MadeOf[];
}

/** Each turn once: those of the first text before, then those of the next, then its own. */
export const turnsOf = (whole: MadeOf): NodeId[] => {
  const turns: NodeId[] = [];
  const seen = new Set<MadeOf>();
  // Not by recursion: a text is revised thousands of times.
  const open: { readonly of: MadeOf; next: number }[] = [{ of: whole, next: 0 }];
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
