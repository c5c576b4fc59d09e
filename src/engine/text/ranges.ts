/** `4–6, 9`: numbers in rising order, runs of three and more drawn together. */
export const ranges = (numbers: readonly number[]): string => {
  const runs: { first: number; last: number }[] = [];
  for (const number of numbers) {
    const run = runs.at(-1);
    if (run !== undefined && number === run.last + 1) run.last = number;
    else runs.push({ first: number, last: number });
  }
  return runs
    .map(({ first, last }) =>
      first === last ? `${first}` : last === first + 1 ? `${first}, ${last}` : `${first}–${last}`,
    )
    .join(', ');
};
