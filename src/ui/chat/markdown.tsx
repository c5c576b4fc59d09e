import { memo } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { shownForest } from '../../app/state.ts';
import { useActions, useAppState } from '../app-context.ts';
import { CodeBlock, Growing } from './code-block.tsx';
import styles from './markdown.module.css';

const PLUGINS = [remarkGfm];
const TURN_LINK = /^#turn-(\d+)$/;

/** Links to turns select them; other links leave in a new tab; pictures stay links, so that nothing is fetched unasked. */
const components: Components = {
  a: ({ href, children }) => {
    const number = TURN_LINK.exec(href ?? '')?.[1];
    if (number !== undefined) return <TurnLink number={Number(number)}>{children}</TurnLink>;
    return (
      <a href={href} target="_blank" rel="noreferrer noopener">
        {children}
      </a>
    );
  },
  img: ({ src, alt }) => (
    <a href={typeof src === 'string' ? src : undefined} target="_blank" rel="noreferrer noopener">
      {alt || 'picture'}
    </a>
  ),
  table: ({ children }) => (
    <div className={styles.wide}>
      <table>{children}</table>
    </div>
  ),
  pre: ({ node, children }) => {
    const [code] = node?.children ?? [];
    const [text] = code?.type === 'element' ? code.children : [];
    // Only the code of markdown is put into a `pre`; whatever else should be shows as it is.
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
        const node = Object.values(shownForest(state()).nodes).find((one) => one.number === number);
        if (node !== undefined) select(node.id);
      }}
    >
      {children}
    </a>
  );
};

const Block = memo(({ text, growing }: { text: string; growing: boolean }) => (
  <Growing value={growing}>
    <ReactMarkdown remarkPlugins={PLUGINS} components={components}>
      {text}
    </ReactMarkdown>
  </Growing>
));

/** A reply as rich text; raw HTML in it stays text. While it streams, only its last block is read again. */
export const Markdown = ({ text, streaming }: { text: string; streaming: boolean }) => {
  const blocks = streaming ? blocksOf(text) : [text];
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

/** A line that begins fenced code: its info string holds no backticks, else it is code within a line. */
const OPENS = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/;
const CLOSES = /^ {0,3}(`{3,}|~{3,})\s*$/;

/** The fence that is open after a line, given the one open before it; null outside of fenced code. */
const fenceAfter = (fence: string | null, line: string): string | null => {
  if (fence === null) return OPENS.exec(line)?.[1] ?? null;
  return CLOSES.exec(line)?.[1]?.startsWith(fence) ? null : fence;
};

/**
 * Markdown cut at blank lines outside of fenced code, so that while a reply streams in only its last
 * block is read again. Joined by a blank line the blocks say what the text says.
 */
export const blocksOf = (markdown: string): string[] => {
  const blocks: string[] = [];
  let block: string[] = [];
  let fence: string | null = null;
  const close = () => {
    if (block.length > 0) blocks.push(block.join('\n'));
    block = [];
  };
  for (const line of markdown.split('\n')) {
    const before = fence;
    fence = fenceAfter(fence, line);
    if (before === null && fence === null && line.trim() === '') close();
    else block.push(line);
  }
  close();
  return blocks;
};

/** Whether a block ends within fenced code, whose end is still to come. */
export const endsInCode = (block: string): boolean => block.split('\n').reduce(fenceAfter, null) !== null;
