import { Check, MapPin, PencilLine, TriangleAlert } from 'lucide-react';
import type { Forest } from '../../domain/forest.ts';
import { defaultParameters } from '../../engine/parameters.ts';
import { count, duration, ratio } from '../../ui/parts/format.ts';
import { TopicDot } from '../../ui/parts/text.tsx';
import type { DecisionRow, SortKey } from './analysis.ts';
import { actionWords, ruleWords, versionWords } from './decision-cells.ts';
import styles from './decisions.module.css';
import type { Column } from './virtual-table.tsx';

type DecisionColumn = Column<DecisionRow, SortKey>;

const NOTHING = <span className={styles.nothing}>–</span>;

/** The columns of the table of decisions. */
export const decisionColumns = (forest: Forest): readonly DecisionColumn[] => [
  { key: 'number', title: 'Turn', width: '48px', align: 'end', cell: ({ number }) => number },
  {
    key: 'message',
    title: 'Message',
    width: 'minmax(160px, 1fr)',
    cell: ({ nodeId, message }) => (
      <span className={styles.message}>
        <TopicDot order={forest.trees[forest.nodes[nodeId]?.treeId ?? '']?.order ?? 0} />
        <span>{message}</span>
      </span>
    ),
  },
  { key: 'topic', title: 'Topic', width: '72px', cell: ({ topic }) => <Action of={actionWords(topic)} /> },
  { key: 'branch', title: 'Branch', width: '72px', cell: ({ branch }) => <Action of={actionWords(branch)} /> },
  {
    key: 'rule',
    title: 'Rule',
    hint: 'Which rule settled it',
    width: '116px',
    cell: ({ rule }) => <span className={styles.quiet}>{ruleWords(rule)}</span>,
  },
  {
    key: 'confidence',
    title: 'Confidence',
    hint: 'Probability of the least sure of the decider’s answers',
    width: '104px',
    cell: ({ confidence }) => (confidence === null ? NOTHING : <Confidence value={confidence} />),
  },
  {
    key: 'margin',
    title: 'Margin',
    hint: 'By how much that answer was likelier than the next',
    width: '60px',
    align: 'end',
    cell: ({ margin }) => (margin === null ? NOTHING : ratio(margin)),
  },
  {
    key: 'word',
    title: 'You said',
    hint: 'What you said of the decision',
    width: '92px',
    cell: ({ word }) => (word === null ? NOTHING : <Word word={word} />),
  },
  {
    key: 'fallbacks',
    title: 'Fallback',
    hint: 'How often something stood in for a model',
    width: '68px',
    cell: ({ fallbacks }) =>
      fallbacks === 0 ? (
        NOTHING
      ) : (
        <span className={styles.mark} data-kind="fallback">
          <TriangleAlert size={12} aria-hidden />
          {fallbacks}
        </span>
      ),
  },
  {
    key: 'version',
    title: 'Settings',
    hint: 'Version of the engine’s settings',
    width: '64px',
    cell: ({ version }) => <span className={styles.quiet}>{versionWords(version)}</span>,
  },
  {
    key: 'tokens',
    title: 'Tokens',
    hint: 'Of the context that was sent',
    width: '60px',
    align: 'end',
    cell: ({ tokens }) => (tokens === null ? NOTHING : count(tokens)),
  },
  {
    key: 'ms',
    title: 'Time',
    hint: 'To decide',
    width: '60px',
    align: 'end',
    cell: ({ ms }) => (ms === null ? NOTHING : duration(ms)),
  },
];

/** Going on is the usual: what is not stands out. */
const Action = ({ of }: { of: string }) => (
  <span className={styles.action} data-usual={of === 'continue' || of === '–'}>
    {of}
  </span>
);

const Confidence = ({ value }: { value: number }) => (
  <span className={styles.confidence} data-unsure={value < defaultParameters.sureFrom}>
    {ratio(value)}
    <span aria-hidden className={styles.track}>
      <span style={{ width: `${100 * value}%` }} />
    </span>
  </span>
);

const Word = ({ word }: { word: NonNullable<DecisionRow['word']> }) => (
  <span className={styles.mark} data-kind={word}>
    {word === 'corrected' && <PencilLine size={12} aria-hidden />}
    {word === 'confirmed' && <Check size={12} aria-hidden />}
    {word === 'chosen' && <MapPin size={12} aria-hidden />}
    {word}
  </span>
);
