import type { Trace } from '../../domain/decision.ts';
import type { Forest } from '../../domain/forest.ts';
import { ratio } from '../parts/format.ts';
import { topicColour } from '../topic-colour.ts';
import styles from './decision-picture.module.css';
import type { Gate } from './gate-words.ts';
import { scaleFor } from './scale.ts';

interface Props {
  readonly forest: Forest;
  readonly trace: Trace;
  readonly gate: Gate;
}

/** Similarities as dots on a line; from θ on the way is open. The turn that the gate looked at is ringed. */
export const GatePicture = ({ forest, trace, gate }: Props) => {
  const { theta, candidates, point } = trace.fork;
  const scale = scaleFor(candidates.map(({ similarity }) => similarity));
  if (candidates.length === 0) return <span className={styles.axis} data-empty aria-hidden="true" />;
  return (
    <span className={styles.axis} data-gate={gate.state} aria-hidden="true">
      {theta !== null && (
        <>
          <span className={styles.beyond} style={{ left: `${scale.at(theta)}%` }} />
          <span className={styles.theta} style={{ left: `${scale.at(theta)}%` }} />
          <span className={styles.tick} style={{ left: `${scale.at(theta)}%` }}>
            θ {ratio(theta)}
          </span>
        </>
      )}
      {candidates.map(({ nodeId, similarity }) => (
        <span
          key={nodeId}
          className={styles.dot}
          data-point={nodeId === point || undefined}
          style={{
            left: `${scale.at(similarity)}%`,
            background: topicColour(forest.trees[forest.nodes[nodeId]?.treeId ?? '']?.order ?? 0),
          }}
        />
      ))}
    </span>
  );
};
