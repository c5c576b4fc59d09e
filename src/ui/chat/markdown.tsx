import { createContext, memo, use, useMemo } from 'react';
import ReactMarkdown, { type Components, type Options } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { shownForest } from '../../app/state.ts';
import { recordsOf } from '../../domain/table.ts';
import { markdownLines } from '../../engine/text/sentences.ts';
import { useActions, useAppState } from '../app-context.ts';
import { CopyIconButton } from '../parts/button.tsx';
import { isTooNested, linkTarget } from '../parts/format.ts';
import { createLazyHook } from '../parts/hooks.ts';
import { TextLink } from '../parts/text.tsx';
import type { CodePiece } from './code-painter.ts';
import { type Formula, mayHaveFormulas, placing, takeOutFormulas, untilOpenFormula } from './formulas.ts';
import styles from './markdown.module.css';

const PLUGINS = [remarkGfm];
const TURN_LINK = /^#turn-(\d+)$/;

/**
 * Links to turns select them, and those to elsewhere open in a new tab; all others, as between footnotes, are only
 * text; pictures stay links, so that nothing is fetched unasked. Lists, quotes and tables have a side to begin on, which
 * their first words decide; other blocks leave it to the styles.
 */
const components: Components = {
  a: ({ href, children }) => {
    const number = TURN_LINK.exec(href ?? '')?.[1];
    if (number !== undefined) return <TurnLink number={Number(number)}>{children}</TurnLink>;
    return (
      <TextLink to={href} target="_blank">
        {children}
      </TextLink>
    );
  },
  img: ({ src, alt }) => (
    <TextLink to={src} target="_blank">
      {alt || 'picture'}
    </TextLink>
  ),
  ul: ({ node: _, ...rest }) => <ul dir="auto" {...rest} />,
  ol: ({ node: _, ...rest }) => <ol dir="auto" {...rest} />,
  blockquote: ({ children }) => <blockquote dir="auto">{children}</blockquote>,
  table: ({ children }) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: wide ones scroll inside it, by keyboard too
    <div className={styles.wide} dir="auto" role="group" aria-label="Table" tabIndex={0}>
      <table>{children}</table>
    </div>
  ),
  pre: ({ node, children }) => {
    const [code] = node?.children ?? [];
    const [text] = code?.type === 'element' ? code.children : [];
    // Markdown only puts code into a `pre`; anything else is shown as it is.
    if (code?.type !== 'element' || (text !== undefined && text.type !== 'text')) return <pre>{children}</pre>;
    return <CodeBlock code={(text?.value ?? '').replace(/\n$/, '')} language={languageOf(code.properties.className)} />;
  },
};

const languageOf = (classes: unknown): string | null => {
  const named = Array.isArray(classes) ? classes.find((name) => String(name).startsWith('language-')) : undefined;
  return named === undefined ? null : String(named).slice('language-'.length);
};

const TurnLink = ({ number, children }: { number: number; children: React.ReactNode }) => {
  const { select } = useActions();
  const state = useAppState();
  return (
    <a
      href={`#turn-${number}`}
      onClick={(event) => {
        event.preventDefault();
        const node = recordsOf(shownForest(state()).nodes).find((one) => one.number === number);
        if (node !== undefined) select(node.id);
      }}
    >
      {children}
    </a>
  );
};

const useKatex = createLazyHook(async () => (await import('./katex.ts')).formulaHtml);

