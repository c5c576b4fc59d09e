import { Fragment } from 'react';
import type { Timing } from '../../domain/decision.ts';
import type { Reply } from '../../domain/forest.ts';
import { count, duration } from '../parts/format.ts';
import { paceOf, speedWords } from '../parts/turn-words.ts';
import barCss from './bars.module.css';
import inlineCss from './inline.module.css';
import sectionCss from './section.module.css';
import { Section } from './section.tsx';

/** Where the time went. The reply has an axis of its own: it takes a thousand times as long as the rest. */
export const TimeSection = ({ before, reply }: { before: readonly Timing[]; reply: Reply | null }) => {
  const after = reply?.timings ?? [];
  if (before.length + after.length === 0) return null;
  return (
    <Section title="Time" aside={before.length > 0 ? `${duration(span(before))} to decide` : undefined}>
      <Laps timings={before} />
      {after.length > 0 && (
        <>
          <p className={sectionCss.subheading}>
            Reply <span className={sectionCss.aside}>{duration(span(after))}</span>
          </p>
          <Laps timings={after} />
        </>
      )}
      {reply !== null && <Tokens reply={reply} />}
    </Section>
  );
};

/** What the reply cost a language model, in its own tokens. */
const Tokens = ({ reply }: { reply: Reply }) => {
  const pace = paceOf(reply);
  if (pace === null) return null;
  const rows = [
    ['Prefilled', pace.prefilled, pace.prefillSpeed],
    ['Reused from its cache', pace.reused, null],
    ['Written', pace.generated, pace.speed],
  ] as const;
  const told = rows.filter(([, tokens]) => tokens !== null);
  if (told.length === 0) return null;
  return (
    <>
      <p className={sectionCss.subheading}>Tokens, as the model counts them</p>
      <dl className={sectionCss.pairs}>
        {told.map(([what, tokens, speed]) => (
          <Fragment key={what}>
            <dt>{what}</dt>
            <dd>
              {count(tokens ?? 0)}
              {speed !== null && ` · ${speedWords(speed)}`}
            </dd>
          </Fragment>
        ))}
      </dl>
    </>
  );
};

const Laps = ({ timings }: { timings: readonly Timing[] }) => (
  <ul className={sectionCss.list}>
    {waterfall(timings).map(({ step, ms, left, width }, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a step may come twice, and the list never changes its order
      <li key={index} className={barCss.lap}>
        <span>{step}</span>
        <span className={barCss.track} aria-hidden="true">
          <span style={{ left: `min(${left}%, 100% - 3px)`, width: `${width}%` }} />
        </span>
        <span className={inlineCss.figure}>{duration(ms)}</span>
      </li>
    ))}
  </ul>
);

/** A step on a common time axis; left and width in percent of the whole. */
interface Lap {
  readonly step: string;
  readonly ms: number;
  readonly left: number;
  readonly width: number;
}

/** Milliseconds from the first step's beginning to the last one's end. */
export const span = (timings: readonly Timing[]): number =>
  timings.length === 0 ? 0 : endOf(timings) - beginningOf(timings);

export const waterfall = (timings: readonly Timing[]): Lap[] => {
  const begin = beginningOf(timings);
  const whole = span(timings) || 1;
  return timings.map(({ step, start, ms }) => ({
    step,
    ms,
    left: (100 * (start - begin)) / whole,
    width: (100 * ms) / whole,
  }));
};

const beginningOf = (timings: readonly Timing[]): number => Math.min(...timings.map(({ start }) => start));
const endOf = (timings: readonly Timing[]): number => Math.max(...timings.map(({ start, ms }) => start + ms));
