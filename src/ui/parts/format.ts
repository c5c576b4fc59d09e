import { latinDigits, plural } from '../../domain/numbers.ts';
import { beginning } from '../../domain/queries.ts';
import { markdownLines } from '../../engine/text/sentences.ts';

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });

/** `2,980` */
export const count = (n: number): string => whole.format(n);

/** `1 turn`, `15 turns` */
export const counted = (n: number, one: string, many = `${one}s`): string => `${count(n)} ${plural(n, one, many)}`;

/** A number as typed; NaN if it is none. A comma counts as a decimal point. */
export const typedNumber = (text: string): number => {
  const typed = latinDigits(text).trim().replace(',', '.');
  return /^\d*\.?\d+$|^\d+\.$/.test(typed) ? Number(typed) : Number.NaN;
};

/** `2,000`, `2.000`, `2 000`, and `1,00,000` as in India: one kind of separator throughout. */
const GROUPED = /^[1-9]\d{0,2}([,.\s'’])(?:\d{2,3}\1)*\d{3}$/;

/** The number typed into a field for whole numbers, which may have its thousands apart; NaN or a fraction if it is none. */
export const typedWhole = (text: string): number =>
  GROUPED.test(latinDigits(text).trim()) ? Number(latinDigits(text).replace(/\D/g, '')) : typedNumber(text);

const date = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });
/** `Mar 2, 2026, 9:00 AM`, in the local time zone. */
export const dateTime = (at: number): string => date.format(at);

/** `2026-03-02`: the day there, or in the local time zone, as Swedes write it. For names of files: they sort by time. */
export const isoDay = (at: number, timeZone?: string): string => new Intl.DateTimeFormat('sv', { timeZone }).format(at);

/** Letters of scripts that read from right to left: Hebrew, Arabic and their neighbours. */
const FROM_RIGHT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * A title or other words of the conversation, to stand in a sentence of the page. Where they read from right to left
 * they are set apart by characters without width, or a number that follows would be drawn before them.
 */
export const isolated = (words: string): string => (FROM_RIGHT.test(words) ? `\u2068${words}\u2069` : words);

/** The beginning of a text, on one line and without code fences. */
export const firstCharacters = (text: string, length: number): string =>
  beginning(
    text
      .slice(0, 2 * length)
      .replace(/^[ \t]*(?:`{3,}(?=[^`\n]*$)|~~~).*$/gm, '')
      .replace(/\s+/g, ' ')
      .trim(),
    length,
  );

/** A text of at most `length` UTF-16 units, the ellipsis included. */
export const shortened = (text: string, length: number): string =>
  text.length > length ? `${beginning(text, length - 1).trimEnd()}…` : text;

/** A text as a Markdown quotation. */
export const asQuote = (text: string): string =>
  text
    .split('\n')
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n');

/** What Coppice writes as Markdown uses the first three heading levels itself. */
const OWN_LEVELS = 3;

/**
 * Keeps a Markdown text from changing the page around it: headings are lowered below those of the page, underlined ones are
 * escaped, a comment or fence left open is escaped or closed, and folds are escaped if not all are closed: they would end the
 * one around the text, or hide what follows. Code stays unchanged.
 */
