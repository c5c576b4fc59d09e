/*
 * Formulas in Markdown text. They are taken out before parsing, because Markdown does not know them and would read
 * emphasis into them, and put back afterwards.
 */

export interface Formula {
  readonly tex: string;
  /** On a line of its own. */
  readonly display: boolean;
  /** As written, with its delimiters. */
  readonly source: string;
}

/** Delimiters around a formula's index in the text: private-use characters, which Markdown leaves alone. */
const OPEN = '\uE000';
const CLOSE = '\uE001';
/** The placeholder of a formula. */
const PLACE = /\uE000(\d+)\uE001/g;

interface FormulaExtraction {
  readonly text: string;
  readonly formulas: readonly Formula[];
}

/** A quick check: most texts have no formulas. */
export const mayHaveFormulas = (markdown: string): boolean => /\$|\\[([]/.test(markdown);

/** Code, which may contain anything: fenced (with no backtick after those that open it, otherwise it is inline) and inline. */
const FENCED = /(?:^|\n)[ \t>]*(`{3,}(?=[^`\n]*\n)|~{3,})[^\n]*\n[\s\S]*?(?:\n[ \t>]*\1[`~]*[ \t]*(?=\n|$)|$)/y;
const WITHIN = /(`+)(?!`)[\s\S]*?[^`]\1(?!`)/y;
/** Formulas by their delimiters; a blank line ends an unclosed one. */
const LONG = [
  { opens: '$$', formula: /\$\$((?:(?!\n[ \t>]*\n)[\s\S])+?)\$\$/y, display: true },
  { opens: '\\[', formula: /\\\[((?:(?!\n[ \t>]*\n)[\s\S])+?)\\\]/y, display: true },
  { opens: '\\(', formula: /\\\(((?:(?!\n[ \t>]*\n)[\s\S])+?)\\\)/y, display: false },
] as const;
/**
 * Between single dollars: no code, no space just inside either, no digit after the last (Pandoc's rule, which makes `$5
 * and $10` text), at most two lines.
 */
const SHORT = /\$(?![\s$])((?:\\.|[^\\$`\n]|\n(?!\s*\n))*?(?:\\\S|[^\s\\$`]))\$(?![\d$])/y;
/** Amounts of money between two dollars, as in "from 5$ to $10 or 20$". */
const MONEY = /^\d[\d.,]*[kKmM]?(?:\s*[-–—/]\s*$|\s+[^\W\d_]+\b(?![^\s]*[\\^_={}]))/u;
const TEX = /[\\^_={}]/;

const at = (pattern: RegExp, text: string, index: number): RegExpExecArray | null => {
  pattern.lastIndex = index;
  return pattern.exec(text);
};

/** For each long opening delimiter, up to where in a text nothing closes it: so that many of them are not each searched to the end. */
type Unclosed = Map<string, number>;

/** The next blank line from a position on, or the end. */
const endOfBlock = (text: string, index: number): number => {
  const blank = /\n[ \t>]*\n/g;
  blank.lastIndex = index;
  return blank.exec(text)?.index ?? text.length;
};

const isMoney = (tex: string): boolean => MONEY.test(tex) && !TEX.test(tex);

/** The formula that starts at a position of a text; null if there is none. */
const formulaAt = (text: string, index: number, unclosed: Unclosed): Formula | null => {
  for (const { opens, formula, display } of LONG) {
    if (!text.startsWith(opens, index)) continue;
    if (index < (unclosed.get(opens) ?? 0)) return null;
    const [source, tex] = at(formula, text, index) ?? [];
    if (source === undefined) unclosed.set(opens, endOfBlock(text, index));
    return source === undefined || tex === undefined || tex.trim() === ''
      ? null
      : { tex: cleaned(tex), display, source };
  }
  if (text[index] !== '$' || /[\p{L}\p{N}]/u.test(text[index - 1] ?? '')) return null;
  const [source, tex] = at(SHORT, text, index) ?? [];
  return source === undefined || tex === undefined || isMoney(tex) ? null : { tex, display: false, source };
};

/** Strips the blockquote markers in front of its lines. */
const cleaned = (tex: string): string => tex.replace(/\n[ \t]*>[ \t]?/g, '\n').trim();

type MarkdownPiece =
  | { readonly kind: 'text' | 'code'; readonly source: string }
  | { readonly kind: 'formula'; readonly source: string; readonly formula: Formula };

const pieceAt = (markdown: string, index: number, unclosed: Unclosed): MarkdownPiece => {
  const character = markdown[index] as string;
  const fenced = character === '\n' || index === 0 ? at(FENCED, markdown, index) : null;
  const code = fenced ?? (character === '`' ? at(WITHIN, markdown, index) : null);
  if (code !== null) return { kind: 'code', source: code[0] };
  const formula = character === '$' || character === '\\' ? formulaAt(markdown, index, unclosed) : null;
  if (formula !== null) return { kind: 'formula', source: formula.source, formula };
  // Skip an escaped character, or a whole run of delimiters that open nothing, at once.
  const length = character === '\\' ? 2 : (/^(?:\$+|`+)/.exec(markdown.slice(index, index + 16))?.[0].length ?? 1);
  return { kind: 'text', source: markdown.slice(index, index + length) };
};

/** Joined, the pieces equal the text. */
const piecesOf = (markdown: string): MarkdownPiece[] => {
  const pieces: MarkdownPiece[] = [];
  const unclosed: Unclosed = new Map();
  for (let index = 0; index < markdown.length; ) {
    const piece = pieceAt(markdown, index, unclosed);
    pieces.push(piece);
    index += piece.source.length;
  }
  return pieces;
};

/** The text with a placeholder for each formula, and the formulas in order. */
export const takeOutFormulas = (markdown: string): FormulaExtraction => {
  const formulas: Formula[] = [];
  let text = '';
  for (const piece of piecesOf(markdown)) {
    if (piece.kind !== 'formula') text += piece.source;
    else text += `${OPEN}${formulas.push(piece.formula) - 1}${CLOSE}`;
  }
  return { text, formulas };
};

/** How many characters an unfinished formula may have before it is shown as plain text. */
const PATIENCE = 400;
/** An opening delimiter without a closing one, or what may be its first half. */
const OPENED = /(?:\\[([]|\$\$|(?<![\p{L}\p{N}$])\$(?=[^\s\d$])|\\$|(?<![\p{L}\p{N}$])\$$)[\s\S]*$/u;

/** The text up to a formula that is still being written: half a formula is unreadable, and the rest comes soon. */
export const untilOpenFormula = (markdown: string): string => {
  // Same length as the text, so that indices match.
  const rest = piecesOf(markdown)
    .map(({ kind, source }) => (kind === 'text' && !/^\\[^([]/.test(source) ? source : '.'.repeat(source.length)))
    .join('');
  const start = OPENED.exec(rest)?.index;
  if (start === undefined || markdown.length - start > PATIENCE) return markdown;
  // Show it as it is if it may become code, or has ended.
  return /`|\n[ \t]*\n/.test(rest.slice(start)) || /`[^\n]*$/.test(rest.slice(0, start))
    ? markdown
    : markdown.slice(0, start);
};

/** The text with its formulas restored to their source. */
export const withSource = (text: string, formulas: readonly Formula[]): string =>
  text.replace(PLACE, (mark, number) => formulas[Number(number)]?.source ?? mark);

/** The part of an HTML tree that is used here. */
interface HtmlTree {
  type: string;
  value?: string;
  tagName?: string;
  properties?: Record<string, unknown>;
  children?: HtmlTree[];
}

type FormulaElement = (formula: Formula, index: number) => HtmlTree;

/** Rehype plugin that puts an element in place of each formula; within code and raw HTML, its source. */
export const placing = (formulas: readonly Formula[], element: FormulaElement) => () => (tree: HtmlTree) =>
  placeFormulas(tree, formulas, element, false);

const placeFormulas = (
  tree: HtmlTree,
  formulas: readonly Formula[],
  element: FormulaElement,
  inCode: boolean,
): void => {
  for (const [name, value] of Object.entries(tree.properties ?? {}))
    if (typeof value === 'string' && tree.properties !== undefined) tree.properties[name] = decoded(value, formulas);
  if (tree.children === undefined) return;
  tree.children = tree.children.flatMap((child) => {
    if (child.type !== 'text' && child.type !== 'raw') {
      placeFormulas(child, formulas, element, inCode || child.tagName === 'code');
      return [child];
    }
    const text = child.value ?? '';
    // Raw HTML is shown as written.
    if (inCode || child.type === 'raw') return [{ ...child, value: withSource(text, formulas) }];
    return text.split(PLACE).flatMap((part, at): HtmlTree[] => {
      // Every second part is a formula's index.
      const formula = at % 2 === 1 ? formulas[Number(part)] : undefined;
      if (formula !== undefined) return [element(formula, Number(part))];
      return part === '' ? [] : [{ type: 'text', value: part }];
    });
  });
};

/** A URL with its formulas restored; Markdown has percent-encoded the markers. */
const decoded = (value: string, formulas: readonly Formula[]): string =>
  withSource(value.replaceAll('%EE%80%80', '\uE000').replaceAll('%EE%80%81', '\uE001'), formulas);

/**
 * Where no formula is drawn (in files, on paper, on slides): what to read as Markdown, with which plugins, so that each formula
 * stays as it was written. Read as Markdown, it would lose its backslashes.
 */
export const formulasAsCode = (markdown: string) => {
  const { text, formulas } = mayHaveFormulas(markdown) ? takeOutFormulas(markdown) : { text: markdown, formulas: [] };
  return { text, rehypePlugins: [placing(formulas, ({ source }) => codeOf(cleaned(source)))] };
};

const codeOf = (text: string): HtmlTree => ({
  type: 'element',
  tagName: 'code',
  properties: { style: 'white-space:pre-wrap' },
  children: [{ type: 'text', value: text }],
});
