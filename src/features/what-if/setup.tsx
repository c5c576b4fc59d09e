import { ChevronRight } from 'lucide-react';
import { type ReactNode, useEffect, useId, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { ALL_POLICIES } from '../../engine/context/policies/policies.ts';
import { AS_IT_WAS, type WhatIf, type WhatIfDecider } from '../../engine/history/what-if.ts';
import type { Parameters } from '../../engine/parameters.ts';
import type { Prompts } from '../../engine/settings.ts';
import { useActions } from '../../ui/app-context.ts';
import { Button } from '../../ui/parts/button.tsx';
import { Segmented } from '../../ui/parts/fields.tsx';
import { shortened, similarity } from '../../ui/parts/format.ts';
import { FIELDS, type FlagField, inputValue, type NumberField, readNumber } from '../../ui/parts/setting-fields.ts';
import styles from './setup.module.css';
import { SweepSetup } from './sweep-view.tsx';
import type { WhatIfRun } from './what-if-run.ts';
import { changedSettingsWords, deciderOptions } from './what-if-words.ts';

/** What to change. `folded`: collapses to one line on narrow screens when there is something to see. */
export const Setup = ({ run, folded }: { run: WhatIfRun; folded: boolean }) => {
  const busy = useStore(run.store, (state) => state.task !== null);
  const question = useStore(run.store, (state) => state.question);
  const form = (
    <div className={styles.form}>
      <fieldset className={styles.fields} disabled={busy}>
        <legend className="visually-hidden">What to change</legend>
        <FromTurn run={run} />
        <DeciderChoice run={run} />
        <EmbedderChoice run={run} />
        <PolicyChoice run={run} />
        <ParameterFields run={run} />
        <PromptFields run={run} />
        <Labelled label="Everything else">
          <Segmented
            label="Everything else"
            value={question.base}
            onChange={(base) => run.ask({ base })}
            options={[
              { value: 'then', label: 'Original settings' },
              { value: 'now', label: 'Current settings' },
            ]}
          />
        </Labelled>
        <Labelled label="Manual edits">
          <Segmented
            label="Manual edits"
            value={question.byHand}
            onChange={(byHand) => run.ask({ byHand })}
            options={[
              { value: 'again', label: 'Reapplied' },
              { value: 'left-out', label: 'Ignored' },
            ]}
          />
        </Labelled>
      </fieldset>
      <div className={styles.run}>
        <Button
          size="small"
          look="quiet"
          idle={busy}
          disabled={changedSettingsWords(question) === changedSettingsWords(AS_IT_WAS) && question.from === null}
          onClick={() => run.ask(AS_IT_WAS)}
        >
          Reset
        </Button>
        {/* Disabled, they would lose the focus, which whoever pressed one has there until its outcome. */}
        <Button look="primary" idle={busy} onClick={() => void run.run()}>
          Re-run
        </Button>
      </div>
      <SweepSetup run={run} busy={busy} />
    </div>
  );
  if (!folded) {
    return (
      <section className={styles.setup} aria-label="What to change">
        {form}
      </section>
    );
  }
  return (
    // Collapses again after a run, to show its outcome.
    <details key={String(busy)} className={styles.setup}>
      <summary>
        <ChevronRight size={14} aria-hidden />
        Changed: {changedSettingsWords(question)}
      </summary>
      {form}
    </details>
  );
};

const Labelled = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className={styles.field}>
    <span aria-hidden>{label}</span>
    {children}
  </div>
);

const WORDS: Readonly<Record<WhatIfDecider, string>> = {
  chosen: 'At each turn, it knows what it had learned from you by then.',
  embedded: 'The embedded decider, knowing at each turn what it had learned from you by then.',
  'embedded-taught': 'The embedded decider, knowing from the start everything it has learned from you so far.',
  'embedded-untaught': 'The embedded decider, without anything it has learned from you.',
  'paper-rule': 'Similarity alone: a threshold for the topic, and a fork wherever the gate θ opens.',
  'one-threshold': 'One similarity threshold for continuing or returning to a topic. It never forks.',
};

