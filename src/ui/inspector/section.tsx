import { Check, Copy } from 'lucide-react';
import { type CSSProperties, type ReactNode, useState } from 'react';
import type { Reason } from '../../domain/decision.ts';
import type { Forest, Node, NodeId, TreeId } from '../../domain/forest.ts';
import { useActions } from '../app-context.ts';
import { Button, useCopy } from '../parts/button.tsx';
import { count, firstCharacters, isolated, weight } from '../parts/format.ts';
import { Ellipsis, Heading } from '../parts/text.tsx';
import { topicColour } from '../topic-colour.ts';
import barCss from './bars.module.css';
import { FORMER_TOPIC } from './decision-words.ts';
import inlineCss from './inline.module.css';
import frameCss from './inspector.module.css';
import styles from './section.module.css';

interface Props {
  readonly title: string;
  /** The step of the algorithm, if it is one. */
  readonly step?: number;
  /** A few words to the right of the heading. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

export const Section = ({ title, step, aside, children }: Props) => (
  <section className={styles.section}>
    <div className={styles.heading}>
      <Heading size="small">
        {step !== undefined && <span className={styles.step}>{step}</span>}
        {title}
      </Heading>
      {aside !== undefined && <span className={styles.aside}>{aside}</span>}
    </div>
    {children}
  </section>
);

interface LimitedProps<T> {
  readonly items: readonly T[];
  /** How many are shown before "show all". */
  readonly first: number;
  /** What it lists, if no heading says so. */
  readonly label?: string;
  /** The owner of the list: the list collapses again when it changes. */
  readonly of: string;
  readonly children: (item: T, index: number) => ReactNode;
}

/** A list that starts collapsed. */
export const CollapsedList = <T,>({ items, first, label, of, children }: LimitedProps<T>) => {
  const [allOf, setAllOf] = useState<string | null>(null);
  const all = allOf === of;
  const more = items.length - first;
  return (
    <>
      <ul className={styles.list} aria-label={label}>
        {(all ? items : items.slice(0, first)).map(children)}
      </ul>
      {more > 0 && !all && (
        <Button look="quiet" size="small" className={styles.more ?? ''} onClick={() => setAllOf(of)}>
          Show {count(more)} more
        </Button>
      )}
    </>
  );
};

/** Copies text to the clipboard; `text` is only computed on demand. */
export const CopyButton = ({ label, text }: { label: string; text: () => string }) => {
  const { copied, copy } = useCopy();
  const Icon = copied ? Check : Copy;
  return (
    // Screen readers hear of it as a notice: another name under the focus would say it twice.
    <Button look="quiet" size="small" aria-label={label} onClick={() => void copy(text())}>
      <Icon size={13} aria-hidden />
      {copied ? 'Copied' : label}
    </Button>
  );
};

interface ReasonsProps {
  readonly reasons: readonly Reason[];
  /** What the reasons are for, and against what. */
  readonly head?: string | null;
  /** Their sum, where known: the log-odds of the answer over the other. */
  readonly sum?: number | null;
}

/** What counted for and against an answer, each with its weight in log-odds. */
export const Reasons = ({ reasons, head = null, sum = null }: ReasonsProps) =>
  reasons.length > 0 && (
    <>
      {head !== null && <p className={styles.subheading}>{head}</p>}
      <ul className={barCss.reasons} aria-label={head ?? 'Reasons'}>
        {reasons.map((reason, at) => (
          // Two features may say the same in words.
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes its order
          <li key={at}>
            <span>{withTitlesApart(reason.text)}</span>
            <span className={inlineCss.figure}>{weight(reason.weight)}</span>
          </li>
        ))}
        {sum !== null && (
          <li data-sum title="Log-odds: each 0.7 doubles the odds">
            <span>in all, {oddsWords(sum)}</span>
            <span className={inlineCss.figure}>{weight(sum)}</span>
          </li>
        )}
      </ul>
    </>
  );

/** Reasons come from the decider as sentences, with the titles of topics in quotation marks. */
const withTitlesApart = (text: string): string =>
  text.replace(/“([^”]*)”/g, (_, title: string) => `“${isolated(title)}”`);

/** Formats log-odds as `6 to 1`. */
const oddsWords = (logOdds: number): string => {
  const odds = Math.exp(Math.abs(logOdds));
  const words = odds < 9.95 ? odds.toFixed(1).replace(/\.0$/, '') : odds < 1000 ? odds.toFixed(0) : 'over 1,000';
  return logOdds < 0 ? `1 to ${words}` : `${words} to 1`;
};

/** `turn 6` as a link; plain words if the turn is gone. */
export const TurnLink = ({ forest, nodeId }: { forest: Forest; nodeId: NodeId }) => {
  const { select } = useActions();
  const node = forest.nodes[nodeId];
  if (node === undefined) return <span className={inlineCss.gone}>a deleted turn</span>;
  return (
    <button
      type="button"
      className={inlineCss.link}
      title={firstCharacters(node.message, 200)}
      onClick={() => select(nodeId)}
    >
      turn {node.number}
    </button>
  );
};

interface TopicChipProps {
  readonly forest: Forest;
  readonly treeId: TreeId;
  /** Shown for a topic that is no more. */
  readonly titleThen?: string;
}

export const TopicChip = ({ forest, treeId, titleThen = FORMER_TOPIC }: TopicChipProps) => {
  const tree = forest.trees[treeId];
  const style = { '--c': tree === undefined ? 'var(--ink-3)' : topicColour(tree.order) } as CSSProperties;
  return (
    <span className={inlineCss.chip} style={style} dir="auto">
      {tree?.title ?? titleThen}
    </span>
  );
};

/** The inspected turn: its number and how it begins. */
export const Subject = ({ forest, node }: { forest: Forest; node: Node }) => (
  <p className={frameCss.subject} style={{ borderColor: topicColour(forest.trees[node.treeId]?.order ?? 0) }}>
    <span className={frameCss.subjectNumber}>{node.number}</span>
    <Ellipsis fit>{firstCharacters(node.message, 200)}</Ellipsis>
  </p>
);
