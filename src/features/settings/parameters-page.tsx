import { defaultParameters } from '../../engine/parameters.ts';
import { useActions, useApp } from '../../ui/app-context.ts';
import { Button } from '../../ui/parts/button.tsx';
import { similarity } from '../../ui/parts/format.ts';
import { PageHead } from '../../ui/parts/paged-dialog.tsx';
import {
  displayValue,
  type FlagField,
  inputValue,
  type NumberField,
  rangeShort,
  SETTING_GROUPS,
} from '../../ui/parts/setting-fields.ts';
import { Heading } from '../../ui/parts/text.tsx';
import styles from './parameters.module.css';
import { type DraftEditor, valueNow } from './settings-draft.ts';

export const ParametersPage = ({ drafting }: { drafting: DraftEditor }) => (
  <>
    <PageHead title="Parameters">The numbers the engine uses. A line on the left marks the ones you changed.</PageHead>
    {SETTING_GROUPS.map(({ title, words, fields }) => (
      <section key={title} className={styles.group}>
        <Heading level={4}>
          {title} <span>{words}</span>
        </Heading>
        {fields.map((field) =>
          field.kind === 'number' ? (
            <NumberRow key={field.name} field={field} drafting={drafting} />
          ) : (
            <FlagRow key={field.name} field={field} drafting={drafting} />
          ),
        )}
      </section>
    ))}
  </>
);

const NumberRow = ({ field, drafting }: { field: NumberField; drafting: DraftEditor }) => {
  const { draft, now, wrong, edit } = drafting;
  const { name, label, words, unit, nothing } = field;
  const text = draft.numbers[name] ?? inputValue(field, valueNow(now, name));
  const shipped = defaultParameters[name];
  const refused = wrong[name];
  const id = `engine-${name}`;
  const set = (next: string) => edit({ numbers: { ...draft.numbers, [name]: next } });
  return (
    <div className={styles.row} data-own={text !== inputValue(field, shipped)}>
      <div className={styles.about}>
        <label htmlFor={id}>{label}</label>
        <p id={`${id}-words`}>{words}</p>
        {name === 'theta' && <OwnTheta id={`${id}-own`} />}
      </div>
      <div>
        <span className={styles.input}>
          <input
            id={id}
            inputMode="decimal"
            autoComplete="off"
            spellCheck={false}
            value={text}
            placeholder={nothing ?? ''}
            aria-invalid={refused !== undefined}
            aria-describedby={`${id}-range ${id}-words${name === 'theta' ? ` ${id}-own` : ''}`}
            onChange={({ target }) => set(target.value)}
          />
          <span>{unit}</span>
        </span>
        <p id={`${id}-range`} className={refused === undefined ? styles.range : styles.wrong}>
          {refused ?? rangeShort(field)}
        </p>
        <Reset
          label={label}
          words={displayValue(field, shipped)}
          there={text !== inputValue(field, shipped)}
          onReset={() => set(inputValue(field, shipped))}
        />
      </div>
    </div>
  );
};

/** The θ that applies unless the user sets one. */
const OwnTheta = ({ id }: { id: string }) => {
  const { embedderNow } = useActions();
  useApp((state) => state.models.embed);
  const { name, theta } = embedderNow();
  return (
    <p id={id} className={styles.own}>
      {name} has its own: <b>{similarity(theta)}</b>
    </p>
  );
};

const FlagRow = ({ field, drafting }: { field: FlagField; drafting: DraftEditor }) => {
  const { draft, now, edit } = drafting;
  const { name, label, words } = field;
  const on = draft.flags[name] ?? valueNow(now, name);
  const shipped = defaultParameters[name];
  const set = (next: boolean) => edit({ flags: { ...draft.flags, [name]: next } });
  return (
    <div className={styles.row} data-own={on !== shipped}>
      <div className={styles.about}>
        <label htmlFor={`engine-${name}`}>{label}</label>
        <p id={`engine-${name}-words`}>{words}</p>
      </div>
      <div>
        <span className={styles.flag}>
          <input
            id={`engine-${name}`}
            type="checkbox"
            checked={on}
            aria-describedby={`engine-${name}-words`}
            onChange={({ target }) => set(target.checked)}
          />
          {on ? 'yes' : 'no'}
        </span>
        <Reset label={label} words={shipped ? 'yes' : 'no'} there={on !== shipped} onReset={() => set(shipped)} />
      </div>
    </div>
  );
};

const Reset = ({
  label,
  words,
  there,
  onReset,
}: {
  label: string;
  words: string;
  there: boolean;
  onReset: () => void;
}) =>
  there ? (
    <Button
      look="quiet"
      size="small"
      className={styles.reset ?? ''}
      aria-label={`Reset to ${words}: ${label}`}
      onClick={onReset}
    >
      Reset to {words}
    </Button>
  ) : null;
