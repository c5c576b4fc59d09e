import type { BranchAnswer, TopicAnswer, Trace } from '../../domain/decision.ts';
import type { Forest } from '../../domain/forest.ts';
import { ratio } from '../parts/format.ts';
import { CopyButton } from './copy-button.tsx';
import { RawText } from './raw-text.tsx';
import sectionCss from './section.module.css';

interface Asked {
  readonly question: 'Topic' | 'Branch';
  readonly answer: TopicAnswer | BranchAnswer;
  readonly parsed: string;
}

/** What the deciders were asked, their answers as they came, what was read from these, and the whole trace to take along. */
export const RawSection = ({ forest, trace }: { forest: Forest; trace: Trace }) => {
  const { topic, branch } = trace;
  const asked: Asked[] = [];
  if (topic.answer !== null) asked.push({ question: 'Topic', answer: topic.answer, parsed: topicRead(forest, trace) });
  if (branch.answer !== null) {
    asked.push({ question: 'Branch', answer: branch.answer, parsed: branchRead(forest, branch.answer) });
  }
  const paths = (topic.paths ?? []).map((path, at) => ({ ...path, heading: `Path ${at + 1}` }));
  const prompts = [
    ...paths.map(({ heading, prompt }) => ({ question: heading, prompt })),
    ...asked.map(({ question, answer: { prompt } }) => ({ question, prompt })),
  ].flatMap(({ question, prompt = [] }) =>
    prompt.map(({ role, content }) => ({ heading: `${question}, ${role}`, content })),
  );
  const answers = paths.flatMap(({ heading, raw, yes, confidence }) =>
    raw === undefined ? [] : [{ heading, raw, parsed: `${yes ? 'yes' : 'no'}${sure(confidence)}.` }],
  );
  // What was said of the path that settled it stands with that path.
  const wholly = answers.length > 0 ? asked.filter(({ question }) => question !== 'Topic') : asked;
  return (
    <section className={sectionCss.section} aria-label="Trace">
      {prompts.length > 0 && (
        <details className={sectionCss.raw}>
          <summary>Prompt</summary>
          {prompts.map(({ heading, content }) => (
            <RawText key={heading} heading={heading} text={content} />
          ))}
        </details>
      )}
      {answers.length + wholly.length > 0 && (
        <details className={sectionCss.raw}>
          <summary>Raw answer</summary>
          {answers.map(({ heading, raw, parsed }) => (
            <div key={heading}>
              <RawText heading={heading} text={raw} />
              <p className={sectionCss.note}>Read as: {parsed}</p>
            </div>
          ))}
          {wholly.map(({ question, answer, parsed }) => (
            <div key={question}>
              <RawText heading={question} text={answer.raw} />
              <p className={sectionCss.note}>Read as: {parsed}</p>
            </div>
          ))}
        </details>
      )}
      <CopyButton label="Copy as JSON" text={() => JSON.stringify(trace, null, 2)} />
    </section>
  );
};

const sure = (confidence: number | null): string => (confidence === null ? '' : `, sure ${ratio(confidence)}`);

const topicRead = (forest: Forest, { topic: { answer, target } }: Trace): string => {
  const title = target === null ? '' : ` “${forest.trees[target]?.title ?? target}”`;
  return answer === null ? '' : `${answer.action}${title}${sure(answer.confidence)}.${others(answer.alternatives)}`;
};

const branchRead = (forest: Forest, { action, point, confidence, alternatives }: BranchAnswer): string => {
  const number = point === undefined ? undefined : forest.nodes[point]?.number;
  const at = number === undefined ? '' : ` at turn ${number}`;
  return `${action}${at}${sure(confidence)}.${others(alternatives)}`;
};

const others = (alternatives: readonly { action: string; confidence: number }[] = []): string =>
  alternatives.length === 0
    ? ''
    : ` Otherwise: ${alternatives.map(({ action, confidence }) => `${action} ${ratio(confidence)}`).join(', ')}.`;
