import { type Cost, NO_COST, type TokenCache } from '../context/tokens.ts';
import { defaultParameters, type MemoryParameters } from '../parameters.ts';
import type { Models } from '../ports.ts';
import type { Memory, MemoryTools, MemoryTurn } from './memory.ts';
import { condenseByCentroid } from './similarity.ts';

/** What policies with a memory of their own need of the engine. */
export interface MemoryAccess {
  readonly states: KeptStates;
  /** Names the models: what others made is not gone on with. */
  readonly by: string;
  /** The models as memories use them; what is asked of them is put on the bill. */
  readonly tools: (bill: Bill, parameters?: MemoryParameters) => MemoryTools;
  /** Milliseconds on a clock that never goes back. */
  readonly now: () => number;
  readonly taken?: OnTaken;
}

type MemoryModels = Pick<Models, 'embed' | 'summarise'>;

/** The models of now, as memories use them; `states` are those of one conversation. */
export const memoryAccess = (
  { embed, summarise }: MemoryModels,
  tokens: TokenCache,
  now: () => number,
  states = new KeptStates(),
): MemoryAccess => {
  const count: MemoryTools['count'] = async (texts) => {
    await tokens.prepare(texts);
    return texts.map((text) => tokens.count(text));
  };
  const tokensOf = async (texts: readonly string[]) => (await count(texts)).reduce((total, one) => total + one, 0);

  const tools = (bill: Bill, parameters: MemoryParameters = defaultParameters): MemoryTools => {
    const vectors: MemoryTools['embed'] = async (texts) => {
      const known = states.vectorsBy(embed.name);
      // The embedder takes no empty text.
      const distinct = [...new Set(texts)].filter((text) => text.trim() !== '');
      const found = new Map(distinct.map((text) => [text, known.get(text)]));
      const asked = distinct.filter((text) => found.get(text) === undefined);
      const begun = now();
      const made = asked.length === 0 ? [] : await embed.embed(asked);
      const ms = (now() - begun) / asked.length;
      const own = bill.unknown(distinct);
      const elsewhere = own.reduce((total, text) => total + (found.get(text)?.ms ?? 0), 0);
      for (const [i, text] of asked.entries()) {
        const embedded = { vector: made[i] as Float32Array, ms };
        found.set(text, embedded);
        known.set(text, embedded);
      }
      if (own.length > 0) bill.asked(await bill.apart(() => tokensOf(own)), elsewhere);
      for (const text of own) bill.texts.add(text);
      return texts.map((text) => found.get(text)?.vector ?? new Float32Array(embed.dimensions));
    };
    const byCentroid: MemoryTools['condense'] = ({ texts, sentences }) => condenseByCentroid(texts, sentences, vectors);
    const { write } = summarise;
    if (write === undefined) return { theta: embed.theta, parameters, embed: vectors, count, condense: byCentroid };
    // A model that fails must not cost the memory a turn.
    const written = async (instructions: string, texts: readonly string[]) => {
      // Text by text: most of them have been counted before, all in one have not.
      bill.asked(await bill.apart(() => tokensOf([instructions, ...texts])));
      return write(instructions, texts.join('\n\n')).catch(() => '');
    };
    return {
      theta: embed.theta,
      parameters,
      embed: vectors,
      count,
      condense: async (task) => {
        const text = await written(task.instructions, task.texts);
        return text.trim() === '' ? byCentroid(task) : text.trim();
      },
      ask: (instructions, text) => written(instructions, [text]),
    };
  };
  return { states, by: `${embed.name}, ${summarise.name}`, tools, now };
};

/**
 * Told how many turns of how many a memory has taken in, before the first and after each that it had not yet; what it
 * gives is waited for. Where that rejects, no more are taken in: what was made up to there is kept.
 */
export type OnTaken = (turns: number, of: number) => Promise<void>;

interface Run {
  /** What was taken in, turn by turn, the state after each, and what each cost. */
  readonly turns: MemoryTurn[];
  readonly states: unknown[];
  readonly costs: Cost[];
  /** Texts that were embedded, each with the turn for which it first was, counted from 0. */
  readonly texts: Map<string, number>;
}

type Access = Pick<MemoryAccess, 'by' | 'tools' | 'now' | 'taken'> & { readonly parameters: MemoryParameters };

/** A memory after some turns. */
interface MemoryAfter<State> {
  readonly state: State;
  /** What taking in the last of them cost. */
  readonly cost: Cost;
  /** For what is recalled now. */
  readonly bill: Bill;
}

/**
 * The states of memories along one conversation: one a turn, so that the memory as it was before any turn is there, and
 * a turn that was changed, hidden or purged costs only those after it.
 */
export class KeptStates {
  readonly #runs = new Map<string, Run>();
  #last: Promise<unknown> = Promise.resolve();
  #vectors = new VectorCache('');

