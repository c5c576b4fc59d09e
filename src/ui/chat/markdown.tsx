import { memo } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { shownForest } from '../../app/state.ts';
import { useActions, useAppState } from '../app-context.ts';
import { blocksOf, endsInCode } from './blocks.ts';
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
