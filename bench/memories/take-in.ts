import { TokenCache } from '../../src/engine/context/tokens.ts';
import type { Memory, MemoryTurn } from '../../src/engine/memories/memory.ts';
import { Bill, memoryAccess } from '../../src/engine/memories/memory-access.ts';
import { vectorOf } from '../../src/engine/memories/similarity.ts';
import { median } from '../figure.ts';
import { madeUpModels } from './made-up-models.ts';

/** Turns before each size that are looked at: the work of one varies. */
const MEASURED = 100;
const RECALLS = 5;

/** What taking a turn in was, on average over the last turns before a size. */
export interface Taking<State> {
  readonly turns: number;
  readonly state: State;
  /** Milliseconds of the memory's own for a turn, the median; for all turns up to here; and for a recall, the median. */
  readonly own: number;
  readonly all: number;
  readonly recall: number;
  /** A turn's: models asked; tokens they read; texts condensed, which is what a language model is asked for. */
  readonly calls: number;
  readonly read: number;
  readonly condensed: number;
  /** Of one condensed text, how many texts it was made of. */
  readonly parts: number;
}

/** Takes turns in with made-up models, and tells what it was at some sizes. Time spent in models is left out. */
export const takeIn = async <State>(
  memory: Memory<State>,
  talk: readonly MemoryTurn[],
  sizes: readonly number[],
): Promise<Taking<State>[]> => {
  const models = madeUpModels();
  const now = () => performance.now();
  const access = memoryAccess(models, new TokenCache(models.tokens), now);
  const states: State[] = [];
  let window = { ms: [] as number[], calls: 0, read: 0, condensed: 0, parts: 0 };
  let all = 0;
  let state = memory.empty;
  const own = async (work: () => Promise<unknown>): Promise<number> => {
    const [begun, elsewhere] = [now(), models.spent.ms];
    await work();
    return now() - begun - (models.spent.ms - elsewhere);
  };
  const found: Taking<State>[] = [];
  for (const turn of talk) {
    if (sizes.includes(turn.number - 1 + MEASURED)) {
      window = { ms: [], calls: 0, read: 0, condensed: 0, parts: 0 };
    }
    const bill = new Bill(() => false, now);
    const tools = access.tools(bill);
    const counting: typeof tools = {
      ...tools,
      condense: (task) => {
        window.condensed++;
        window.parts += task.texts.length;
        return tools.condense(task);
      },
    };
    const ms = await own(async () => {
      state = await memory.take(state, turn, counting);
    });
    // As the app does: the memory before any turn stays.
    states.push(state);
    all += ms;
    window.ms.push(ms);
    window.calls += bill.cost.calls;
    window.read += bill.cost.read;
    if (!sizes.includes(turn.number)) continue;
    const recalls: number[] = [];
    for (const { number, at, message } of talk.slice(turn.number - RECALLS, turn.number)) {
      const vector = await vectorOf(tools, message);
      recalls.push(await own(() => memory.recall(state, { number: number + RECALLS, at, message, vector }, tools)));
    }
    const count = window.ms.length;
    found.push({
      turns: turn.number,
      state,
      own: median(window.ms),
      all,
      recall: median(recalls),
      calls: window.calls / count,
      read: window.read / count,
      condensed: window.condensed / count,
      parts: window.parts / Math.max(1, window.condensed),
    });
  }
  return found;
};
