import type { Trace } from '../../domain/decision.ts';
import contextCss from './context.module.css';
import { CopyButton } from './copy-button.tsx';
import sectionCss from './section.module.css';

/** What the deciders were asked, their answers as they came, and the whole trace to take along. */
export const RawSection = ({ trace }: { trace: Trace }) => {
  const answers = [
    { question: 'Topic', answer: trace.topic.answer },
    { question: 'Branch', answer: trace.branch.answer },
  ].flatMap(({ question, answer }) => (answer === null ? [] : [{ question, ...answer }]));
  const prompts = answers.flatMap(({ question, prompt = [] }) =>
    prompt.map(({ role, content }) => ({ heading: `${question}, ${role}`, content })),
  );
  return (
    <section className={sectionCss.section} aria-label="Trace">
      {prompts.length > 0 && (
        <details className={sectionCss.raw}>
          <summary>Prompt</summary>
          {prompts.map(({ heading, content }) => (
            <Said key={heading} heading={heading} text={content} />
          ))}
        </details>
      )}
      {answers.length > 0 && (
        <details className={sectionCss.raw}>
          <summary>Raw answer</summary>
          {answers.map(({ question, raw }) => (
            <Said key={question} heading={question} text={raw} />
          ))}
        </details>
      )}
      <CopyButton label="Copy as JSON" text={() => JSON.stringify(trace, null, 2)} />
    </section>
  );
};

const Said = ({ heading, text }: { heading: string; text: string }) => (
  <div>
    <p className={sectionCss.subheading}>{heading}</p>
    <pre className={contextCss.pre}>{text === '' ? '(empty)' : text}</pre>
  </div>
);
