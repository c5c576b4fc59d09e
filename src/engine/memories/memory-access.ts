import type { Fallback } from '../../domain/decision.ts';
import { sum } from '../../domain/numbers.ts';
import { errorMessage } from '../model-failure.ts';
import { FailureList } from '../model-fallback.ts';
import { defaultParameters, type MemoryParameters } from '../parameters.ts';
import type { Models } from '../ports.ts';
import { Queue } from '../tasks.ts';
import { type Cost, NO_COST, type TokenCache } from '../text/token-cache.ts';
import type { Memory, MemoryTools, MemoryTurn } from './memory.ts';
import { condenseByCentroid } from './similarity.ts';

/** What policies with their own memory need from the engine. */
export interface MemoryAccess {
  readonly states: MemoryStateCache;
  /** Whether the turns are those of the conversation as it was, or (omitted) as it is. */
  readonly when?: 'before';
  /** Identifies the models: states made by other models are not reused. */
  readonly by: string;
  /** Returns the models as memories use them; what they are asked for is charged to the bill. */
  readonly tools: (bill: CostMeter, parameters?: MemoryParameters) => MemoryTools;
  /** Milliseconds on a monotonic clock. */
  readonly now: () => number;
  readonly taken?: IngestListener;
  /** Name of the tokenizer that `tools` count with. */
  readonly unit: string;
  /** Receives what failed while something was taken in or recalled. */
  readonly failures?: FailureList;
  /** The language model that was to write and is not here, with what is used in its place. */
  readonly missing?: Fallback;
}

/** Stands in for a language model that was meant to write. */
const RULES = 'rules that need no language model';

/** Texts embedded at a time: a message may have been pasted that has hundreds of sentences. */
const BATCH = 32;

type MemoryModels = Pick<Models, 'embed' | 'summarise' | 'missing'>;

