/** Changes closer together than this, in milliseconds, are too quick for the eye to follow a movement between them. */
const HASTE_MS = 400;

/**
 * Tells whether a change comes hard on the heels of the one before: then nothing moves by itself. Whoever scrubs
 * through time sees every moment as it was, and the page has nothing to catch up with afterwards.
 */
export const createHaste = () => {
  let last = -Infinity;
  return (now: number): boolean => {
    const hasty = now - last < HASTE_MS;
    last = now;
    return hasty;
  };
};
