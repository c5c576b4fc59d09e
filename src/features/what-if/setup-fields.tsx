import { ChevronRight } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import { useStore } from 'zustand';
import type { Parameters } from '../../engine/parameters.ts';
import type { Prompts } from '../../engine/settings.ts';
import { useActions } from '../../ui/app-context.ts';
import { Button } from '../../ui/parts/button.tsx';
import { similarity } from '../../ui/parts/format.ts';
import { FIELDS, type FlagField, type NumberField, readNumber, typed } from '../../ui/parts/setting-fields.ts';
import styles from './setup.module.css';
import type { WhatIfRun } from './what-if-run.ts';

/** Those that decide where a turn goes stand open; the others unfold. */
const FOREMOST: readonly (keyof Parameters)[] = ['theta', 'k', 'sureFrom'];

/** Parameters: what is left empty is not otherwise. */
export const ParameterFields = ({ run }: { run: WhatIfRun }) => {
  const rest = FIELDS.filter(({ name }) => !FOREMOST.includes(name));
  const set = useStore(run.store, ({ question }) => rest.filter(({ name }) => name in question.parameters).length);
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
  const parameters = useStore(run.store, ({ question }) => question.parameters);
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
  const parameters = useStore(run.store, ({ question }) => question.parameters);
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

type Asked = 'topic' | 'branch';
const LABELS: Readonly<Record<Asked, string>> = { topic: 'Topic question', branch: 'Branch question' };

/** What a language model that decides is told. Nothing is summarised anew, so the other prompts say nothing here. */
export const PromptFields = ({ run }: { run: WhatIfRun }) => {
  const { shippedPrompts } = useActions();
  const prompts = useStore(run.store, ({ question }) => question.prompts);
  const [shipped, setShipped] = useState<Prompts | null>(null);
  const { embedded } = run.choices();
  const decider = useStore(run.store, ({ question }) => question.decider);
  const reads = decider === 'chosen' && !embedded;
  useEffect(() => {
    // Without them the fields begin empty.
    if (reads) shippedPrompts().then(setShipped, () => undefined);
  }, [reads, shippedPrompts]);
  if (!reads) return null;
  return (
    <details className={styles.more}>
      <summary>
        <ChevronRight size={14} aria-hidden />
        Prompts
        {Object.keys(prompts).length > 0 && <i>{Object.keys(prompts).length} set</i>}
      </summary>
      {(['topic', 'branch'] as const).map((name) => (
        <PromptField key={name} run={run} name={name} shipped={shipped?.[name] ?? ''} />
      ))}
    </details>
  );
};

const PromptField = ({ run, name, shipped }: { run: WhatIfRun; name: Asked; shipped: string }) => {
  const id = useId();
  const prompts = useStore(run.store, ({ question }) => question.prompts);
  const own = prompts[name];
  const set = (text: string | null) => {
    const { [name]: _, ...rest } = prompts;
    run.ask({ prompts: text === null || text.trim() === '' ? rest : { ...rest, [name]: text } });
  };
  if (own === undefined) {
    return (
      <div className={styles.prompt}>
        <span>{LABELS[name]}: as it is</span>
        <Button size="small" onClick={() => set(shipped === '' ? 'You decide.' : shipped)}>
          Change the prompt
        </Button>
      </div>
    );
  }
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{LABELS[name]}</label>
      <textarea id={id} rows={6} value={own} onChange={({ target }) => set(target.value)} />
      <Button size="small" look="quiet" onClick={() => set(null)}>
        As it is
      </Button>
    </div>
  );
};

/** Which θ there is, and where it says nothing: a decider that is asked anyway does not wait for the gate. */
const ThetaHint = ({ run }: { run: WhatIfRun }) => {
  const decider = useStore(run.store, ({ question }) => question.decider);
  const embedder = useStore(run.store, ({ question }) => question.embedder);
  const { ungated, theta, embeddedEmbedder, embedded } = run.choices();
  const own = embedder === 'embedded' && embeddedEmbedder !== null ? embeddedEmbedder.theta : theta;
  const waits = decider === 'paper-rule' || (decider === 'chosen' && !ungated);
  if (waits) return <small className={styles.hint}>The embedder’s own θ is {similarity(own)}.</small>;
  if (decider === 'one-threshold') {
    return <small className={styles.hint}>This decider never forks, so θ and k change nothing.</small>;
  }
  return (
    <small className={styles.hint}>
      {embedded || decider !== 'chosen' ? 'The embedded decider' : 'This decider'} is asked whatever the similarity, so
      θ changes nothing. It is the gate of the paper’s rule and of language models.
      <Button size="small" onClick={() => run.ask({ decider: 'paper-rule' })}>
        Use the paper’s rule
      </Button>
    </small>
  );
};
