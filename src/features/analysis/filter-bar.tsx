import { Button } from '../../ui/parts/button.tsx';
import { SearchField } from '../../ui/parts/fields.tsx';
import { type DecisionFilter, everyDecision } from './analysis.ts';
import styles from './decisions.module.css';

const ACTIONS = [
  'create-topic',
  'switch-topic',
  'continue-topic',
  'create-branch',
  'switch-branch',
  'continue-branch',
] as const;

const BELOW = [0.5, 0.6, 0.7, 0.8, 0.9, 0.95] as const;

export const FilterBar = ({
  filter,
  onFilter,
}: {
  filter: DecisionFilter;
  onFilter: (filter: DecisionFilter) => void;
}) => {
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
