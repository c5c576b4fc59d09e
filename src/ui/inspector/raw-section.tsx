import type { BranchAnswer, TopicAnswer, Trace } from '../../domain/decision.ts';
import type { Forest } from '../../domain/forest.ts';
import { CopyButton } from './copy-button.tsx';
import { ratio } from './figures.ts';
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
  const prompts = asked.flatMap(({ question, answer: { prompt = [] } }) =>
    prompt.map(({ role, content }) => ({ heading: `${question}, ${role}`, content })),
  );
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
      {asked.length > 0 && (
        <details className={sectionCss.raw}>
          <summary>Raw answer</summary>
          {asked.map(({ question, answer, parsed }) => (
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