/** A formula, rendered by KaTeX once that is loaded; until then, and if it is invalid, its source. */
const FormulaView = memo(({ formula }: { formula: Formula }) => {
  const html = useKatex(true)?.(formula) ?? null;
  if (html === null) return <code className={styles.tex}>{formula.source}</code>;
  return (
    <span
      className={formula.display ? styles.display : undefined}
      // Long ones scroll inside it, by keyboard too.
      {...(formula.display ? { role: 'group', 'aria-label': 'Formula', tabIndex: 0 } : {})}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: KaTeX's own markup; trust is off, so it holds nothing of the text but its letters
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
});

/** Options for a text with formulas: their placeholders become elements, or their source within code. */
const withFormulas = (formulas: readonly Formula[]): Pick<Options, 'rehypePlugins' | 'components'> => ({
  rehypePlugins: [
    placing(formulas, (_, index) => ({
      type: 'element',
      tagName: 'span',
      properties: { dataFormula: index },
      children: [],
    })),
  ],
  components: {
    ...components,
    // Nothing else creates a span: raw HTML stays text.
    span: ({ node }) => {
      const formula = formulas[Number(node?.properties.dataFormula)];
      return formula === undefined ? null : <FormulaView formula={formula} />;
    },
  },
});

const PLAIN = { components };

const Block = memo(({ text, growing }: { text: string; growing: boolean }) => {
  const { text: markdown, formulas } = useMemo(
    () => (mayHaveFormulas(text) ? takeOutFormulas(text) : { text, formulas: [] }),
    [text],
  );
  const reading = useMemo(() => (formulas.length === 0 ? PLAIN : withFormulas(formulas)), [formulas]);
  return (
    <Growing value={growing}>
      <ReactMarkdown remarkPlugins={PLUGINS} urlTransform={linkTarget} {...reading}>
        {markdown}
      </ReactMarkdown>
    </Growing>
  );
});

/** A reply as rich text; raw HTML in it stays text. While it streams, only its last block is parsed again. */
export const Markdown = ({ text, streaming }: { text: string; streaming: boolean }) => {
  if (isTooNested(text)) return <p className={styles.asWritten}>{text}</p>;
  const blocks = streaming ? blocksOf(mayHaveFormulas(text) ? untilOpenFormula(text) : text) : [text];
  return (
    <div className={styles.markdown}>
      {blocks.map((block, index) => (
        // Blocks only ever grow at the end: their place is their identity.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <Block key={index} text={block} growing={streaming && index === blocks.length - 1 && endsInCode(block)} />
      ))}
    </div>
  );
};

/** The mark of a list item. */
const ITEM = /^[ \t]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)/;

/**
 * Splits Markdown at blank lines outside fenced code, so that only the last block of a streaming reply is parsed again.
 * A list is one block with all that its items contain: by itself, an indented paragraph would be code.
 */
export const blocksOf = (markdown: string): string[] => {
  const blocks: string[] = [];
  let block: string[] = [];
  let afterBlank = false;
  const close = () => {
    if (block.length > 0) blocks.push(block.join('\n'));
    block = [];
  };
  for (const { text, isCode } of markdownLines(markdown).lines) {
    const isBlank = !isCode && text.trim() === '';
    if (afterBlank && !isBlank) {
      const isInList = (/^[ \t]/.test(text) || ITEM.test(text)) && block.some((line) => ITEM.test(line));
      if (isInList) block.push('');
      else close();
    }
    if (!isBlank) block.push(text);
    afterBlank = isBlank;
  }
  close();
  return blocks;
};

/** Whether a block ends inside an unclosed code fence. */
export const endsInCode = (block: string): boolean => markdownLines(block).unclosed !== null;

/** Syntax colours appear once loaded; code is readable without them. */
const usePaint = createLazyHook(async () => (await import('./code-painter.ts')).paint);

/** UTF-16 units; painting more would block the page, and nobody reads that much code in a chat. */
const LONGEST = 30_000;

/** True for code that is still being written. */
const Growing = createContext(false);

/** A code block of a reply. */
const CodeBlock = ({ code, language }: { code: string; language: string | null }) => {
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

/** Code is painted again once for this many new lines. */
const LINES = 8;

/**
 * The part to paint of code that is still being written. It grows by several lines at a time, so that a long block is
 * not parsed from the start at every word.
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

/** Display names of languages, by their info string at a code fence. */
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
