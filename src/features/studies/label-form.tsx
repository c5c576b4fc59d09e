import { useId } from 'react';
import { Checkbox, Select } from '../../ui/parts/fields.tsx';
import styles from './label-form.module.css';
import { PLACEMENT_WORDS, parentWords } from './label-words.ts';
import {
  messageWithSpeaker,
  type Parent,
  placements,
  type StudyLabel,
  type StudyPlacement,
  type StudyTurn,
} from './study.ts';

/** A form for any label that a turn can have. */
export const LabelForm = ({
  turns,
  turn,
  tags,
  value,
  onChange,
}: {
  turns: readonly StudyTurn[];
  turn: number;
  /** The study's tags. */
  tags: readonly string[];
  value: StudyLabel | null;
  onChange: (label: StudyLabel) => void;
}) => {
  const id = useId();
  const earlier = turns.slice(0, turn).map((said, at) => ({ at, user: messageWithSpeaker(said) }));
  const label = value ?? EMPTY;
  const set = (change: Partial<StudyLabel>) => onChange({ ...label, ...change });
  const chooseParent = (parent: Parent) => {
    const opens = parent === 'new-topic';
    const placement = opens ? 'create-topic' : label.placement === 'create-topic' ? 'continue-branch' : label.placement;
    set({ parent, placement, furtherParents: opens ? [] : label.furtherParents.filter((one) => one !== parent) });
  };
  const choosePlacement = (placement: StudyPlacement) =>
    set({ placement, ...(placement === 'create-topic' ? { parent: 'new-topic' as const, furtherParents: [] } : {}) });
  return (
    <div className={styles.form}>
      <label htmlFor={`${id} parent`}>Continues</label>
      <Select
        id={`${id} parent`}
        value={value === null ? '' : String(label.parent)}
        onChange={({ target }) => chooseParent(parentOf(target.value))}
      >
        {value === null && (
          <option value="" disabled>
            Choose…
          </option>
        )}
        {earlier.map(({ at, user }) => (
          <option key={at} value={at}>
            {at + 1}: {user}
          </option>
        ))}
        <option value="new-topic">{parentWords('new-topic')}</option>
        <option value="elsewhere">{parentWords('elsewhere')}</option>
      </Select>
      <label htmlFor={`${id} action`}>Action</label>
      <Select
        id={`${id} action`}
        value={value === null ? '' : label.placement}
        onChange={({ target }) => choosePlacement(target.value as StudyPlacement)}
      >
        {value === null && (
          <option value="" disabled>
            Choose…
          </option>
        )}
        {placements.map((placement) => (
          <option key={placement} value={placement}>
            {PLACEMENT_WORDS[placement]}
          </option>
        ))}
      </Select>
      {label.parent !== 'new-topic' && turn > 1 && (
        <>
          <label htmlFor={`${id} further`}>Also continues</label>
          <span className={styles.further}>
            {label.furtherParents.map((further) => (
              <button
                key={further}
                type="button"
                aria-label={`Remove ${parentWords(further)}`}
                onClick={() => set({ furtherParents: label.furtherParents.filter((one) => one !== further) })}
              >
                {parentWords(further)} ×
              </button>
            ))}
            <Select
              id={`${id} further`}
              value=""
              onChange={({ target }) => set({ furtherParents: [...label.furtherParents, Number(target.value)] })}
            >
              <option value="">no other turn</option>
              {earlier
                .filter(({ at }) => at !== label.parent && !label.furtherParents.includes(at))
                .map(({ at, user }) => (
                  <option key={at} value={at}>
                    {at + 1}: {user}
                  </option>
                ))}
            </Select>
          </span>
        </>
      )}
      {tags.length > 0 && (
        <fieldset className={styles.tags}>
          <legend>Tags</legend>
          {tags.map((tag) => (
            <Checkbox
              key={tag}
              on={label.tags.includes(tag)}
              onChange={(on) => set({ tags: on ? [...label.tags, tag] : label.tags.filter((one) => one !== tag) })}
            >
              {tag}
            </Checkbox>
          ))}
        </fieldset>
      )}
    </div>
  );
};

const EMPTY: StudyLabel = {
  placement: 'continue-branch',
  parent: 'elsewhere',
  furtherParents: [],
  tags: [],
  unsure: false,
};

const parentOf = (value: string): Parent => (value === 'new-topic' || value === 'elsewhere' ? value : Number(value));
