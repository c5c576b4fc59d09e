import { renderToString } from 'katex';
import 'katex/dist/katex.min.css';
import type { Formula } from './formulas.ts';

/** Limits on macro expansions, and on lengths in em, that no honest formula reaches. */
const MAX_EXPAND = 1000;
const MAX_SIZE = 40;

/** A formula as HTML, with MathML for screen readers; null if KaTeX cannot parse it. */
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
