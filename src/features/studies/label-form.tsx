import { useId, useState } from 'react';
import { Checkbox, Select } from '../../ui/parts/fields.tsx';
import styles from './label-form.module.css';
import { PLACEMENT_WORDS, parentWords } from './label-words.ts';
import {
  areCompatible,
  messageWithSpeaker,
  type Parent,
  type PartialLabel,
  placements,
  type StudyLabel,
  type StudyPlacement,
  type StudyTurn,
  withParent,
  withPlacement,
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
  // Until it is whole, a label is known to this form alone.
  const [draft, setDraft] = useState<PartialLabel | null>(null);
  if (value !== null && draft !== null) setDraft(null);
  const label = value ?? draft ?? EMPTY;
  const { parent: chosen, placement: action } = label;
  const change = (made: PartialLabel) => {
    const { parent, placement } = made;
    const isWhole = parent !== null && placement !== null;
    setDraft(isWhole ? null : made);
    if (isWhole) onChange({ ...made, parent, placement });
  };
  const set = (changed: Partial<PartialLabel>) => change({ ...label, ...changed });
  return (
    <div className={styles.form}>
      <label htmlFor={`${id} parent`}>Continues</label>
      <Select
        id={`${id} parent`}
        value={chosen === null ? '' : String(chosen)}
        onChange={({ target }) => change(withParent(label, parentOf(target.value)))}
      >
        {chosen === null && (
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
        value={action ?? ''}
        onChange={({ target }) => change(withPlacement(label, target.value as StudyPlacement))}
      >
        {action === null && (
          <option value="" disabled>
            Choose…
          </option>
        )}
        {placements.map((placement) => (
          <option
            key={placement}
            value={placement}
            disabled={chosen === 'new-topic' && !areCompatible(chosen, placement)}
          >
            {PLACEMENT_WORDS[placement]}
          </option>
        ))}
      </Select>
      {chosen !== null && chosen !== 'new-topic' && turn > 1 && (
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
                .filter(({ at }) => at !== chosen && !label.furtherParents.includes(at))
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

const EMPTY: PartialLabel = {
  placement: null,
  parent: null,
  furtherParents: [],
  tags: [],
  unsure: false,
};

const parentOf = (value: string): Parent => (value === 'new-topic' || value === 'elsewhere' ? value : Number(value));
