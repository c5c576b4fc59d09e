import type { Trace } from '../../domain/decision.ts';
import contextCss from './context.module.css';
import { CopyButton } from './copy-button.tsx';
import sectionCss from './section.module.css';

/** The deciders' answers as they came, and the whole trace to take along. */
export const RawSection = ({ trace }: { trace: Trace }) => {
  const answers = [
    { question: 'Topic', answer: trace.topic.answer },
    { question: 'Branch', answer: trace.branch.answer },
  ].flatMap(({ question, answer }) => (answer === null ? [] : [{ question, raw: answer.raw }]));
  return (
    <section className={sectionCss.section} aria-label="Trace">
      {answers.length > 0 && (
        <details className={sectionCss.raw}>
          <summary>Raw answer</summary>
          {answers.map(({ question, raw }) => (
            <div key={question}>
              <p className={sectionCss.subheading}>{question}</p>
              <pre className={contextCss.pre}>{raw === '' ? '(empty)' : raw}</pre>
            </div>
          ))}
        </details>
      )}
      <CopyButton label="Copy as JSON" text={() => JSON.stringify(trace, null, 2)} />
    </section>
  );
};
