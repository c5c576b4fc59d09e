const ABBREVIATION =
  /(?:^|[\s(])(?:\p{Lu}|Rd|Ave|Dr|Mr|Mrs|Ms|Prof|St|vs|etc|e\.g|i\.e|No|approx|Inc|Ltd|Jr|Sr|cf|al|a\.m|p\.m|U\.S|U\.K|[Cc]a|bzw|[Gg]gf|inkl|[Ee]vtl|[Vv]gl|usw|[Nn]r|Str|\p{L}{2,}str|[Hh]r|Fr|[Tt]el|[Zz]\. ?[BT]|[Dd]\. ?h|u\. ?a|[uo]\. ?ä|bijv|enz|dhr|bl\. ?a|t\. ?ex|f\. ?eks|osv|kl|[Ss]ra|[Dd]ra|núm|pág|[Pp]\. ?e[jxs]|env|[Ss]ig|ecc|np|itd|itp|ul|godz|např|tzn|tj|č|atd|apod|örn|vb|ул|им|г|стр|тыс|млн|млрд|руб|др|пр|[Тт]\. ?[едпк])\.$/u;
const MAY_END =
  /(?:etc|a\.m|p\.m|U\.S|U\.K|Inc|Ltd|al|approx|usw|[uo]\. ?ä|enz|osv|env|ecc|itd|itp|atd|apod|vb|\d г|тыс|млн|млрд|руб|др|пр|[Тт]\. ?[дп])\.$/;
/** “z. B.”, “p. ej.”, “т. е.”: a full stop between the two. */
const FIRST_OF_TWO = /(?:^|[\s(])(?:\p{Ll}|bl)\.$/u;
const SECOND_OF_TWO = /^\s(?:\p{L}|e[jxs]|eks)\./u;
/** The number of a list's item. */
const NUMBER = /^[#>*+\s-]*\p{Nd}{1,3}\.$/u;
/** “Am 3. Mai”, “5. a 6. května”, “im 19. Jahrhundert”. */
const DAY = /(?:^|[\s(–-])\d{1,2}\.$/;
export const MONTH =
  /^\s+(?:(?:und|bis|og|a|až) \d{1,2}\. )?(?:januari?|jänner|februari?|märz|marts|mars|maart|april|mai|maj|mei|juni|juli|august(?:us)?|september|oktober|november|de[csz]ember|ledna|února|března|dubna|května|června|července|srpna|září|října|listopadu|prosince|stycznia|lutego|marca|kwietnia|maja|czerwca|lipca|sierpnia|września|października|listopada|grudnia|jahrhundert(?:s|e|en)?|århundred[et]|století)(?!\p{L})/iu;
// The lookbehinds keep a long run of marks from being tried again from each of its marks.
const END = /(?<![.!?…؟۔।॥])[.!?…؟۔।॥]+["'”’)\]]*(?=\s+|$)|[。！？؟।॥]+[”’」』）]*/gu;

/** Splits one line of plain text into sentences, each with its closing mark, in order. */
export const sentencesOf = (line: string): string[] => {
  const sentences: string[] = [];
  let start = 0;
  for (const { 0: mark, index } of line.matchAll(END)) {
    const end = index + mark.length;
    const sentence = line.slice(start, end).trim();
    if (mark === '.' && goesOn(sentence, line.slice(end))) continue;
    if (sentence !== '') sentences.push(sentence);
    start = end;
  }
  const rest = line.slice(start).trim();
  return rest === '' ? sentences : [...sentences, rest];
};

/** "Dr. Who", "3 p.m. sharp", “1. Chop the onions”: whether a full stop does not end the sentence. */
const goesOn = (sentence: string, behind: string): boolean =>
  NUMBER.test(sentence) ||
  (DAY.test(sentence) && MONTH.test(behind)) ||
  (FIRST_OF_TWO.test(sentence) && SECOND_OF_TWO.test(behind)) ||
  (ABBREVIATION.test(sentence) && !(MAY_END.test(sentence) && /^\s+["“]?\p{Lu}/u.test(behind)));

/** A range of a text, in UTF-16 units. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** UTF-16 units up to which sentences are joined: about three of them. */
const PASSAGE = 360;
/** A text up to this long is one passage. */
const ONE = 560;
/** Code longer than this is split at its blank lines, then at its lines. */
const WHOLE_CODE = 1600;

/**
 * Splits a text into passages, in order and covering every character: a few sentences, a few lines of a list, or a
 * block of code, which is kept whole unless it is very long. A short text is one passage; an empty one has none.
 */
export const passagesOf = (text: string): Span[] => {
  if (text.trim() === '') return [];
  if (text.length <= ONE) return [{ from: 0, to: text.length }];
  const passages: Span[] = [];
  let from = 0;
  for (const { span, code } of unitsOf(text)) {
    const size = span.to - from;
    const open = span.from > from;
    // Code is a passage of its own, with the line that leads into it if that is short.
    const full = code ? span.from - from > PASSAGE / 2 : size > PASSAGE;
    if (open && full) {
      passages.push({ from, to: span.from });
      from = span.from;
    }
    if (code) {
      passages.push({ from, to: span.to });
      from = span.to;
    }
  }
  if (from < text.length) passages.push({ from, to: text.length });
  return passages;
};

interface Unit {
  readonly span: Span;
  readonly code: boolean;
}

const FENCED = /^ *(```|~~~)[^\n]*\n[\s\S]*?(?:^ *\1[^\n]*(?:\n|$)|(?![\s\S]))/gm;

/** Splits a text into sentences and blocks of code, without gaps. */
const unitsOf = (text: string): Unit[] => {
  const units: Unit[] = [];
  let from = 0;
  for (const { index, 0: block } of text.matchAll(FENCED)) {
    units.push(...sentencesIn(text, from, index));
    from = index + block.length;
    if (block.length <= WHOLE_CODE) units.push({ span: { from: index, to: from }, code: true });
    else units.push(...linesIn(text, index, from));
  }
  return [...units, ...sentencesIn(text, from, text.length)];
};

/** Text up to the end of a sentence or line, with the white space after it. */
const SENTENCE = /[^\n]*?(?:(?<![.!?…؟۔।॥])[.!?…؟۔।॥]+["'”’)\]]*\s+|[。！？؟।॥]+[”’」』）]*\s*|\n\s*)|[^\n]+$/g;
const LINE = /[^\n]*(?:\n\s*|$)/g;

const sentencesIn = (text: string, from: number, to: number): Unit[] =>
  runsIn(text, from, to, SENTENCE)
    .flatMap((unit) => (unit.to - unit.from <= ONE ? [unit] : chopped(text, unit)))
    .map(plain);

const linesIn = (text: string, from: number, to: number): Unit[] => runsIn(text, from, to, LINE).map(plain);

const plain = (span: Span): Unit => ({ span, code: false });

const runsIn = (text: string, from: number, to: number, pattern: RegExp): Span[] => {
  const runs: Span[] = [];
  let at = from;
  for (const { 0: run } of text.slice(from, to).matchAll(pattern)) {
    if (run === '') continue;
    runs.push({ from: at, to: at + run.length });
    at += run.length;
  }
  if (at < to) runs.push({ from: at, to });
  return runs;
};

/** Cuts text without sentence ends (a one-line table, minified code) at white space. */
const chopped = (text: string, { from, to }: Span): Span[] => {
  const spans: Span[] = [];
  let start = from;
  while (to - start > ONE) {
    const gap = text.lastIndexOf(' ', start + PASSAGE);
    let end = gap > start ? gap + 1 : start + PASSAGE;
    // Never between the two halves of a surrogate pair.
    if (/[\uD800-\uDBFF]/.test(text[end - 1] ?? '')) end += 1;
    spans.push({ from: start, to: end });
    start = end;
  }
  return [...spans, { from: start, to }];
};

/**
 * A line that opens fenced code, also one that lists and quotes contain: its info string has no backticks, otherwise it is inline
 * code.
 */
const OPENS = /^([ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+|>[ \t]*)*)(`{3,}(?=[^`]*$)|~{3,})/;
const CLOSES = /^([ \t>]*)(`{3,}|~{3,})\s*$/;
/** Spaces that a closing fence may stand further in than the opening one; with more, it is a line of the code. */
const FURTHER_IN = 3;

interface Fence {
  /** What opened it: as many marks, or more, close it. */
  readonly marks: string;
  /** What stands before them in a line that closes it. */
  readonly before: string;
  /** Whether it opened right behind the mark of a list, and so ends with the item. */
  readonly inItem: boolean;
}

const openedBy = (line: string): Fence | null => {
  const [, before = '', marks] = OPENS.exec(line) ?? [];
  if (marks === undefined) return null;
  const blank = before.replace(/[^>\t]/g, ' ');
  return { marks, before: blank, inItem: blank !== before };
};

const isClosedBy = ({ marks, before }: Fence, line: string): boolean => {
  const [, indent = '', closing = ''] = CLOSES.exec(line) ?? [];
  return closing.startsWith(marks) && indent.length <= before.length + FURTHER_IN;
};

/** Whether a line is no longer in the quote, or the list item, in which the code was opened: that ends the code as well. */
const endsBefore = ({ before, inItem }: Fence, line: string): boolean => {
  if (before.includes('>')) return !/^[ \t]*>/.test(line);
  const indent = line.search(/\S/);
  return inItem && indent !== -1 && indent < before.length && !line.startsWith('\t');
};

interface MarkdownLines {
  /** `isCode`: in fenced code, or one of its fences. */
  readonly lines: readonly { readonly text: string; readonly isCode: boolean }[];
  /** The line that would close the code in which the text ends; null if it does not end in code. */
  readonly unclosed: string | null;
}

/** The lines of a Markdown text, told apart by whether they are fenced code. */
export const markdownLines = (markdown: string): MarkdownLines => {
  let fence: Fence | null = null;
  const lines = markdown.split('\n').map((text) => {
    if (fence !== null && endsBefore(fence, text)) fence = null;
    const isIn = fence !== null;
    fence = fence === null ? openedBy(text) : isClosedBy(fence, text) ? null : fence;
    return { text, isCode: isIn || fence !== null };
  });
  const open = fence as Fence | null;
  return { lines, unclosed: open === null ? null : open.before + open.marks };
};
