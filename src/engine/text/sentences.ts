const ABBREVIATION =
  /(?:^|[\s(])(?:[A-Z]|Rd|Ave|Dr|Mr|Mrs|Ms|Prof|St|vs|etc|e\.g|i\.e|No|approx|Inc|Ltd|Jr|Sr|cf|al|a\.m|p\.m|U\.S|U\.K)\.$/;
const MAY_END = /(?:etc|a\.m|p\.m|U\.S|U\.K|Inc|Ltd|al|approx)\.$/;
const END = /[.!?…]+["'”’)\]]*(?=\s+|$)|[。！？]+[”’」』）]*/gu;

/** Sentences of one line of plain text, each with its closing mark, in order. */
export const sentencesOf = (line: string): string[] => {
  const sentences: string[] = [];
  let start = 0;
  for (const { 0: mark, index } of line.matchAll(END)) {
    const end = index + mark.length;
    const sentence = line.slice(start, end).trim();
    // "Dr. Who", "3 p.m. sharp": a full stop that ends no sentence.
    if (
      mark === '.' &&
      ABBREVIATION.test(sentence) &&
      !(MAY_END.test(sentence) && /^\s+["“]?\p{Lu}/u.test(line.slice(end)))
    )
      continue;
    if (sentence !== '') sentences.push(sentence);
    start = end;
  }
  const rest = line.slice(start).trim();
  return rest === '' ? sentences : [...sentences, rest];
};
