import type { Memory, MemoryTurn } from '../../src/engine/memories/memory.ts';
import { CostMeter, memoryAccess } from '../../src/engine/memories/memory-access.ts';
import { vectorOf } from '../../src/engine/memories/similarity.ts';
import { TokenCache } from '../../src/engine/text/token-cache.ts';
import { median } from '../figure.ts';
import { madeUpModels } from './made-up-models.ts';

/** Number of turns measured before each size, since the work per turn varies. */
const MEASURED = 100;
const RECALLS = 5;

/** Cost of taking in a turn, averaged over the last turns before a size. */
export interface Taking<State> {
  readonly turns: number;
  readonly state: State;
  /** The memory's own milliseconds: per turn (median), for all turns so far, and per recall (median). */
  readonly own: number;
  readonly all: number;
  readonly recall: number;
  /** Per turn: model calls, tokens read, and texts condensed (what a language model would be asked to do). */
  readonly calls: number;
  readonly read: number;
  readonly condensed: number;
  /** Number of input texts per condensed text. */
  readonly parts: number;
}

/** Takes in turns with made-up models and reports the cost at some sizes. Time spent in models is left out. */
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
    const bill = new CostMeter(() => false, now);
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
    // Like the app, keeps the memory before every turn.
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
