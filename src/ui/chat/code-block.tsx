import { createContext, use, useMemo } from 'react';
import { CopyIconButton } from '../parts/button.tsx';
import { loadedOnUse } from '../parts/hooks.ts';
import styles from './code-block.module.css';
import type { CodePiece } from './code-painter.ts';

/** Colours come when they are loaded; code without them reads as well. */
const usePaint = loadedOnUse(async () => (await import('./code-painter.ts')).paint);

/** UTF-16 units; painting more would hold the page up, and nobody reads it in a chat. */
const LONGEST = 30_000;

/** Holds for code that is still being written. */
export const Growing = createContext(false);

/** Code of a reply. */
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

/** Lines that come before the code they end is painted again. */
const LINES = 8;

/**
 * Of code that is still being written, the part to paint: it grows by several lines at a time, so that a long
 * block is not read from its beginning at every word.
 */
export const settledCode = (code: string): string => {
  let lines = 0;
  let end = 0;
  for (let at = code.indexOf('\n'); at !== -1; at = code.indexOf('\n', at + 1)) {
    lines += 1;
    if (lines % LINES === 0) end = at + 1;
  }
  return code.slice(0, end);
};

/** What people call a language, by the word that stands at a code fence. */
const NAMES: Readonly<Record<string, string>> = {
  bash: 'Shell',
  c: 'C',
  'c++': 'C++',
  cpp: 'C++',
  cs: 'C#',
  csharp: 'C#',
  css: 'CSS',
  diff: 'Diff',
  go: 'Go',
  graphql: 'GraphQL',
  html: 'HTML',
  ini: 'INI',
  java: 'Java',
  javascript: 'JavaScript',
  js: 'JavaScript',
  json: 'JSON',
  jsx: 'JSX',
  kotlin: 'Kotlin',
  lua: 'Lua',
  makefile: 'Makefile',
  markdown: 'Markdown',
  md: 'Markdown',
  mermaid: 'Mermaid',
  perl: 'Perl',
  php: 'PHP',
  py: 'Python',
  python: 'Python',
  r: 'R',
  rb: 'Ruby',
  rs: 'Rust',
  ruby: 'Ruby',
  rust: 'Rust',
  scss: 'SCSS',
  sh: 'Shell',
  shell: 'Shell',
  sql: 'SQL',
  swift: 'Swift',
  toml: 'TOML',
  ts: 'TypeScript',
  tsx: 'TSX',
  typescript: 'TypeScript',
  xml: 'XML',
  yaml: 'YAML',
  yml: 'YAML',
  zsh: 'Shell',
};

const languageName = (language: string): string => NAMES[language.toLowerCase()] ?? language;
