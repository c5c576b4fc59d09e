import type { Forest, Node } from '../../domain/forest.ts';
import { fallbacksOf, replyOf } from '../../domain/queries.ts';
import { AskWhatIf } from '../../features/what-if/ask-what-if.tsx';
import { canConfirm } from '../parts/turn-words.ts';
import { BranchSection } from './branch-section.tsx';
import { ConfirmSection } from './confirm-section.tsx';
import { ContextSummary } from './context-summary.tsx';
import { CorrectionSection } from './correction-section.tsx';
import { DecisionPicture } from './decision-picture.tsx';
import { branchWords, decidedTopic, topicWords, untracedWords } from './decision-words.ts';
import { FallbacksSection } from './fallbacks-section.tsx';
import { ForkSection } from './fork-section.tsx';
import { RawSection } from './raw-section.tsx';
import styles from './section.module.css';
import { Section } from './section.tsx';
import { SettingsSection } from './settings-section.tsx';
import { TimeSection } from './time-section.tsx';
import { TopicChip } from './topic-chip.tsx';
import { TopicSection } from './topic-section.tsx';
import { TurnLink } from './turn-link.tsx';

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
          {trace.branch.rule !== 'new-topic' && <ForkSection key={`fork ${node.id}`} forest={forest} trace={trace} />}
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
