/** Words that a search begins with, handed over by whoever opens it. */
let seed = '';

export const setSeed = (words: string): void => {
  seed = words;
};

/** Once: the next search begins empty. */
export const takeSeed = (): string => {
  const taken = seed;
  seed = '';
  return taken;
};
