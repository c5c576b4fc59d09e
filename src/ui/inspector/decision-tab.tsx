import { Check, FlaskConical } from 'lucide-react';
import { useState } from 'react';
import { PROVENANCE } from '../../app/provenance.ts';
import type { BranchAnswer, TopicAnswer, Trace } from '../../domain/decision.ts';
import type { Forest, Node, NodeId } from '../../domain/forest.ts';
import { fallbacksOf, replyOf } from '../../domain/queries.ts';
import { useActions, useApp } from '../app-context.ts';
import { CorrectionMenu } from '../chat/correction-menu.tsx';
import { Button } from '../parts/button.tsx';
import { ratio } from '../parts/format.ts';
import { canConfirm } from '../parts/turn-words.ts';
import { ContextSummary } from './context-summary.tsx';
import { DecisionPicture } from './decision-picture.tsx';
import { BranchSection, ForkSection, TopicSection } from './decision-steps.tsx';
import { branchWords, decidedTopic, topicWords, untracedWords } from './decision-words.ts';
import styles from './section.module.css';
import { CopyButton, Section } from './section.tsx';
import { CorrectionSection, FallbacksSection, RawText } from './shared-sections.tsx';
import { TimeSection } from './time-section.tsx';
import { TopicChip, TurnLink } from './turn-link.tsx';

interface Props {
  readonly forest: Forest;
  readonly node: Node;
  /** The turn is not there yet: nobody can say that it is right. */
  readonly preview?: boolean;
}

/** Why the turn is where it is: the three steps of the decision, in the order they were taken. */
export const DecisionTab = ({ forest, node, preview = false }: Props) => {
  const { decision } = node;
  const { trace } = decision;
  const reply = replyOf(node);
  return (
    <>
      <CorrectionSection forest={forest} node={node} />
      {trace === null ? (
        <>
          <FallbacksSection fallbacks={fallbacksOf(node)} />
          <Untraced forest={forest} node={node} />
        </>
      ) : (
        <>
          <DecisionPicture forest={forest} node={node} trace={trace} />
          <FallbacksSection fallbacks={fallbacksOf(node)} />
          <TopicSection key={node.id} forest={forest} node={node} trace={trace} />
          {trace.branch.rule !== 'new-topic' && (
            <ForkSection key={`fork ${node.id}`} forest={forest} node={node} trace={trace} />
          )}
          <BranchSection forest={forest} node={node} trace={trace} />
          {!preview && canConfirm(node) && <ConfirmSection node={node} />}
        </>
      )}
      {!preview && <AskWhatIf nodeId={node.id} />}
      <TimeSection before={trace?.timings ?? []} reply={reply} />
      {reply !== null && reply.context !== null && <ContextSummary node={node} reply={reply} />}
      {trace !== null && <SettingsSection settings={trace.settings} policy={trace.policy} />}
      {trace !== null && <RawSection forest={forest} trace={trace} />}
    </>
  );
};

const Untraced = ({ forest, node }: Props) => {
  const { action, link, at } = branchWords(node);
  return (
    <Section title="Placement" aside={node.decision.by === 'person' ? 'by you' : 'no trace'}>
      <p className={styles.outcome}>
        <b>{topicWords(node.decision)}</b> <TopicChip forest={forest} treeId={decidedTopic(node)} />
      </p>
      {at !== null && (
        <p className={styles.outcome}>
          <b>{action}</b> {link} <TurnLink forest={forest} nodeId={at} />
        </p>
      )}
      <p className={styles.note}>{untracedWords(node.decision)}</p>
    </Section>
  );
};

/** Asks for the person's word on a decision. */
const ConfirmSection = ({ node }: { node: Node }) => {
  const { confirm } = useActions();
  const learns = useApp((state) => state.learning.on && !state.learning.paused);
  const past = useApp((state) => state.past !== null);
  const [correcting, setCorrecting] = useState(false);
  return (
    <Section title="Is this where it belongs?">
      <p className={styles.note}>
        {learns ? 'Your answer is kept as a label, and the decider learns from it.' : 'Your answer is kept as a label.'}
      </p>
      <p className={styles.word}>
        <Button size="small" disabled={past} onClick={() => void confirm(node.id)}>
          <Check size={14} aria-hidden />
          That is right
        </Button>
        <CorrectionMenu
          node={node}
          open={correcting}
          onOpenChange={setCorrecting}
          trigger={
            <Button size="small" disabled={past}>
              Change…
            </Button>
          }
        />
      </p>
    </Section>
  );
};