/** Gives memories access to the current models; `states` are those of one conversation. Nothing is taken in once the signal has fired. */
export const memoryAccess = (
  { embed, summarise, missing }: MemoryModels,
  tokens: TokenCache,
  now: () => number,
  states = new MemoryStateCache(),
  watch?: { readonly signal: AbortSignal; readonly failures: FailureList },
): MemoryAccess => {
  const signal = watch?.signal;
  const count: MemoryTools['count'] = async (texts) => {
    await tokens.prepare(texts);
    return texts.map((text) => tokens.count(text));
  };
  const tokensOf = async (texts: readonly string[]) => sum(await count(texts));

  const tools = (bill: CostMeter, parameters: MemoryParameters = defaultParameters): MemoryTools => {
    const vectors: MemoryTools['embed'] = async (texts) => {
      const known = states.vectorsBy(embed.name);
      // The embedder does not accept empty text.
      const distinct = [...new Set(texts)].filter((text) => text.trim() !== '');
      const found = new Map(distinct.map((text) => [text, known.get(text)]));
      const asked = distinct.filter((text) => found.get(text) === undefined);
      const made: [string, TimedVector][] = [];
      // Each batch has its own patience, and is kept if a later one fails: the next attempt goes on from there.
      for (let at = 0; at < asked.length; at += BATCH) {
        const batch = asked.slice(at, at + BATCH);
        const begun = now();
        const embeddings = await embed.embed(batch);
        const ms = (now() - begun) / batch.length;
        for (const [i, text] of batch.entries()) {
          const embedded = { vector: embeddings[i] as Float32Array, ms };
          made.push([text, embedded]);
          known.set(text, embedded);
        }
      }
      const own = bill.unknown(distinct);
      const elsewhere = own.reduce((total, text) => total + (found.get(text)?.ms ?? 0), 0);
      for (const [text, embedded] of made) found.set(text, embedded);
      if (own.length > 0) bill.asked(await bill.apart(() => tokensOf(own)), elsewhere);
      for (const text of own) bill.texts.add(text);
      return texts.map((text) => found.get(text)?.vector ?? new Float32Array(embed.dimensions));
    };
    const byCentroid: MemoryTools['condense'] = ({ texts, sentences }) => condenseByCentroid(texts, sentences, vectors);
    const { write } = summarise;
    if (write === undefined) return { theta: embed.theta, parameters, embed: vectors, count, condense: byCentroid };
    // A failing model must not cost the memory a turn.
    const written = async (instructions: string, texts: readonly string[]) => {
      // Counted text by text: most have been counted before, but not their concatenation.
      bill.asked(await bill.apart(() => tokensOf([instructions, ...texts])));
      let why = 'it gave no answer';
      const text = await write(instructions, texts.join('\n\n')).catch((error: unknown) => {
        why = errorMessage(error);
        return '';
      });
      // Nor may a turn be kept without what was still to be written for it.
      signal?.throwIfAborted();
      if (text.trim() === '') {
        const failure = { role: 'summarise', from: summarise.name, to: RULES, why } as const;
        bill.failures.add(failure);
        watch?.failures.add(failure);
      }
      return text;
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
  const wanted = missing?.find(({ role }) => role === 'summarise');
  const taken = signal && (async () => signal.throwIfAborted());
  return {
    states,
    by: `${embed.name}, ${summarise.name}`,
    tools,
    now,
    unit: tokens.unit,
    ...(taken && { taken }),
    ...(watch && { failures: watch.failures }),
    ...(wanted && { missing: { role: 'summarise', from: wanted.name, to: RULES, why: wanted.why } }),
  };
};

/**
 * Called with the number of turns a memory has taken in and the total, before the first new turn and after each
 * one; its promise is awaited. If it rejects, no further turns are taken in; what was built so far is kept.
 */
export type IngestListener = (turns: number, of: number) => Promise<void>;

interface Run {
  /** The turns taken in, the state after each, what each one cost, and what failed meanwhile. */
  readonly turns: MemoryTurn[];
  readonly states: unknown[];
  readonly costs: Cost[];
  readonly failures: (readonly Fallback[])[];
  /** Embedded texts, each with the index (from 0) of the turn it was first embedded for. */
  readonly texts: Map<string, number>;
}

type Access = Pick<MemoryAccess, 'by' | 'tools' | 'now' | 'taken' | 'when' | 'unit'> & {
  readonly parameters: MemoryParameters;
};

/** A memory after some turns. */
interface MemoryAfter<State> {
  readonly state: State;
  /** Cost of taking in the last of them. */
  readonly cost: Cost;
  /** What failed meanwhile, which may be a while ago; when looking back, with all that failed before. */
  readonly failures: readonly Fallback[];
  /** Bill for the recall that follows. */
  readonly bill: CostMeter;
}

/**
 * The states of memories along one conversation, one per turn, so that the memory before any turn is available and
 * a turn that was changed, hidden or purged invalidates only those after it.
 */
export class MemoryStateCache {
  /** The run along the conversation as it is, and another one for whoever looks back, who must not cost it any states. */
  readonly #runs = { now: new Map<string, Run>(), before: new Map<string, Run>() };
  /** The runs for which what failed is to be done again when somebody looks back. */
  readonly #retried = new Set<string>();
  readonly #queue = new Queue();
  #vectors: readonly VectorCache[] = [];

  /** Returns the vector cache of an embedder, since the same sentences are needed again and again. */
  vectorsBy(embedder: string): VectorCache {
    const vectors = this.#vectors.find(({ by }) => by === embedder) ?? new VectorCache(embedder);
    // The one before stays: policies that are compared may have texts read in different ways.
    this.#vectors = [vectors, ...this.#vectors.filter((one) => one !== vectors)].slice(0, 2);
    return vectors;
  }

  /**
   * Returns the memory after these turns. Other models, or other values of parameters it depends on, rebuild
   * everything. Runs one at a time. Rejects if a model fails; what was built up to then is kept.
   */
  after<State>(memory: Memory<State>, turns: readonly MemoryTurn[], access: Access): Promise<MemoryAfter<State>> {
    return this.#queue.run(() => this.#make(memory, turns, access));
  }

  async #make<State>(
    memory: Memory<State>,
    turns: readonly MemoryTurn[],
    { by, tools, now, taken, parameters, when, unit }: Access,
  ) {
    const shape = (memory.shapedBy ?? []).map((name) => parameters[name]);
    const name = JSON.stringify([memory.name, by, ...(memory.counts === true ? [unit] : []), ...shape]);
    const { run, same } = this.#beginning(name, turns, when ?? 'now');
    let state = same === 0 ? memory.empty : (run.states[same - 1] as State);
    if (same < turns.length) await taken?.(same, turns.length);
    for (let at = same; at < turns.length; at++) {
      const turn = turns[at] as MemoryTurn;
      // Its message was already embedded when something was recalled for it.
      const bill = new CostMeter((text) => text === turn.message || run.texts.has(text), now);
      const before = state;
      state = await bill.time(() => memory.take(before, turn, tools(bill, parameters)));
      run.turns.push(turn);
      run.states.push(state);
      run.costs.push(bill.cost);
      run.failures.push(bill.failures.all);
      for (const text of bill.texts) run.texts.set(text, at);
      await taken?.(at + 1, turns.length);
    }
    const known = (text: string) => (run.texts.get(text) ?? turns.length) < turns.length;
    const last = turns.length - 1;
    return {
      state,
      cost: run.costs[last] ?? NO_COST,
      // Who looks back was told of none of them at the time.
      failures: (when === 'before' ? run.failures.slice(0, turns.length).flat() : run.failures[last]) ?? [],
      bill: new CostMeter(known, now),
    };
  }

  /**
   * Whoever looks back next has done again whatever failed, since the models may answer by now. The conversation as it
   * is keeps what it has: that is what it was sent.
   */
  retryFailures(): void {
    const { now, before } = this.#runs;
    for (const [name, run] of [...now, ...before]) {
      if (turnsBeforeFailure(run) < run.turns.length) this.#retried.add(name);
    }
    for (const [name, run] of before) {
      if (this.#retried.has(name)) before.set(name, beginningOf(run, turnsBeforeFailure(run)));
    }
  }

  /** Returns the run that has most of these turns, to be continued with the others, and how many it has. */
  #beginning(name: string, turns: readonly MemoryTurn[], when: 'now' | 'before'): { run: Run; same: number } {
    const own = this.#runs[when].get(name);
    const other = this.#runs[when === 'now' ? 'before' : 'now'].get(name);
    const ownSame = sharedTurns(own, turns);
    const otherShared = sharedTurns(other, turns);
    // Nobody was told what failed while looking back, so the conversation as it is takes these turns in itself.
    const isSound = when === 'now' || this.#retried.has(name);
    const otherSame = isSound ? Math.min(otherShared, turnsBeforeFailure(other)) : otherShared;
    const same = Math.max(ownSame, otherSame);
    const longer = otherSame > ownSame ? other : own;
    if (longer !== undefined && (same === turns.length || (longer === own && same === own.turns.length))) {
      return { run: longer, same };
    }
    const run = beginningOf(longer, same);
    this.#runs[when].set(name, run);
    return { run, same };
  }
}

const sharedTurns = (run: Run | undefined, turns: readonly MemoryTurn[]): number => {
  const differs = turns.findIndex((turn, at) => !isSame(turn, run?.turns[at]));
  return differs === -1 ? turns.length : differs;
};

const turnsBeforeFailure = (run: Run | undefined): number => {
  const failed = run?.failures.findIndex((failures) => failures.length > 0) ?? -1;
  return failed === -1 ? Number.POSITIVE_INFINITY : failed;
};

const beginningOf = (run: Run | undefined, length: number): Run => ({
  turns: run?.turns.slice(0, length) ?? [],
  states: run?.states.slice(0, length) ?? [],
  costs: run?.costs.slice(0, length) ?? [],
  failures: run?.failures.slice(0, length) ?? [],
  texts: new Map([...(run?.texts ?? [])].filter(([, at]) => at < length)),
});

const isSame = (turn: MemoryTurn, before: MemoryTurn | undefined): boolean =>
  before !== undefined &&
  turn.nodeId === before.nodeId &&
  turn.message === before.message &&
  turn.reply === before.reply;

/** A text's vector and the milliseconds it took to compute. */
interface TimedVector {
  readonly vector: Float32Array;
  readonly ms: number;
}

/** Ten megabytes at 512 floats each. */
const MOST = 5000;

/** LRU cache of text vectors from one embedder. */
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
    // A Map keeps its keys in insertion order.
    this.#known.delete(text);
    this.#known.set(text, embedded);
    if (this.#known.size > this.#most) this.#known.delete(this.#known.keys().next().value as string);
  }
}

