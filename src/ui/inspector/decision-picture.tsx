import type { CSSProperties } from 'react';
import type { Trace } from '../../domain/decision.ts';
import type { Forest, Node } from '../../domain/forest.ts';
import { ratio } from '../parts/format.ts';
import { topicColour } from '../topic-colour.ts';
import styles from './decision-picture.module.css';
import { branchWords, decidedTopic, topicWords } from './decision-words.ts';
import { GatePicture } from './gate-picture.tsx';
import { gateOf } from './gate-words.ts';
import { OutcomePicture } from './outcome-picture.tsx';

/** Topics that the picture has room for. */
const DRAWN = 7;
/** Height of the tallest bar, in pixels. */
const HEIGHT = 34;

interface Props {
  readonly forest: Forest;
  readonly node: Node;
  readonly trace: Trace;
}

/** The decision in one look: the topics it chose among, the gate, and what came of it. Words and numbers follow below. */
export const DecisionPicture = ({ forest, node, trace }: Props) => {
  const chosen = decidedTopic(node);
  const tree = forest.trees[chosen];
  const colour = tree === undefined ? 'var(--ink-3)' : topicColour(tree.order);
  const gate = gateOf(trace);
  return (
    <figure
      className={styles.picture}
      aria-label={inWords(forest, node, trace)}
      style={{ '--c': colour } as CSSProperties}
    >
      <div className={styles.step}>
        <span className={styles.what}>Topic</span>
        <Topics forest={forest} trace={trace} isNew={node.decision.topic === 'create-topic'} chosen={chosen} />
        <span className={styles.said} title={tree?.title}>
          {topicWords(node.decision)}{' '}
          <b>{node.decision.topic === 'create-topic' ? '' : (tree?.title ?? 'a topic that is gone')}</b>
        </span>
      </div>
      <div className={styles.step} data-gate={gate.state}>
        <span className={styles.what}>Gate</span>
        <GatePicture forest={forest} trace={trace} gate={gate} />
        <span className={styles.said} title={gate.words}>
          <b>{{ open: 'Open', shut: 'Shut', none: 'Not come to' }[gate.state]}</b>: {gate.words}
        </span>
      </div>
      <div className={styles.step}>
        <span className={styles.what}>Branch</span>
        <OutcomePicture decision={node.decision} />
        <span className={styles.said}>
          <b>{branchWords(node).action}</b> {outcome(forest, node)}
        </span>
      </div>
    </figure>
  );
};

const outcome = (forest: Forest, node: Node): string => {
  const { link, at } = branchWords(node);
  if (at === null) return link;
  const number = forest.nodes[at]?.number;
  return `${link} ${number === undefined ? 'a turn that is gone' : `turn ${number}`}`;
};

/** A bar for each topic that was considered, as tall as the message is near; the one it went to stands out. */
const Topics = ({
  forest,
  trace,
  isNew,
  chosen,
}: Pick<Props, 'forest' | 'trace'> & { isNew: boolean; chosen: string }) => {
  const drawn = trace.topic.candidates
    .toSorted((a, b) => Number(b.treeId === chosen) - Number(a.treeId === chosen) || b.similarity - a.similarity)
    .slice(0, DRAWN);
  return (
    <span className={styles.topics} aria-hidden="true">
      {drawn.map(({ treeId, similarity }) => {
        const tree = forest.trees[treeId];
        return (
          <span
            key={treeId}
            className={styles.bar}
            data-chosen={(!isNew && treeId === chosen) || undefined}
            style={{
              height: Math.max(2, HEIGHT * Math.min(1, similarity)),
              background: tree === undefined ? 'var(--ink-3)' : topicColour(tree.order),
            }}
          />
        );
      })}
      {isNew && <span className={styles.bar} data-new data-chosen />}
    </span>
  );
};

const inWords = (forest: Forest, node: Node, trace: Trace): string => {
  const gate = gateOf(trace);
  const tree = forest.trees[decidedTopic(node)];
  const near = trace.fork.candidates.find(({ nodeId }) => nodeId === trace.fork.point)?.similarity;
  const similarity = near === undefined ? '' : `, similarity ${ratio(near)}`;
  const theta = trace.fork.theta === null ? '' : ` against θ ${ratio(trace.fork.theta)}`;
  const { action } = branchWords(node);
  return [
    `Topic: ${topicWords(node.decision)} ${node.decision.topic === 'create-topic' ? '' : (tree?.title ?? '')}`.trim(),
    `Gate: ${gate.state === 'none' ? 'not come to' : gate.state}, ${gate.words}${similarity}${near === undefined ? '' : theta}`,
    `Branch: ${action} ${outcome(forest, node)}`,
  ].join('. ');
};
