import { renderToString } from 'katex';
import 'katex/dist/katex.min.css';
import type { Formula } from './formulas.ts';

/** Expansions of macros, and lengths in em, that no honest formula needs. */
const MAX_EXPAND = 1000;
const MAX_SIZE = 40;

/** A formula as HTML, with MathML for those who hear it; null where it is no TeX that KaTeX reads. */
export const formulaHtml = ({ tex, display }: Formula): string | null => {
  try {
    return renderToString(tex, {
      displayMode: display,
      output: 'htmlAndMathml',
      strict: 'ignore',
      // No links, no pictures, no HTML.
      trust: false,
      maxExpand: MAX_EXPAND,
      maxSize: MAX_SIZE,
    });
  } catch {
    return null;
  }
};
