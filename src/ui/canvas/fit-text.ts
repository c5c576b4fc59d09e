/** Cuts a text, with an ellipsis, to the widest that fits; `measure` gives a text's width. */
export const fitText = (text: string, width: number, measure: (text: string) => number): string => {
  if (measure(text) <= width) return text;
  let fits = 0;
  let tooLong = text.length;
  while (tooLong - fits > 1) {
    const middle = (fits + tooLong) >> 1;
    if (measure(`${text.slice(0, middle).trimEnd()}…`) <= width) fits = middle;
    else tooLong = middle;
  }
  return fits === 0 ? '' : `${text.slice(0, fits).trimEnd()}…`;
};