/**
 * What a memory asks of models while it takes in a turn or recalls for one. A text it has embedded before is free;
 * one that only other memories have embedded is charged at what it cost them, so that memories compared side by
 * side, which share vectors, pay the same.
 */
export class CostMeter {
  /** Texts embedded for the first time. */
  readonly texts = new Set<string>();
  /** Calls that gave no answer. */
  readonly failures = new FailureList();
  readonly #known: (text: string) => boolean;
  readonly #now: () => number;
  #calls = 0;
  #read = 0;
  #ms = 0;

  /** `known`: whether the memory had embedded a text before; `now`: clock in milliseconds. */
  constructor(known: (text: string) => boolean, now: () => number) {
    this.#known = known;
    this.#now = now;
  }

  get cost(): Cost {
    return { calls: this.#calls, read: this.#read, ms: this.#ms, logged: 0 };
  }

  /** Returns the texts that had not been embedded before. */
  unknown(texts: readonly string[]): string[] {
    return [...new Set(texts)].filter((text) => text.trim() !== '' && !this.texts.has(text) && !this.#known(text));
  }

  /** Records a model call: the tokens read, and any milliseconds spent elsewhere for it. */
  asked(read: number, ms = 0): void {
    this.#calls += 1;
    this.#read += read;
    this.#ms += ms;
  }

  /** Runs work and adds the time it takes to the bill. */
  async time<T>(work: () => Promise<T>): Promise<T> {
    const begun = this.#now();
    try {
      return await work();
    } finally {
      this.#ms += this.#now() - begun;
    }
  }

  /** Runs work done only for the bill, excluding it from the surrounding timed work. */
  async apart<T>(work: () => Promise<T>): Promise<T> {
    const begun = this.#now();
    try {
      return await work();
    } finally {
      this.#ms -= this.#now() - begun;
    }
  }
}
