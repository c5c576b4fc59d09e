/** Changes closer together than this, in milliseconds, are too quick for the eye to follow a movement between them. */
const HASTE_MS = 400;
/** A moment of the past that is further away than so many turns is not the same forest grown: there is nothing to follow. */
const LEAP_TURNS = 3;

/**
 * Tells whether a change of the scene comes hard on the heels of the one before, or leaps through time: then nothing
 * moves by itself. Whoever scrubs sees every moment as it was, and the page has nothing to catch up with afterwards.
 */
export const createHaste = () => {
  let lastTime = -Infinity;
  let lastTurns = 0;
  return (turns: number, past: boolean, now: number): boolean => {
    const hasty = now - lastTime < HASTE_MS || (past && Math.abs(turns - lastTurns) > LEAP_TURNS);
    lastTime = now;
    lastTurns = turns;
    return hasty;
  };
};
