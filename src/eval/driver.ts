import type { NodeId } from '../domain/forest.ts';
import type { Decider } from '../engine/ports.ts';
import type { Replay } from './replay.ts';

/** Places the turns of a dialogue while examples are taken from it. */
export interface Driver {
  readonly decider: Decider;
  readonly theta: number;
  /** Where it has put the turns of the dialogue, by turn: played again, they are put there again. */
  readonly placed: (NodeId | null)[];
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
  const known = driver.placed[turn];
  if (known !== undefined) return known;
  const { parentId } = await replay.route(message, driver.decider, driver.theta);
  driver.placed[turn] = parentId;
  return parentId;
};
