import type { Timing } from '../../domain/decision.ts';
import barCss from './bars.module.css';
import { duration } from './figures.ts';
import inlineCss from './inline.module.css';
import sectionCss from './section.module.css';
import { Section } from './section.tsx';
import { span, waterfall } from './waterfall.ts';

/** Where the time went. The reply has an axis of its own: it takes a thousand times as long as the rest. */
export const TimeSection = ({ before, reply }: { before: readonly Timing[]; reply: readonly Timing[] }) => {
  if (before.length + reply.length === 0) return null;
  return (
    <Section title="Time" aside={before.length > 0 ? `${duration(span(before))} to decide` : undefined}>
      <Laps timings={before} />
      {reply.length > 0 && (
        <>
          <p className={sectionCss.subheading}>
            Reply <span className={sectionCss.aside}>{duration(span(reply))}</span>
          </p>
          <Laps timings={reply} />
        </>
      )}
    </Section>
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