/** Chooses the decider. */
const DeciderChoice = ({ run }: { run: WhatIfRun }) => {
  const id = useId();
  const chosen = useStore(run.store, ({ question }) => question.decider);
  const choices = run.choices();
  return (
    <div className={styles.field}>
      <label htmlFor={id}>Decider</label>
      <select
        id={id}
        value={chosen}
        aria-describedby={`${id}-words`}
        onChange={({ target }) => run.ask({ decider: target.value as WhatIfDecider })}
      >
        {deciderOptions(choices, chosen).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <small id={`${id}-words`}>{WORDS[chosen]}</small>
    </div>
  );
};

/** Length of the message excerpt that identifies a turn, in UTF-16 units. */
const EXCERPT = 48;

/** Chooses the first turn to decide again. */
const FromTurn = ({ run }: { run: WhatIfRun }) => {
  const id = useId();
  const entries = useStore(run.store, ({ origin }) => origin.entries);
  const forest = useStore(run.store, ({ origin }) => origin.forest);
  const from = useStore(run.store, ({ question }) => question.from);
  const turns = useMemo(
    () =>
      entries
        .flatMap(({ event }) => (event.type === 'message-sent' ? [event.nodeId] : []))
        .slice(1)
        .flatMap((nodeId) => forest.nodes[nodeId] ?? []),
    [entries, forest],
  );
  return (
    <div className={styles.field}>
      <label htmlFor={id}>Re-run from</label>
      <select id={id} value={from ?? ''} onChange={({ target }) => run.ask({ from: target.value || null })}>
        <option value="">From the start</option>
        {turns.map(({ id: nodeId, number, message }) => (
          <option key={nodeId} value={nodeId}>
            From turn {number}: {shortened(message, EXCERPT)}
          </option>
        ))}
      </select>
    </div>
  );
};

/** Shown only if an embedder other than the shipped one is chosen. */
const EmbedderChoice = ({ run }: { run: WhatIfRun }) => {
  const id = useId();
  const chosen = useStore(run.store, ({ question }) => question.embedder);
  const { embedder, embeddedEmbedder } = run.choices();
  if (embeddedEmbedder === null) return null;
  return (
    <div className={styles.field}>
      <label htmlFor={id}>Embedder</label>
      <select
        id={id}
        value={chosen}
        onChange={({ target }) => run.ask({ embedder: target.value as WhatIf['embedder'] })}
      >
        <option value="chosen">As chosen: {embedder}</option>
        <option value="embedded">Embedded: {embeddedEmbedder.name}</option>
      </select>
    </div>
  );
};

const PolicyChoice = ({ run }: { run: WhatIfRun }) => {
  const id = useId();
  const { policy, base } = useStore(run.store, ({ question }) => question);
  return (
    <div className={styles.field}>
      <label htmlFor={id}>Policy</label>
      <select id={id} value={policy ?? ''} onChange={({ target }) => run.ask({ policy: target.value || null })}>
        <option value="">{base === 'then' ? 'Original settings' : 'Current settings'}</option>
        {ALL_POLICIES.map(({ name }) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
};

/** Parameters that determine where a turn goes are always visible; the others can be unfolded. */
const FOREMOST: readonly (keyof Parameters)[] = ['theta', 'sureFrom'];

/** Parameter fields; an empty field leaves its parameter unchanged. */
const ParameterFields = ({ run }: { run: WhatIfRun }) => {
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
  const known = value === undefined ? '' : inputValue(field, value);
  /** Invalid text, kept while it is in the field. */
  const [draft, setDraft] = useState<{ readonly text: string; readonly of: string } | null>(null);
  const text = draft !== null && draft.of === known ? draft.text : known;
  const read = text.trim() === '' ? null : readNumber(field, text);
  const change = (next: string) => {
    const now = next.trim() === '' ? null : readNumber(field, next);
    const asked = now === null ? without(parameters, name) : now.ok ? { ...parameters, [name]: now.value } : parameters;
    const after = asked[name];
    setDraft({ text: next, of: after === undefined ? '' : inputValue(field, after) });
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
          placeholder="unchanged"
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
        <option value="">unchanged</option>
        <option value="true">yes</option>
        <option value="false">no</option>
      </select>
    </div>
  );
};

type Question = 'topic' | 'branch';
const LABELS: Readonly<Record<Question, string>> = { topic: 'Topic question', branch: 'Branch question' };

/** The prompts for a language model that decides. Nothing is summarised again, so the other prompts have no effect here. */
const PromptFields = ({ run }: { run: WhatIfRun }) => {
  const { shippedPrompts } = useActions();
  const prompts = useStore(run.store, ({ question }) => question.prompts);
  const [shipped, setShipped] = useState<Prompts | null>(null);
  const { embedded } = run.choices();
  const decider = useStore(run.store, ({ question }) => question.decider);
  const reads = decider === 'chosen' && !embedded;
  useEffect(() => {
    // If they cannot be loaded, the fields start empty.
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

const PromptField = ({ run, name, shipped }: { run: WhatIfRun; name: Question; shipped: string }) => {
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
        <span>{LABELS[name]}: unchanged</span>
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
        Restore the prompt
      </Button>
    </div>
  );
};

/** Shows the current θ, and when it has no effect: a decider that is always asked ignores the gate. */
const ThetaHint = ({ run }: { run: WhatIfRun }) => {
  const decider = useStore(run.store, ({ question }) => question.decider);
  const embedder = useStore(run.store, ({ question }) => question.embedder);
  const { ungated, theta, embeddedEmbedder, embedded } = run.choices();
  const own = embedder === 'embedded' && embeddedEmbedder !== null ? embeddedEmbedder.theta : theta;
  const waits = decider === 'paper-rule' || (decider === 'chosen' && !ungated);
  if (waits) return <small className={styles.hint}>The embedder’s own θ is {similarity(own)}.</small>;
  if (decider === 'one-threshold') {
    return <small className={styles.hint}>This decider never forks, so θ changes nothing.</small>;
  }
  return (
    <small className={styles.hint}>
      {embedded || decider !== 'chosen' ? 'The embedded decider' : 'This decider'} is asked regardless of similarity, so
      θ changes nothing, except under context-agent-code. θ is the gate for the paper’s rule and for language models.
      <Button size="small" onClick={() => run.ask({ decider: 'paper-rule' })}>
        Use the paper’s rule
      </Button>
    </small>
  );
};
