import { TriangleAlert } from 'lucide-react';
import { type Fallback, isConfirmation, type Placement, wordOf } from '../../domain/decision.ts';
import type { Forest, Node } from '../../domain/forest.ts';
import { dateTime } from '../parts/format.ts';
import contextCss from './context.module.css';
import { chosenWords, confirmedWords, fallbackWords } from './decision-words.ts';
import sectionCss from './section.module.css';
import { Section, TopicChip, TurnLink } from './section.tsx';

const FIRST_SAID = { person: 'Your first choice', engine: 'Engine’s decision', import: 'Imported' } as const;

interface CorrectionProps {
  readonly forest: Forest;
  readonly node: Node;
  /** The turn does not exist yet. */
  readonly preview?: boolean;
}

/** What the engine said and what the user did: a label to learn from. */
export const CorrectionSection = ({ forest, node, preview = false }: CorrectionProps) => {
  const { label, decision } = node;
  if (label === null) return null;
  const aside = preview ? undefined : dateTime(label.at);
  switch (wordOf(label)) {
    case 'confirmed':
      return (
        <Section title="Confirmed by you" aside={aside}>
          <p className={sectionCss.note}>{confirmedWords(decision)} That is saved as a label.</p>
        </Section>
      );
    case 'corrected':
      return (
        <Section title="Corrected by you" aside={aside}>
          <dl className={sectionCss.pairs}>
            <dt>{FIRST_SAID[decision.by]}</dt>
            <dd>
              <Place forest={forest} placement={label.engine} />
            </dd>
            <dt>Your correction</dt>
            <dd>
              <Place forest={forest} placement={label.person} />
            </dd>
          </dl>
        </Section>
      );
    case 'chosen':
      return (
        <Section title="Chosen by you" aside={aside}>
          <p className={sectionCss.note}>{chosenWords(label, preview)}</p>
          {!isConfirmation(label) && (
            <dl className={sectionCss.pairs}>
              <dt>Decider’s choice</dt>
              <dd>
                <Place forest={forest} placement={label.engine} />
              </dd>
              <dt>Your choice</dt>
              <dd>
                <Place forest={forest} placement={label.person} />
              </dd>
            </dl>
          )}
        </Section>
      );
  }
};

const Place = ({ forest, placement }: { forest: Forest; placement: Placement }) =>
  placement.parentId === null ? (
    'a topic of its own'
  ) : (
    <>
      under <TurnLink forest={forest} nodeId={placement.parentId} /> in{' '}
      <TopicChip forest={forest} treeId={placement.treeId} />
    </>
  );

/** Models that failed, and what replaced them; for language models also their prompt and what came back. */
export const FallbacksSection = ({ fallbacks }: { fallbacks: readonly Fallback[] }) =>
  fallbacks.length > 0 && (
    <section className={sectionCss.warning} aria-label="Fallbacks">
      {fallbacks.map((fallback, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a model may fail twice, and the list never changes its order
        <div key={index}>
          <p>
            <TriangleAlert size={14} aria-hidden />
            <span>{fallbackWords(fallback)}</span>
          </p>
          <Exchange fallback={fallback} />
        </div>
      ))}
    </section>
  );

const Exchange = ({ fallback: { prompt = [], raw } }: { fallback: Fallback }) =>
  (prompt.length > 0 || raw !== undefined) && (
    <details className={sectionCss.raw}>
      <summary>What it was asked and answered</summary>
      {prompt.map(({ role, content }) => (
        <RawText key={role} heading={role} text={content} />
      ))}
      {raw !== undefined && <RawText heading="Raw answer" text={raw} />}
    </details>
  );

/** Text exactly as a model was given or produced it. */
export const RawText = ({ heading, text }: { heading: string; text: string }) => (
  <div>
    <p className={sectionCss.subheading}>{heading}</p>
    <pre className={contextCss.pre}>{text === '' ? '(empty)' : text}</pre>
  </div>
);
