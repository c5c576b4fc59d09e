import { memo, useEffect, useState } from 'react';
import type { Formula } from './formulas.ts';
import styles from './markdown.module.css';

type ToHtml = (formula: Formula) => string | null;

let loaded: ToHtml | null = null;
let loading: Promise<ToHtml> | null = null;
const load = (): Promise<ToHtml> => {
  loading ??= import('./katex.ts').then(({ formulaHtml }) => {
    loaded = formulaHtml;
    return formulaHtml;
  });
  return loading;
};

const useKatex = (): ToHtml | null => {
  const [toHtml, setToHtml] = useState<ToHtml | null>(() => loaded);
  useEffect(() => {
    if (toHtml !== null) return;
    let gone = false;
    load().then(
      (found) => !gone && setToHtml(() => found),
      () => {
        // The formula stays as it was written; the next one tries again.
        loading = null;
      },
    );
    return () => {
      gone = true;
    };
  }, [toHtml]);
  return toHtml;
};

/** A formula, set by KaTeX once that is loaded; until then, and where it is none, as it was written. */
export const FormulaView = memo(({ formula }: { formula: Formula }) => {
  const html = useKatex()?.(formula) ?? null;
  if (html === null) return <code className={styles.tex}>{formula.source}</code>;
  return (
    <span
      className={formula.display ? styles.display : undefined}
      // Long ones scroll inside it, by keyboard too.
      {...(formula.display ? { tabIndex: 0 } : {})}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: KaTeX's own markup; trust is off, so it holds nothing of the text but its letters
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
});
