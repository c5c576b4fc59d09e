import type { Trace } from '../../domain/decision.ts';
import type { Forest, Node } from '../../domain/forest.ts';
import { topicColour } from '../topic-colour.ts';
import { decidedTopic, topicRuleWords, topicSource, topicWords } from './decision-words.ts';
import { Limited } from './limited.tsx';
import { PathsAsked } from './paths-asked.tsx';
import { PersonalNote } from './personal-note.tsx';
import { Reasons } from './reasons.tsx';
import { scaleFor } from './scale.ts';
import styles from './section.module.css';
import { Section } from './section.tsx';
import { SimilarityRow } from './similarity-row.tsx';
import { TopicChip } from './topic-chip.tsx';

/** Topics shown before the person asks for all. */
const FIRST = 6;

/** Step 1: the topic. */
export const TopicSection = ({ forest, node, trace }: { forest: Forest; node: Node; trace: Trace }) => {
  const chosen = decidedTopic(node);
  const candidates = trace.topic.candidates.toSorted(
    (a, b) => Number(b.treeId === chosen) - Number(a.treeId === chosen) || b.similarity - a.similarity,
  );
  const scale = scaleFor(candidates.map(({ similarity }) => similarity));
  const rule = topicRuleWords(trace);
  const { answer, target } = trace.topic;
  return (
    <Section step={1} title="Topic" aside={topicSource(trace)}>
      <p className={styles.outcome}>
        <b>{topicWords(node.decision)}</b> <TopicChip forest={forest} treeId={chosen} />
      </p>
      {rule !== null && <p className={styles.note}>{rule}</p>}
      <PathsAsked forest={forest} paths={trace.topic.paths ?? []} />
      {answer?.personal && <PersonalNote forest={forest} personal={answer.personal} chosen={{ ...answer, target }} />}
      <Limited items={candidates} first={FIRST}>
        {({ treeId, title, similarity, active }) => {
          const tree = forest.trees[treeId];
          return (
            <SimilarityRow
              key={treeId}
              label={tree?.title ?? title}
              {...(active ? { mark: '(was active)' } : {})}
              value={similarity}
              colour={tree === undefined ? 'var(--ink-3)' : topicColour(tree.order)}
              scale={scale}
              strong={treeId === trace.topic.target}
            />
          );
        }}
      </Limited>
      <Reasons reasons={answer?.reasons ?? []} />
    </Section>
  );
};
