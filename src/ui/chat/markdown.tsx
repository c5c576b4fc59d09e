import { memo } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { shownForest } from '../../app/state.ts';
import { useActions, useAppState } from '../app-context.ts';
import { blocksOf } from './blocks.ts';
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
  pre: ({ children }) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: long lines scroll inside it, by keyboard too
    <pre tabIndex={0}>{children}</pre>
  ),
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

const Block = memo(({ text }: { text: string }) => (
  <ReactMarkdown remarkPlugins={PLUGINS} components={components}>
    {text}
  </ReactMarkdown>
));

/** A reply as rich text; raw HTML in it stays text. While it streams, only its last block is read again. */
export const Markdown = ({ text, streaming }: { text: string; streaming: boolean }) => (
  <div className={styles.markdown}>
    {streaming ? (
      // Blocks only ever grow at the end: their place is their identity.
      // biome-ignore lint/suspicious/noArrayIndexKey: see above
      blocksOf(text).map((block, index) => <Block key={index} text={block} />)
    ) : (
      <Block text={text} />
    )}
  </div>
);