  /** Vectors of texts by an embedder, for taking up and adding to: sentences are looked at again and again. */
  vectorsBy(embedder: string): VectorCache {
    if (this.#vectors.by !== embedder) this.#vectors = new VectorCache(embedder);
    return this.#vectors;
  }

  /**
   * The memory after these turns. With other models, or parameters that it depends on, everything is made anew. One at a time. Rejects where a model fails;
   * what was made up to there is kept.
   */
  after<State>(memory: Memory<State>, turns: readonly MemoryTurn[], access: Access): Promise<MemoryAfter<State>> {
    const made = this.#last.then(() => this.#make(memory, turns, access));
    this.#last = made.catch(() => undefined);
    return made;
  }

  async #make<State>(
    memory: Memory<State>,
    turns: readonly MemoryTurn[],
    { by, tools, now, taken, parameters }: Access,
  ) {
    const shape = (memory.shapedBy ?? []).map((name) => parameters[name]);
    const name = JSON.stringify([memory.name, by, ...shape]);
    const run: Run = this.#runs.get(name) ?? { turns: [], states: [], costs: [], texts: new Map() };
    this.#runs.set(name, run);
    const differs = turns.findIndex((turn, at) => !isSame(turn, run.turns[at]));
    const same = differs === -1 ? turns.length : differs;
    if (same < turns.length && same < run.turns.length) {
      run.turns.length = run.states.length = run.costs.length = same;
      for (const [text, at] of run.texts) if (at >= same) run.texts.delete(text);
    }
    let state = same === 0 ? memory.empty : (run.states[same - 1] as State);
    if (same < turns.length) await taken?.(same, turns.length);
    for (let at = same; at < turns.length; at++) {
      const turn = turns[at] as MemoryTurn;
      // Its message was embedded when something was to be recalled for it.
      const bill = new Bill((text) => text === turn.message || run.texts.has(text), now);
      const before = state;
      state = await bill.time(() => memory.take(before, turn, tools(bill, parameters)));
      run.turns.push(turn);
      run.states.push(state);
      run.costs.push(bill.cost);
      for (const text of bill.texts) run.texts.set(text, at);
      await taken?.(at + 1, turns.length);
    }
    const known = (text: string) => (run.texts.get(text) ?? turns.length) < turns.length;
    return { state, cost: run.costs[turns.length - 1] ?? NO_COST, bill: new Bill(known, now) };
  }
}

const isSame = (turn: MemoryTurn, before: MemoryTurn | undefined): boolean =>
  before !== undefined &&
  turn.nodeId === before.nodeId &&
  turn.message === before.message &&
  turn.reply === before.reply;

/** A text's vector, and the milliseconds that it took. */
export interface TimedVector {
  readonly vector: Float32Array;
  readonly ms: number;
}

/** Of 512 floats each, ten megabytes. */
const MOST = 5000;

/** Vectors of texts by one embedder: those looked at last stay. */
export class VectorCache {
  readonly by: string;
  readonly #known = new Map<string, TimedVector>();
  readonly #most: number;

  constructor(by: string, most = MOST) {
    this.by = by;
    this.#most = most;
  }

  get(text: string): TimedVector | undefined {
    const found = this.#known.get(text);
    if (found !== undefined) this.set(text, found);
    return found;
  }

  set(text: string, embedded: TimedVector): void {
    // A map is in the order in which keys came.
    this.#known.delete(text);
    this.#known.set(text, embedded);
    if (this.#known.size > this.#most) this.#known.delete(this.#known.keys().next().value as string);
  }
}

/**
 * What a memory asks of models while it takes a turn in, or recalls for one. A text that it had embedded before costs nothing
 * again; one that only others had embedded costs it what it cost them, so that memories compared side by side, which
 * share vectors, pay alike.
 */
export class Bill {
  /** Texts that were embedded for the first time. */
  readonly texts = new Set<string>();
  readonly #known: (text: string) => boolean;
  readonly #now: () => number;
  #calls = 0;
  #read = 0;
  #ms = 0;

  /** `known`: texts that the memory had embedded before; `now`: milliseconds on a clock. */
  constructor(known: (text: string) => boolean, now: () => number) {
    this.#known = known;
    this.#now = now;
  }

  get cost(): Cost {
    return { calls: this.#calls, read: this.#read, ms: this.#ms, logged: 0 };
  }

  /** Those of the texts that were not embedded before. */
  unknown(texts: readonly string[]): string[] {
    return [...new Set(texts)].filter((text) => text.trim() !== '' && !this.texts.has(text) && !this.#known(text));
  }

  /** A model was asked: of how many tokens, and milliseconds that passed elsewhere for it. */
  asked(read: number, ms = 0): void {
    this.#calls += 1;
    this.#read += read;
    this.#ms += ms;
  }

  /** The time that work takes, as it is done. */
  async time<T>(work: () => Promise<T>): Promise<T> {
    const begun = this.#now();
    try {
      return await work();
    } finally {
      this.#ms += this.#now() - begun;
    }
  }

  /** What is done for the bill alone, inside work that is timed. */
  async apart<T>(work: () => Promise<T>): Promise<T> {
    const begun = this.#now();
    try {
      return await work();
    } finally {
      this.#ms -= this.#now() - begun;
    }
  }
}
