import { ChartSpline } from 'lucide-react';
import { useId, useState } from 'react';
import { NUMBERS } from '../../app/settings-ranges.ts';
import { defaultParameters } from '../../engine/parameters.ts';
import { Button } from '../../ui/parts/button.tsx';
import { FIELDS } from '../../ui/parts/setting-fields.ts';
import styles from './setup.module.css';
import { type Range, type Swept, THETA_RANGE } from './sweep.ts';
import own from './sweep-setup.module.css';
import { useWhatIf } from './use-what-if.ts';
import type { WhatIfRun } from './what-if-run.ts';

/** Most values of one sweep. */
const MOST = 40;
/** Patience says nothing about where turns go unless a model hangs. */
const SWEPT = FIELDS.filter((field) => field.kind === 'number' && field.name !== 'patience');

/** Over which values of one parameter the conversation is run again. */
export const SweepSetup = ({ run }: { run: WhatIfRun }) => {
  const id = useId();
  const range = useWhatIf(run, (state) => state.range);
  const [texts, setTexts] = useState<Partial<Record<'from' | 'to' | 'steps', string>>>({});
  const text = (end: 'from' | 'to' | 'steps') => texts[end] ?? String(range[end]);
  const wrong = wrongIn({ ...range, from: Number(text('from')), to: Number(text('to')), steps: Number(text('steps')) });
  const change = (end: 'from' | 'to' | 'steps', value: string) => {
    const next = { ...texts, [end]: value };
    setTexts(next);
    const of = (name: 'from' | 'to' | 'steps') => Number(next[name] ?? range[name]);
    const asked = { ...range, from: of('from'), to: of('to'), steps: of('steps') };
    if (wrongIn(asked) === null) run.setRange(asked);
  };
  const input = (end: 'from' | 'to' | 'steps', label: string) => (
    <label>
      <span>{label}</span>
      <input
        inputMode="decimal"
        autoComplete="off"
        value={text(end)}
        aria-invalid={wrong !== null}
        aria-describedby={wrong === null ? undefined : `${id}-wrong`}
        onChange={({ target }) => change(end, target.value)}
      />
    </label>
  );
  return (
    <section className={own.sweep} aria-label="Sweep">
      <h3>Sweep one parameter</h3>
      <div className={styles.field}>
        <label htmlFor={id}>Parameter</label>
        <select
          id={id}
          value={range.parameter}
          onChange={({ target }) => {
            setTexts({});
            run.setRange(rangeOf(target.value as Swept));
          }}
        >
          {SWEPT.map(({ name, label }) => (
            <option key={name} value={name}>
              {label}
            </option>
          ))}
        </select>
      </div>
      <div className={own.range}>
        {input('from', 'From')}
        {input('to', 'To')}
        {input('steps', 'Values')}
      </div>
      {wrong !== null && (
        <small id={`${id}-wrong`} className={styles.wrong}>
          {wrong}
        </small>
      )}
      <Button disabled={wrong !== null} onClick={() => void run.sweep()}>
        <ChartSpline size={14} aria-hidden />
        Sweep
      </Button>
    </section>
  );
};

/** About what stands for nothing. */
const NOTHING: Partial<Record<Swept, number>> = { memoryK: 10, threadThreshold: 0.2 };
const SMALL = 0.05;

/** A range to begin with: about what the parameter ships with. */
const rangeOf = (parameter: Swept): Range => {
  if (parameter === 'theta') return THETA_RANGE;
  const { least, most, whole } = NUMBERS[parameter];
  const shipped = defaultParameters[parameter] ?? NOTHING[parameter] ?? 1000;
  // A small one over tenfold: from 0 to 1 would tell of nothing but what is far from it.
  if (!whole) return { parameter, from: least, to: shipped < SMALL ? shipped * 10 : Math.min(1, most), steps: 11 };
  return { parameter, from: Math.max(least, Math.round(shipped / 5)), to: Math.min(most, shipped * 2), steps: 10 };
};

/** Why a range cannot be swept, in words; null if it can. */
const wrongIn = ({ parameter, from, to, steps }: Range): string | null => {
  const { least, most } = NUMBERS[parameter];
  const good = (value: number) => value >= least && value <= most;
  if (!good(from) || !good(to)) return `From and to lie between ${least} and ${most.toLocaleString('en')}.`;
  if (from === to) return 'From and to must differ.';
  return Number.isInteger(steps) && steps >= 2 && steps <= MOST ? null : `2 to ${MOST} values.`;
};
