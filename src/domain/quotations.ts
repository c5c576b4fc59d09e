/** A sentence or line this long, in words, that stands elsewhere word for word is a quotation. */
const WHOLE = 4;
/** So is any run of words this long. Shorter ones are anybody's. */
const RUN = 6;

/** Takes what is quoted of some texts out of others; `mark` stands where it was. */
export const withoutQuotesOf = (texts: readonly string[], mark: string): ((text: string) => string) => {
  const passages = new Set(texts.flatMap(passagesOf));
  const runs = new Set(texts.flatMap((text) => runsOf(wordsIn(text).map(({ key }) => key))));
  if (passages.size === 0 && runs.size === 0) return (text) => text;
  const longestFirst = [...passages].sort((a, b) => b.length - a.length);
  return (text) => {
    let clean = text;
    for (const passage of longestFirst) if (clean.includes(passage)) clean = clean.replaceAll(passage, mark);
    return withoutRuns(clean, runs, mark);
  };
};

const passagesOf = (text: string): string[] =>
  text
    .split(/(?<=[.!?…])\s+|\n+/)
    .map((passage) => passage.trim())
    .filter((passage) => passage.split(/\s+/).length >= WHOLE);

interface Word {
  readonly key: string;
  readonly start: number;
  readonly end: number;
}

/** Words without the marks around them: a quotation may end otherwise than what it quotes. */
const wordsIn = (text: string): Word[] =>
  [...text.matchAll(/[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu)].map(({ 0: word, index }) => ({
    key: word.toLowerCase(),
    start: index,
    end: index + word.length,
  }));

const runsOf = (words: readonly string[]): string[] =>
  words.slice(RUN - 1).map((_, i) => words.slice(i, i + RUN).join(' '));

const withoutRuns = (text: string, runs: ReadonlySet<string>, mark: string): string => {
  const words = wordsIn(text);
  const keys = runsOf(words.map(({ key }) => key));
  const quoted = words.map((_, i) => keys.slice(Math.max(0, i - RUN + 1), i + 1).some((key) => runs.has(key)));
  if (!quoted.includes(true)) return text;
  let clean = '';
  let from = 0;
  words.forEach(({ start, end }, i) => {
    if (!quoted[i]) return;
    if (!quoted[i - 1]) clean += text.slice(from, start) + mark;
    from = end;
  });
  return clean + text.slice(from);
};
