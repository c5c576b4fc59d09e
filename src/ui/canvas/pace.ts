/** Changes closer together than this, in milliseconds, are too quick for the eye to follow a movement between them. */
const HASTE_MS = 400;
/** A moment of the past that is further away than so many turns is not the same forest grown: there is nothing to follow. */
const LEAP_TURNS = 3;

/** How the scene changes: at leisure, hard on the heels of the change before, or by a leap through time. */
export type Pace = 'calm' | 'hasty' | 'leap';

/**
 * Tells the pace of changes by the turns of each scene, and whether it is `past`. Only a calm one is followed by
 * movements: whoever scrubs sees every moment as it was, and the page has nothing to catch up with afterwards.
 */
export const createPace = () => {
  let lastTime = -Infinity;
  let lastTurns = 0;
  return (turns: number, past: boolean, now: number): Pace => {
    const leap = past && Math.abs(turns - lastTurns) > LEAP_TURNS;
    const hasty = now - lastTime < HASTE_MS;
    lastTime = now;
    lastTurns = turns;
    return leap ? 'leap' : hasty ? 'hasty' : 'calm';
  };
};
