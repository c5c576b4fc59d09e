import { Check, Download, MapPin, PencilLine, TriangleAlert } from 'lucide-react';
import { useDeferredValue, useMemo, useState } from 'react';
import type { BranchAction, TopicAction } from '../../domain/decision.ts';
import type { Forest, NodeId } from '../../domain/forest.ts';
import { useApp, useAppState } from '../../ui/app-context.ts';
import { Button } from '../../ui/parts/button.tsx';
import { download, type ExportedFile } from '../../ui/parts/download.ts';
import { SearchField } from '../../ui/parts/fields.tsx';
import { count, counted, duration, ratio } from '../../ui/parts/format.ts';
import { PHONE, useMedia } from '../../ui/parts/hooks.ts';
import { TopicDot } from '../../ui/parts/text.tsx';
import {
  type DecisionFilter,
  type DecisionRow,
  everyDecision,
  filtered,
  type SortKey,
  type SortOrder,
  sorted,
  sureFromNow,
} from './analysis.ts';
import { tableFile, tracesFile } from './analysis-export.ts';
import styles from './decisions-view.module.css';
import { type Column, VirtualTable } from './virtual-table.tsx';

/** Columns that sort descending when first chosen, as rows worth a look come first. */
const DOWN_FIRST: readonly SortKey[] = ['word', 'fallbacks', 'version', 'tokens', 'ms'];
/** The columns that fit on a phone, in order: confidence is visible without scrolling. */
const ON_PHONE: readonly SortKey[] = ['number', 'message', 'confidence', 'topic', 'branch', 'word', 'tokens'];

interface Props {
  readonly rows: readonly DecisionRow[];
  readonly forest: Forest;
  readonly onOpen: (nodeId: NodeId) => void;
}

/** All decisions as a table, least certain first. */
export const DecisionsView = ({ rows, forest, onOpen }: Props) => {
  const state = useAppState();
  const phone = useMedia(PHONE);
  const [filter, setFilter] = useState(everyDecision);
  const [sorting, setSorting] = useState<SortOrder>({ by: 'confidence', down: false });
  const lagging = useDeferredValue(filter);
  const shown = useMemo(() => sorted(filtered(rows, lagging), sorting), [rows, lagging, sorting]);
  const columns = useMemo(() => {
    const all = decisionColumns(forest);
    return phone ? ON_PHONE.flatMap((wanted) => all.filter(({ key }) => key === wanted)) : all;
  }, [forest, phone]);

  const sort = (by: SortKey) =>
    setSorting(sorting.by === by ? { by, down: !sorting.down } : { by, down: DOWN_FIRST.includes(by) });
  const save = (
    make: (of: readonly DecisionRow[], from: { conversationId: string; forest: Forest }) => ExportedFile,
  ) => {
    const { name, text } = make(shown, { conversationId: state().conversationId, forest });
    download(name, text);
  };
  return (
    <>
      <FilterBar filter={filter} onFilter={setFilter} />
      {shown.length === 0 ? (
        <p className={styles.empty}>No decisions match. Show all, or loosen the filters.</p>
      ) : (
        <VirtualTable
          label="Decisions"
          columns={columns}
          rows={shown}
          keyOf={({ nodeId }) => nodeId}
          minWidth={phone ? 740 : 1120}
          sorting={{ ...sorting, onSort: sort }}
          onOpen={({ nodeId }) => onOpen(nodeId)}
        />
      )}
      <div className={styles.foot}>
        <p role="status">
          {shown.length === rows.length
            ? counted(rows.length, 'decision')
            : `${count(shown.length)} of ${counted(rows.length, 'decision')}`}
          <span className={styles.how}> · Press Enter or click to go to a turn</span>
        </p>
        <Button disabled={shown.length === 0} onClick={() => save(tableFile)}>
          <Download size={14} aria-hidden />
          Table as CSV
        </Button>
        <Button look="primary" disabled={shown.length === 0} onClick={() => save(tracesFile)}>
          <Download size={14} aria-hidden />
          Traces as JSONL
        </Button>
      </div>
    </>
  );
};

type DecisionColumn = Column<DecisionRow, SortKey>;

const NOTHING = <span className={styles.nothing}>–</span>;

