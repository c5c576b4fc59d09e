import { createContext, use, useEffect, useMemo, useState } from 'react';
import { CopyIconButton } from '../parts/button.tsx';
import styles from './code-block.module.css';
import type { CodePiece } from './code-painter.ts';
import { languageName } from './language-name.ts';
import { settledCode } from './settled-code.ts';

type Paint = (code: string, language: string) => readonly CodePiece[];

/** UTF-16 units; painting more would hold the page up, and nobody reads it in a chat. */
const LONGEST = 30_000;

let loaded: Paint | null = null;
let loading: Promise<Paint> | null = null;
const load = (): Promise<Paint> => {
  loading ??= import('./code-painter.ts').then(({ paint }) => {
    loaded = paint;
    return paint;
  });
  return loading;
};

/** Holds for code that is still being written. */
export const Growing = createContext(false);

/** Code of a reply. Its colours come when they are loaded; without them it reads as well. */
export const CodeBlock = ({ code, language }: { code: string; language: string | null }) => {
  const growing = use(Growing);
  const paint = usePaint(language !== null);
  const settled = growing ? settledCode(code) : code.slice(0, LONGEST);
  const pieces = useMemo(
    () => (paint === null || language === null ? null : paint(settled, language)),
    [paint, settled, language],
  );
  return (
    <div className={styles.block}>
      <div className={styles.head}>
        <span>{language === null ? 'Text' : languageName(language)}</span>
        <CopyIconButton label="Copy code" text={code} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines scroll inside it, by keyboard too */}
      <pre tabIndex={0}>
        <code>
          {pieces === null ? code : <Painted pieces={pieces} />}
          {pieces !== null && code.slice(settled.length)}
        </code>
      </pre>
    </div>
  );
};

const Painted = ({ pieces }: { pieces: readonly CodePiece[] }) =>
  pieces.map(({ text, kind }, index) =>
    kind === null ? (
      text
    ) : (
      // Pieces of one text have no identity but their place.
      // biome-ignore lint/suspicious/noArrayIndexKey: see above
      <span key={index} data-kind={kind}>
        {text}
      </span>
    ),
  );

const usePaint = (wanted: boolean): Paint | null => {
  const [paint, setPaint] = useState<Paint | null>(() => loaded);
  useEffect(() => {
    if (!wanted || paint !== null) return;
    let gone = false;
    load().then(
      (found) => !gone && setPaint(() => found),
      () => {
        // Nothing is lost but the colours; the next block tries again.
        loading = null;
      },
    );
    return () => {
      gone = true;
    };
  }, [wanted, paint]);
  return paint;
};