/** Leads to What if, which then begins with the turn. */
const AskWhatIf = ({ nodeId }: { nodeId: NodeId }) => {
  const { session } = useActions();
  return (
    <Section title="What if" aside="simulated">
      <Button size="small" onClick={() => session({ dialog: 'what-if', whatIfFrom: nodeId })}>
        <FlaskConical size={13} aria-hidden />
        Decide differently from here…
      </Button>
    </Section>
  );
};

/** With which settings of the engine the turn was decided: their version, and what differs from the shipped ones. */
const SettingsSection = ({ settings, policy }: Pick<Trace, 'settings' | 'policy'>) => {
  if (settings === undefined) return null;
  const { version, parameters, prompts } = settings;
  const changed = Object.entries(parameters);
  return (
    <Section title="Settings" aside={version === 0 ? 'as shipped' : `version ${version}`}>
      <dl className={styles.pairs}>
        <dt>Policy</dt>
        <dd>{policy}</dd>
        {changed.map(([name, value]) => (
          <Pair key={name} name={name} value={value === null ? 'left to the model' : String(value)} />
        ))}
        {prompts.length > 0 && <Pair name="Own prompts" value={prompts.join(', ')} />}
      </dl>
      {version > 0 && changed.length + prompts.length === 0 && (
        <p className={styles.quiet}>This version is the same as the shipped settings.</p>
      )}
    </Section>
  );
};

const Pair = ({ name, value }: { name: string; value: string }) => (
  <>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </>
);

interface StepAnswer {
  readonly question: 'Topic' | 'Branch';
  readonly answer: TopicAnswer | BranchAnswer;
  readonly parsed: string;
}

/** What the deciders were asked, their answers as they came, what was read from these, and the whole trace to take along. */
const RawSection = ({ forest, trace }: { forest: Forest; trace: Trace }) => {
  const { topic, branch } = trace;
  const answers: StepAnswer[] = [];
  if (topic.answer !== null)
    answers.push({ question: 'Topic', answer: topic.answer, parsed: topicRead(forest, trace) });
  if (branch.answer !== null) {
    answers.push({ question: 'Branch', answer: branch.answer, parsed: branchRead(forest, branch.answer) });
  }
  const paths = (topic.paths ?? []).map((path, at) => ({ ...path, heading: `Path ${at + 1}` }));
  const prompts = [
    ...paths.map(({ heading, prompt }) => ({ question: heading, prompt })),
    ...answers.map(({ question, answer: { prompt } }) => ({ question, prompt })),
  ].flatMap(({ question, prompt = [] }) =>
    prompt.map(({ role, content }) => ({ heading: `${question}, ${role}`, content })),
  );
  const pathAnswers = paths.flatMap(({ heading, raw, yes, confidence }) =>
    raw === undefined ? [] : [{ heading, raw, parsed: `${yes ? 'yes' : 'no'}${sure(confidence)}.` }],
  );
  // What was said of the path that settled it stands with that path.
  const stepAnswers = pathAnswers.length > 0 ? answers.filter(({ question }) => question !== 'Topic') : answers;
  return (
    <section className={styles.section} aria-label="Trace">
      {prompts.length > 0 && (
        <details className={styles.raw}>
          <summary>Prompt</summary>
          {prompts.map(({ heading, content }) => (
            <RawText key={heading} heading={heading} text={content} />
          ))}
        </details>
      )}
      {pathAnswers.length + stepAnswers.length > 0 && (
        <details className={styles.raw}>
          <summary>Raw answer</summary>
          {pathAnswers.map(({ heading, raw, parsed }) => (
            <div key={heading}>
              <RawText heading={heading} text={raw} />
              <p className={styles.note}>Read as: {parsed}</p>
            </div>
          ))}
          {stepAnswers.map(({ question, answer, parsed }) => (
            <div key={question}>
              <RawText heading={question} text={answer.raw} />
              <p className={styles.note}>Read as: {parsed}</p>
            </div>
          ))}
        </details>
      )}
      <CopyButton label="Copy as JSON" text={() => JSON.stringify({ ...trace, madeBy: PROVENANCE }, null, 2)} />
    </section>
  );
};

const sure = (confidence: number | null): string => (confidence === null ? '' : `, confidence ${ratio(confidence)}`);

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
    : ` Alternatives: ${alternatives.map(({ action, confidence }) => `${action} ${ratio(confidence)}`).join(', ')}.`;
