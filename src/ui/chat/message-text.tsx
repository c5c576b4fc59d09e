import { Fragment, useMemo, useState } from 'react';
import { Button } from '../parts/button.tsx';
import styles from './message.module.css';

/** What the person wrote, as they wrote it; code in it is monospaced, and what is long is folded. */
export const MessageText = ({ text }: { text: string }) => {
  const [whole, setWhole] = useState(false);
  const long = useMemo(() => firstLines(text), [text]);
  const parts = useMemo(() => partsOf(long === null || whole ? text : long.text), [text, long, whole]);
  return (
    <div className={styles.text}>
      <p>
        {parts.map((part, index) =>
          // Parts of one text have no identity but their place.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          part.isCode ? <code key={index}>{part.text}</code> : <Fragment key={index}>{part.text}</Fragment>,
        )}
      </p>
      {long !== null && (
        <Button look="quiet" size="small" aria-expanded={whole} onClick={() => setWhole(!whole)}>
          {whole ? 'Show less' : `Show all ${long.lines} lines`}
        </Button>
      )}
    </div>
  );
};

/** Lines shown of a message that has more. */
const LINES = 20;

/** The beginning of a long text, and how many lines all of it has; null where it is shown whole. */
export const firstLines = (text: string): { text: string; lines: number } | null => {
  const lines = text.split('\n');
  return lines.length <= LINES ? null : { text: lines.slice(0, LINES).join('\n'), lines: lines.length };
};

interface Part {
  readonly text: string;
  readonly isCode: boolean;
}

const CODE = /(^|\n)((`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:\n\3[^\S\n]*(?=\n|$)|$))|(`+)(?!`)[^\n]*?[^`\n]\4(?!`)/g;

/** Code, fences and all, and what is between. */
export const partsOf = (message: string): Part[] => {
  const parts: Part[] = [];
  const put = (text: string, isCode: boolean) => text !== '' && parts.push({ text, isCode });
  let end = 0;
  for (const match of message.matchAll(CODE)) {
    const start = match.index + (match[1]?.length ?? 0);
    put(message.slice(end, start), false);
    end = match.index + match[0].length;
    put(message.slice(start, end), true);
  }
  put(message.slice(end), false);
  return parts.length === 1 && looksLikeCode(message) ? [{ text: message, isCode: true }] : parts;
};

/** Fewer lines may be anything. */
const CODE_LINES = 3;
/** Of the lines of a program, those that could not be prose. */
const CODE_SHARE = 0.6;
const CODE_LINE =
  /^(?:\s{2,}\S|\t|[{}()[\]]+[;,]?$|#include|import |from \S+ import|(?:def|class|fn|func|function|const|let|var|public|private|return|package|using)\b.*[:;{}()=])|[;{}]$|\w\(.*\)[;:]?$|^\s*<\/?\w+[^>]*>/;

const looksLikeCode = (text: string): boolean => {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length < CODE_LINES) return false;
  return lines.filter((line) => CODE_LINE.test(line.trimEnd())).length >= lines.length * CODE_SHARE;
};
