import { type Cost, NO_COST } from '../context/cost.ts';
import type { MemoryParameters } from '../parameters.ts';
import { Bill } from './bill.ts';
import type { Memory, MemoryTurn } from './memory.ts';
import type { MemoryAccess } from './memory-access.ts';
import { VectorCache } from './vector-cache.ts';

/**
 * Told how many turns of how many a memory has taken in, before the first and after each that it had not yet; what it
 * gives is waited for. Where that rejects, no more are taken in: what was made up to there is kept.
 */
export type Taken = (turns: number, of: number) => Promise<void>;

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
interface After<State> {
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
  after<State>(memory: Memory<State>, turns: readonly MemoryTurn[], access: Access): Promise<After<State>> {
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
