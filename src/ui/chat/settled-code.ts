/** Lines that come before the code they end is painted again. */
const LINES = 8;

/**
 * Of code that is still being written, the part to paint: it grows by several lines at a time, so that a long
 * block is not read from its beginning at every word.
 */
export const settledCode = (code: string): string => {
  let lines = 0;
  let end = 0;
  for (let at = code.indexOf('\n'); at !== -1; at = code.indexOf('\n', at + 1)) {
    lines += 1;
    if (lines % LINES === 0) end = at + 1;
  }
  return code.slice(0, end);
};
