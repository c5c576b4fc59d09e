import type { NodeId } from '../src/domain/forest.ts';
import type { Decider } from '../src/engine/ports.ts';
import type { Replay } from '../src/features/evaluate/measurement/replay.ts';

/** Places the turns of a dialogue while examples are taken from it. */
export interface Driver {
  readonly decider: Decider;
  readonly theta: number;
}

/** Where a turn is to stand for those after it: where the driver puts it, or without one where its label says. */
export const placeBy = async (
  driver: Driver | null,
  replay: Replay,
  message: string,
  turn: number,
  labelled: NodeId | null,
): Promise<NodeId | null> => {
  if (driver === null || turn === 0) return labelled;
  return (await replay.route(message, driver.decider, driver.theta)).parentId;
};
