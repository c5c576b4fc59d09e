import { contentHash } from '../content-hash.ts';
import { type Memory, type MemoryTools, type MemoryTurn, turnText } from './memory.ts';

/** Of 512 floats each, ten megabytes. */
const MOST_VECTORS = 5000;

/**
 * Told how many turns of how many a memory has taken in, before the first and after each that it had not yet; what it
 * gives is waited for. Where that rejects, no more are taken in: what was made up to there is kept.
 */
export type Taken = (turns: number, of: number) => Promise<void>;

interface Run {
  /** What was taken in, turn by turn, and the state after each. */
  readonly keys: string[];
  readonly states: unknown[];
}

/**
 * The states of memories along one conversation: one a turn, so that the memory as it was before any turn is there, and
 * a turn that was changed, hidden or purged costs only those after it.
 */
export class KeptStates {
  readonly #runs = new Map<string, Run>();
  #last: Promise<unknown> = Promise.resolve();
  #vectors: { readonly by: string; readonly known: Map<string, Float32Array> } = { by: '', known: new Map() };

  /** Vectors of texts by an embedder, for taking up and adding to: sentences are looked at again and again. */
  vectorsBy(embedder: string): Map<string, Float32Array> {
    if (this.#vectors.by !== embedder || this.#vectors.known.size > MOST_VECTORS) {
      this.#vectors = { by: embedder, known: new Map() };
    }
    return this.#vectors.known;
  }

  /**
   * The state after these turns. `by` names the models: with others everything is made anew. One at a time. Rejects where
   * a model fails; what was made up to there is kept.
   */
  after<State>(
    memory: Memory<State>,
    turns: readonly MemoryTurn[],
    by: string,
    tools: MemoryTools,
    taken?: Taken,
  ): Promise<State> {
    const made = this.#last.then(() => this.#make(memory, turns, by, tools, taken));
    this.#last = made.catch(() => undefined);
    return made;
  }

  async #make<State>(
    memory: Memory<State>,
    turns: readonly MemoryTurn[],
    by: string,
    tools: MemoryTools,
    taken?: Taken,
  ) {
    const name = JSON.stringify([memory.name, by]);
    const run = this.#runs.get(name) ?? { keys: [], states: [] };
    this.#runs.set(name, run);
    const keys = turns.map((turn) => `${turn.nodeId} ${contentHash(turnText(turn))}`);
    const differs = keys.findIndex((key, at) => run.keys[at] !== key);
    const same = differs === -1 ? keys.length : differs;
    if (same < keys.length) {
      run.keys.length = same;
      run.states.length = same;
    }
    let state = same === 0 ? memory.empty : (run.states[same - 1] as State);
    if (same < turns.length) await taken?.(same, turns.length);
    for (let at = same; at < turns.length; at++) {
      state = await memory.take(state, turns[at] as MemoryTurn, tools);
      run.keys.push(keys[at] as string);
      run.states.push(state);
      await taken?.(at + 1, turns.length);
    }
    return state;
  }
}
