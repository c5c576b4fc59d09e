/** Of scripts that write no spaces between words. */
export const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** What stands between a word and the next. */
type Gap = 'none' | 'pause' | 'colon' | 'stop';

export interface Word {
  readonly text: string;
  readonly after: Gap;
}

/** A word as lists of words have it. */
export const stripped = (word: string): string =>
  word.toLowerCase().replace(/^[^\p{L}\p{N}&+]+|[^\p{L}\p{M}\p{N}+#%&']+$/gu, '');

/** Words with what ends them; marks inside numbers, names of files and words end nothing. */
export const wordsIn = (text: string): Word[] => {
  const found: { text: string; after: Gap }[] = [];
  for (const line of text.split('\n')) {
    let formula = '';
    for (const chunk of line.split(/\s+/)) {
      const { body = '', marks = '' } =
        /^(?<body>.*?)(?<marks>[.,;:!?…؟،।¿¡]*["”'’»)\]]*[.,;:!?…؟،।]*)$/u.exec(chunk)?.groups ?? {};
      const closing = marks.replace(/[.,;:!?…؟،।]/gu, '');
      const word = body.replace(/^[¿¡]+/u, '') + closing;
      const last = found.at(-1);
      if (!/[\p{L}\p{N}]/u.test(word)) {
        // A symbol between words stands where it stood: "2x + 3", "A & B"; a dash is a pause.
        if (last !== undefined && (/^[=+*×÷&^<]+$/.test(chunk) || (chunk === '-' && /[=^]/.test(line))))
          formula = ` ${chunk} `;
        else if (last !== undefined && /^[–—-]+$|^[|/→>]+$|^[,;]$/.test(chunk))
          last.after = last.after === 'stop' ? 'stop' : 'pause';
        else if (last !== undefined && chunk === ':') last.after = 'colon';
        else if (last !== undefined && /[.!?…]/.test(chunk)) last.after = 'stop';
        continue;
      }
      if (formula !== '' && last !== undefined) {
        last.text += formula + word;
        last.after = /[.!?,;:]$/.test(marks) ? 'pause' : 'none';
        formula = '';
        continue;
      }
      const abbreviated =
        /^(?:\p{L}|\p{L}\.\p{L}|vs|dr|mr|mrs|ms|st|no|nr|ca|bzw|z\.b|ggf)$/iu.test(body) && marks === '.';
      const after: Gap =
        abbreviated || marks === ''
          ? 'none'
          : /[.!?…؟।]/u.test(marks)
            ? 'stop'
            : marks.includes(':')
              ? 'colon'
              : /[,;،]/u.test(marks)
                ? 'pause'
                : 'none';
      found.push({ text: abbreviated ? `${word}.` : word, after });
    }
    const last = found.at(-1);
    if (last !== undefined) last.after = 'stop';
  }
  return found;
};

/** Words as one line: a pause inside it is kept as a comma, a stop as a colon. */
export const joined = (said: readonly Word[]): string => {
  const line = said
    .map(({ text, after }, at) =>
      at === said.length - 1 || after === 'none' ? text : `${text}${after === 'pause' ? ',' : ':'}`,
    )
    .join(' ');
  return balanced(line);
};

export const isInQuotation = (said: readonly Word[]): boolean => {
  const line = said.map(({ text }) => text).join(' ');
  return (
    line.split('"').length % 2 === 0 ||
    line.split(/[“«]/).length > line.split(/[”»]/).length ||
    /(?:^|\s)'(?![^']*'(?:\s|$))/.test(line)
  );
};

/** Whether a bracket is open at the end: nobody cuts there. */
export const isOpen = (said: readonly Word[]): boolean => {
  const line = said.map(({ text }) => text).join(' ');
  return line.split(/[([]/).length > line.split(/[)\]]/).length;
};

/** Without marks that open or close nothing. */
export const balanced = (line: string): string => {
  let text = line;
  for (const [open, close] of [
    ['(', ')'],
    ['[', ']'],
    ['{', '}'],
    ['“', '”'],
    ['«', '»'],
    ['「', '」'],
    ['『', '』'],
    ['《', '》'],
  ] as const) {
    if (text.split(open).length !== text.split(close).length) text = text.replaceAll(open, '').replaceAll(close, '');
  }
  if (text.includes('„') && !/„[^“”"]*[“”"]/.test(text)) text = text.replaceAll('„', '');
  if (text.split('"').length % 2 === 0) text = text.replaceAll('"', '');
  if (/^'/.test(text) && !/\w'(?:\s|$)/.test(text)) text = text.replace(/^'/, '');
  if (/'$/.test(text) && !/(?:^|\s)'/.test(text) && !/s'$/.test(text)) text = text.replace(/'$/, '');
  return text.trim();
};

export const capitalised = (text: string): string => {
  const [first = '', second = ''] = text.split(/\s/);
  // "iPhone", "y = 2x", "excel里": as it is written.
  return /^\p{Ll}+\p{Lu}/u.test(first) || /^[=+*^<]/.test(second) || UNSPACED.test(text)
    ? text
    : text.slice(0, 1).toUpperCase() + text.slice(1);
};