export const lowered = (text: string): string => {
  const { lines, unclosed } = outsideCode(withoutLooseFolds(text), (line, before, rest) => {
    if (/^ {0,3}(=+|-+)\s*$/.test(line) && isParagraph(before)) return line.replace(/[=-]/, '\\$&');
    if (/^ {0,3}<!--/.test(line) && !rest().includes('-->')) return line.replace('<', '\\<');
    return line.replace(
      /^( {0,3})(#{1,6})(?=\s|$)/,
      (_, indent: string, marks: string) => `${indent}${'#'.repeat(Math.min(6, marks.length + OWN_LEVELS))}`,
    );
  });
  return (unclosed === null ? lines : [...lines, unclosed]).join('\n');
};

/** A tag, or what is taken for one, as in `List<String>`; not an address in <…>, nor one that is escaped or in inline code. */
const TAG = /(`+[^`]*`+|\\.)|<(?![a-z][a-z\d+.-]+:|[^\s<>@]+@[^\s<>]+>)(?=[a-z!?/])/gi;

const withoutLooseFolds = (text: string): string => {
  if (!/<\/?details/i.test(text)) return text;
  let [open, isLoose] = [0, false];
  const { lines } = outsideCode(text, (line) =>
    line.replace(FOLD, (tag: string, kept?: string) => {
      if (kept !== undefined) return kept;
      open += tag.startsWith('</') ? -1 : 1;
      isLoose ||= open < 0;
      // An entity, for a backslash is no escape inside HTML.
      return tag.replace('<', '&lt;');
    }),
  );
  return isLoose || open > 0 ? lines.join('\n') : text;
};

const FOLD = /(`+[^`]*`+|\\.)|<\/?details\b/gi;

/** What a person typed is not HTML: a tag would not be seen, and could swallow what follows. */
export const withoutHtml = (text: string): string =>
  outsideCode(text, (line) =>
    /^(?: {4}|\t)/.test(line) ? line : line.replace(TAG, (_, kept?: string) => kept ?? '\\<'),
  ).lines.join('\n');

/** Whether a line of = or - below this one would make it a heading. */
const isParagraph = (line: string): boolean =>
  line.trim() !== '' && !/^(\s*([>|]|#{1,6}(\s|$)|<!--|[-*+]\s|\d{1,9}[.)]\s)| {4}|\t)/.test(line);

/** Changes the lines that are not in fenced code. `rest`: the line and all that follow. Also returns what would close code left open. */
const outsideCode = (text: string, change: (line: string, before: string, rest: () => string) => string) => {
  const { lines, unclosed } = markdownLines(text);
  const changed = lines.map(({ text: line, isCode }, at) => {
    if (isCode) return line;
    const above = lines[at - 1];
    const rest = () =>
      lines
        .slice(at)
        .map((one) => one.text)
        .join('\n');
    return change(line, above === undefined || above.isCode ? '' : above.text, rest);
  });
  return { lines: changed, unclosed };
};

/**
 * Where a link in a text that others may have written can lead: a web page, an e-mail address, or a turn; otherwise
 * empty. Not to addresses relative to the page (`https:` without slashes is one, too): they can ask things of the app.
 */
export const linkTarget = (url: string): string => (/^(?:https?:\/\/|mailto:|#turn-\d+$)/i.test(url) ? url : '');

/** Whether a text has so many nested quotes or lists that reading it as Markdown takes minutes or overflows the stack. */
export const isTooNested = (text: string): boolean => /^(?:[ \t]*(?:>|(?:[-+*]|\d+[.)])[ \t])){100}/m.test(text);

/** Escapes the special characters of HTML and XML. */
export const escapedMarkup = (text: string): string =>
  text.replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign] ?? sign);

/** `0.71` */
export const similarity = (value: number): string => value.toFixed(2);

/** Formats 0.52 as `52 %`. */
export const percent = (share: number): string => `${whole.format(100 * share)} %`;

/** `+1.8`, `−0.4`: a weight in log-odds. */
export const weight = (value: number): string => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(1)}`;

/** `0.71`, `−0.12`: a cosine or a probability. */
export const ratio = (value: number, decimals = 2): string => {
  const figures = Math.abs(value).toFixed(decimals);
  return value < 0 && Number(figures) > 0 ? `−${figures}` : figures;
};

/** `0.4 ms`, `24 ms`, `1.2 s` */
export const duration = (ms: number): string => {
  if (ms >= 999.5) return `${(ms / 1000).toFixed(1)} s`;
  return `${ms < 9.95 ? ms.toFixed(1) : ms.toFixed(0)} ms`;
};

/** `−86 %`: how much less was sent than a plain chat would have sent; positive if more was sent. */
export const savingLabel = (tokens: number, plain: number): string => {
  if (plain <= 0) return '±0 %';
  const exact = (tokens / plain - 1) * 100;
  const percent = Math.round(exact);
  if (percent === 0) return '±0 %';
  // Something was sent, so never show −100 %.
  if (percent === -100 && tokens > 0) return `−${Math.min(99.9, Math.abs(exact)).toFixed(1)} %`;
  return `${percent < 0 ? '−' : '+'}${Math.abs(percent)} %`;
};

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const words = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const dates = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', year: 'numeric' });

/** `just now`, `5 minutes ago`, `yesterday`; a date after a week. Both in milliseconds since 1970. */
export const timeAgo = (at: number, now: number): string => {
  const past = now - at;
  if (past < MINUTE) return 'just now';
  if (past < HOUR) return words.format(-Math.floor(past / MINUTE), 'minute');
  if (past < DAY) return words.format(-Math.floor(past / HOUR), 'hour');
  // By the calendar: yesterday is not the evening before last.
  const days = daysBetween(at, now);
  return days < 7 ? words.format(-days, 'day') : dates.format(at);
};

const time = new Intl.DateTimeFormat('en', { timeStyle: 'short' });

/** `today at 9:00 AM`, `tomorrow at 9:00 AM`; a date beyond that. In the local time zone. */
export const dayAndTime = (at: number, now: number): string => {
  const days = daysBetween(now, at);
  return Math.abs(days) > 1 ? dateTime(at) : `${words.format(days, 'day')} at ${time.format(at)}`;
};

/** How many calendar days later, in the local time zone; a day may have an hour more or less than the others. */
const daysBetween = (from: number, to: number): number => Math.round((midnight(to) - midnight(from)) / DAY);

/** The beginning of that day. */
const midnight = (at: number): number => new Date(at).setHours(0, 0, 0, 0);

const names = new Intl.DisplayNames('en', { type: 'language' });
const list = new Intl.ListFormat('en');

/** The name of a language: `Spanish` for `es`. */
export const spokenName = (language: string): string => names.of(language) ?? language;

/** `English`, `English and German` */
export const spokenNames = (languages: readonly string[]): string => list.format(languages.map(spokenName));
