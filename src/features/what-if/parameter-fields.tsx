import { ChevronRight } from 'lucide-react';
import { useId, useState } from 'react';
import type { Parameters } from '../../engine/parameters.ts';
import { FIELDS, type FlagField, type NumberField, readNumber, typed } from '../../ui/parts/setting-fields.ts';
import styles from './setup.module.css';
import { ThetaHint } from './theta-hint.tsx';
import { useWhatIf } from './use-what-if.ts';
import type { WhatIfRun } from './what-if-run.ts';

/** Those that decide where a turn goes stand open; the others unfold. */
const FOREMOST: readonly (keyof Parameters)[] = ['theta', 'k', 'sureFrom'];

/** Parameters: what is left empty is not otherwise. */
export const ParameterFields = ({ run }: { run: WhatIfRun }) => {
  const rest = FIELDS.filter(({ name }) => !FOREMOST.includes(name));
  const set = useWhatIf(run, ({ question }) => rest.filter(({ name }) => name in question.parameters).length);
  return (
    <>
      <div className={styles.numbers}>
        {FIELDS.map((field) =>
          field.kind === 'number' && FOREMOST.includes(field.name) ? (
            <NumberInput key={field.name} run={run} field={field} />
          ) : null,
        )}
      </div>
      <ThetaHint run={run} />
      <details className={styles.more}>
        <summary>
          <ChevronRight size={14} aria-hidden />
          Other parameters
          {set > 0 && <i>{set} set</i>}
        </summary>
        <div className={styles.numbers}>
          {rest.map((field) =>
            field.kind === 'number' ? (
              <NumberInput key={field.name} run={run} field={field} />
            ) : (
              <FlagInput key={field.name} run={run} field={field} />
            ),
          )}
        </div>
      </details>
    </>
  );
};

const without = (parameters: Partial<Parameters>, name: keyof Parameters): Partial<Parameters> =>
  Object.fromEntries(Object.entries(parameters).filter(([key]) => key !== name));

const NumberInput = ({ run, field }: { run: WhatIfRun; field: NumberField }) => {
  const id = useId();
  const { name, label, unit } = field;
  const parameters = useWhatIf(run, ({ question }) => question.parameters);
  const value = parameters[name];
  const known = value === undefined ? '' : typed(field, value);
  /** What is typed and cannot be, as long as it stands there. */
  const [draft, setDraft] = useState<{ readonly text: string; readonly of: string } | null>(null);
  const text = draft !== null && draft.of === known ? draft.text : known;
  const read = text.trim() === '' ? null : readNumber(field, text);
  const change = (next: string) => {
    const now = next.trim() === '' ? null : readNumber(field, next);
    const asked = now === null ? without(parameters, name) : now.ok ? { ...parameters, [name]: now.value } : parameters;
    const after = asked[name];
    setDraft({ text: next, of: after === undefined ? '' : typed(field, after) });
    if (asked !== parameters) run.ask({ parameters: asked });
  };
  return (
    <div className={styles.number} data-own={value !== undefined}>
      <label htmlFor={id}>{label}</label>
      <span className={styles.input}>
        <input
          id={id}
          inputMode="decimal"
          autoComplete="off"
          value={text}
          placeholder="as it is"
          aria-invalid={read?.ok === false}
          aria-describedby={read?.ok === false ? `${id}-wrong` : undefined}
          onChange={({ target }) => change(target.value)}
        />
        <span>{unit}</span>
      </span>
      {read?.ok === false && (
        <small id={`${id}-wrong`} className={styles.wrong}>
          {read.words}
        </small>
      )}
    </div>
  );
};

const FlagInput = ({ run, field: { name, label } }: { run: WhatIfRun; field: FlagField }) => {
  const id = useId();
  const parameters = useWhatIf(run, ({ question }) => question.parameters);
  const value = parameters[name];
  return (
    <div className={styles.number} data-own={value !== undefined}>
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        value={value === undefined ? '' : String(value)}
        onChange={({ target }) => {
          const rest = without(parameters, name);
          run.ask({ parameters: target.value === '' ? rest : { ...rest, [name]: target.value === 'true' } });
        }}
      >
        <option value="">as it is</option>
        <option value="true">yes</option>
        <option value="false">no</option>
      </select>
    </div>
  );
};