/** The columns of the decision table. */
const decisionColumns = (forest: Forest): readonly DecisionColumn[] => [
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
    hint: 'The rule that settled it',
    width: '116px',
    cell: ({ rule }) => <span className={styles.quiet}>{ruleWords(rule)}</span>,
  },
  {
    key: 'confidence',
    title: 'Confidence',
    hint: 'Probability of the decider’s least certain answer',
    width: '104px',
    cell: ({ confidence }) => (confidence === null ? NOTHING : <Confidence value={confidence} />),
  },
  {
    key: 'margin',
    title: 'Margin',
    hint: 'How much more likely that answer was than the next',
    width: '60px',
    align: 'end',
    cell: ({ margin }) => (margin === null ? NOTHING : ratio(margin)),
  },
  {
    key: 'word',
    title: 'You said',
    hint: 'What you said about the decision',
    width: '92px',
    cell: ({ word }) => (word === null ? NOTHING : <Word word={word} />),
  },
  {
    key: 'fallbacks',
    title: 'Fallback',
    hint: 'How often something else was used instead of a model',
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
    cell: (row) => <span className={styles.quiet}>{versionWords(row)}</span>,
  },
  {
    key: 'tokens',
    title: 'Tokens',
    hint: 'Of the turn’s context',
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

/** Continuing is the usual case; anything else stands out. */
const Action = ({ of }: { of: string }) => (
  <span className={styles.action} data-usual={of === 'continue' || of === '–'}>
    {of}
  </span>
);

const Confidence = ({ value }: { value: number }) => {
  const sureFrom = useApp(sureFromNow);
  return (
    <span className={styles.confidence} data-unsure={value < sureFrom}>
      {ratio(value)}
      <span aria-hidden className={styles.track}>
        <span style={{ width: `${100 * value}%` }} />
      </span>
    </span>
  );
};

const Word = ({ word }: { word: NonNullable<DecisionRow['word']> }) => (
  <span className={styles.mark} data-kind={word}>
    {word === 'corrected' && <PencilLine size={12} aria-hidden />}
    {word === 'confirmed' && <Check size={12} aria-hidden />}
    {word === 'chosen' && <MapPin size={12} aria-hidden />}
    {word}
  </span>
);

/** Labels for `create-topic` and the like, under a heading that names the object. */
const actionWords = (action: TopicAction | BranchAction | null): string =>
  action === null ? '–' : action.replace(/-(topic|branch)$/, '');

/** Labels for the rule that settled a decision, in a word or two. */
const RULES: Readonly<Record<NonNullable<DecisionRow['rule']>, string>> = {
  'first-turn': 'first turn',
  'new-topic': 'new topic',
  'no-retrieval': 'nothing retrieved',
  'below-threshold': 'below θ',
  'on-tip': 'nearest is the tip',
  'direct-parent': 'direct parent',
  'nothing-revised': 'nothing revised',
  asked: 'asked',
  'asked-ungated': 'asked, ungated',
  'asked-on-revision': 'asked on revision',
  'not-above-threshold': 'not above θ',
  'parent-excluded': 'parent excluded',
  'asked-top-candidate': 'asked, top candidate',
  person: 'you chose',
};

const ruleWords = (rule: DecisionRow['rule']): string => (rule === null ? 'no trace' : RULES[rule]);

const versionWords = ({ version, isChanged }: Pick<DecisionRow, 'version' | 'isChanged'>): string => {
  if (version === null) return '–';
  return version > 0 ? String(version) : isChanged ? 'changed' : 'default';
};

const ACTIONS = [
  'create-topic',
  'switch-topic',
  'continue-topic',
  'create-branch',
  'switch-branch',
  'continue-branch',
] as const;

const BELOW = [0.5, 0.6, 0.7, 0.8, 0.9, 0.95] as const;

const FilterBar = ({ filter, onFilter }: { filter: DecisionFilter; onFilter: (filter: DecisionFilter) => void }) => {
  const set = (change: Partial<DecisionFilter>) => onFilter({ ...filter, ...change });
  const all = JSON.stringify(filter) === JSON.stringify(everyDecision);
  return (
    <div role="search" aria-label="Decisions" className={styles.filters}>
      <div className={styles.text}>
        <SearchField label="Words of the message" value={filter.text} onChange={(text) => set({ text })} />
      </div>
      <Choice
        label="Action"
        value={filter.action}
        options={ACTIONS.map((action) => [action, action])}
        onChoose={(action) => set({ action })}
      />
      <Choice
        label="You said"
        value={filter.word}
        options={[
          ['corrected', 'corrected'],
          ['confirmed', 'confirmed'],
          ['chosen', 'chosen beforehand'],
          ['none', 'nothing'],
        ]}
        onChoose={(word) => set({ word })}
      />
      <Choice
        label="Placed by"
        value={filter.by}
        options={[
          ['engine', 'the engine'],
          ['person', 'you'],
          ['import', 'an import'],
        ]}
        onChoose={(by) => set({ by })}
      />
      <Choice
        label="Confidence"
        value={filter.below === null ? null : String(filter.below)}
        options={BELOW.map((value) => [String(value), `below ${value}`])}
        onChoose={(below) => set({ below: below === null ? null : Number(below) })}
      />
      <label className={styles.check}>
        <input type="checkbox" checked={filter.fallback} onChange={({ target }) => set({ fallback: target.checked })} />
        With a fallback
      </label>
      {!all && (
        <Button look="quiet" size="small" onClick={() => onFilter(everyDecision)}>
          Show all
        </Button>
      )}
    </div>
  );
};

const Choice = <V extends string>({
  label,
  value,
  options,
  onChoose,
}: {
  label: string;
  value: V | null;
  options: readonly (readonly [V, string])[];
  onChoose: (value: V | null) => void;
}) => (
  <label className={styles.choice} data-set={value !== null}>
    <span>{label}</span>
    <select
      value={value ?? ''}
      onChange={({ target }) => onChoose(options.find(([one]) => one === target.value)?.[0] ?? null)}
    >
      <option value="">any</option>
      {options.map(([one, words]) => (
        <option key={one} value={one}>
          {words}
        </option>
      ))}
    </select>
  </label>
);
