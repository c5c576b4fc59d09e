/*
 * Formulas of a text in Markdown. They are taken out before the Markdown is read, which knows nothing of them and would
 * make emphasis of what stands in them, and put back where they stood.
 */

export interface Formula {
  readonly tex: string;
  /** On a line of its own. */
  readonly display: boolean;
  /** As it was written, with its signs. */
  readonly source: string;
}

/** Around the number of a formula, in place of it: characters of private use, which Markdown lets pass. */
const OPEN = '\uE000';
const CLOSE = '\uE001';
/** Where a formula stood. */
export const PLACE = /\uE000(\d+)\uE001/g;

export interface TakenOut {
  readonly text: string;
  readonly formulas: readonly Formula[];
}

/** Whether it is worth looking: most texts have none. */
export const mayHaveFormulas = (markdown: string): boolean => /\$|\\[([]/.test(markdown);

/** Code, which may hold anything: fenced, and within a line. */
const FENCED = /(?:^|\n)[ \t>]*(`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:\n[ \t>]*\1[`~]*[ \t]*(?=\n|$)|$)/y;
const WITHIN = /(`+)(?!`)[\s\S]*?[^`]\1(?!`)/y;
/** A formula by its signs; a blank line ends whatever is not closed. */
const LONG = [
  { opens: '$$', formula: /\$\$((?:(?!\n[ \t>]*\n)[\s\S])+?)\$\$/y, display: true },
  { opens: '\\[', formula: /\\\[((?:(?!\n[ \t>]*\n)[\s\S])+?)\\\]/y, display: true },
  { opens: '\\(', formula: /\\\(((?:(?!\n[ \t>]*\n)[\s\S])+?)\\\)/y, display: false },
] as const;
/**
 * Between single dollars: no code, nothing blank inside of either, no digit after the last (Pandoc's rule, by which `$5 and $10` is
 * text), on two lines at most.
 */
const SHORT = /\$(?![\s$])((?:\\.|[^\\$`\n]|\n(?!\s*\n))*?(?:\\\S|[^\s\\$`]))\$(?![\d$])/y;
/** Sums of money between two dollars, as in "from 5$ to $10 or 20$". */
const MONEY = /^\d[\d.,]*[kKmM]?(?:\s*[-–—/]\s*$|\s+[^\W\d_]+\b(?![^\s]*[\\^_={}]))/u;
const TEX = /[\\^_={}]/;

const at = (pattern: RegExp, text: string, index: number): RegExpExecArray | null => {
  pattern.lastIndex = index;
  return pattern.exec(text);
};

const isMoney = (tex: string): boolean => MONEY.test(tex) && !TEX.test(tex);

/** The formula that begins at a place of a text, and where it ends; null where none does. */
const formulaAt = (text: string, index: number): Formula | null => {
  for (const { opens, formula, display } of LONG) {
    if (!text.startsWith(opens, index)) continue;
    const [source, tex] = at(formula, text, index) ?? [];
    return source === undefined || tex === undefined || tex.trim() === ''
      ? null
      : { tex: cleaned(tex), display, source };
  }
  if (text[index] !== '$' || /[\p{L}\p{N}]/u.test(text[index - 1] ?? '')) return null;
  const [source, tex] = at(SHORT, text, index) ?? [];
  return source === undefined || tex === undefined || isMoney(tex) ? null : { tex, display: false, source };
};

/** Without the signs of a quotation that stand before its lines. */
const cleaned = (tex: string): string => tex.replace(/\n[ \t]*>[ \t]?/g, '\n').trim();

type Piece =
  | { readonly kind: 'text' | 'code'; readonly source: string }
  | { readonly kind: 'formula'; readonly source: string; readonly formula: Formula };

const pieceAt = (markdown: string, index: number): Piece => {
  const character = markdown[index] as string;
  const fenced = character === '\n' || index === 0 ? at(FENCED, markdown, index) : null;
  const code = fenced ?? (character === '`' ? at(WITHIN, markdown, index) : null);
  if (code !== null) return { kind: 'code', source: code[0] };
  const formula = character === '$' || character === '\\' ? formulaAt(markdown, index) : null;
  if (formula !== null) return { kind: 'formula', source: formula.source, formula };
  // What is escaped, and a whole run of what opens nothing, is passed over together.
  const length = character === '\\' ? 2 : (/^(?:\$+|`+)/.exec(markdown.slice(index, index + 16))?.[0].length ?? 1);
  return { kind: 'text', source: markdown.slice(index, index + length) };
};

/** Joined, the pieces are the text. */
const piecesOf = (markdown: string): Piece[] => {
  const pieces: Piece[] = [];
  for (let index = 0; index < markdown.length; ) {
    const piece = pieceAt(markdown, index);
    pieces.push(piece);
    index += piece.source.length;
  }
  return pieces;
};

/** A text with a mark in place of each formula, and the formulas in order. */
export const takeOutFormulas = (markdown: string): TakenOut => {
  const formulas: Formula[] = [];
  let text = '';
  for (const piece of piecesOf(markdown)) {
    if (piece.kind !== 'formula') text += piece.source;
    else text += `${OPEN}${formulas.push(piece.formula) - 1}${CLOSE}`;
  }
  return { text, formulas };
};

/** Characters that a formula may be open for while it is written before it is shown as the text that it then seems to be. */
const PATIENCE = 400;
/** A sign that opens a formula and that nothing closes, or may be the first half of one. */
const OPENED = /(?:\\[([]|\$\$|(?<![\p{L}\p{N}$])\$(?=[^\s\d$])|\\$|(?<![\p{L}\p{N}$])\$$)[\s\S]*$/u;

/** The text up to a formula that is still being written: half of one reads as nothing, and its whole comes soon. */
export const untilOpenFormula = (markdown: string): string => {
  // As long as the text, so that a place in it is one in the text.
  const rest = piecesOf(markdown)
    .map(({ kind, source }) => (kind === 'text' && !/^\\[^([]/.test(source) ? source : '.'.repeat(source.length)))
    .join('');
  const start = OPENED.exec(rest)?.index;
  if (start === undefined || markdown.length - start > PATIENCE) return markdown;
  // What may become code, or is over, is shown as it is.
  return /`|\n[ \t]*\n/.test(rest.slice(start)) || /`[^\n]*$/.test(rest.slice(0, start))
    ? markdown
    : markdown.slice(0, start);
};

/** A text with its formulas as they were written. */
export const withSource = (text: string, formulas: readonly Formula[]): string =>
  text.replace(PLACE, (mark, number) => formulas[Number(number)]?.source ?? mark);
