/** How long the page may be busy without a pause, in milliseconds: half a frame. */
export const SPELL = 8;

/** Lets input and drawing come in between; timers alone would wait for 4 ms each time. */
export const breathe = async (): Promise<void> => {
  const { scheduler } = globalThis as { readonly scheduler?: { yield?(): Promise<void> } };
  await (scheduler?.yield?.() ?? new Promise((resolve) => setTimeout(resolve)));
};

/** Breathes where it is due. `now`: milliseconds on a clock that never goes back. */
export const breathing = (now: () => number): (() => Promise<void>) => {
  let since = now();
  return async () => {
    if (now() - since <= SPELL) return;
    await breathe();
    since = now();
  };
};
