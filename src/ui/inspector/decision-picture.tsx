import type { CSSProperties } from 'react';
import type { BranchAction, Trace } from '../../domain/decision.ts';
import type { Forest, Node } from '../../domain/forest.ts';
import { branchTaken } from '../../domain/queries.ts';
import { ratio } from '../parts/format.ts';
import { topicColour } from '../topic-colour.ts';
import styles from './decision-picture.module.css';
import { answerColour, scaleFor } from './decision-steps.tsx';
import {
  type AnswerWeights,
  answerWords,
  branchWeighing,
  branchWords,
  decidedTopic,
  forkTaken,
  type Gate,
  gateOf,
  opensGate,
  topicTitle,
  topicWeighing,
  topicWords,
} from './decision-words.ts';

/** How many topics fit in the picture. */
const DRAWN = 7;
/** Height of the tallest bar, in pixels. */
const HEIGHT = 34;

interface Props {
  readonly forest: Forest;
  readonly node: Node;
  readonly trace: Trace;
}

/** The decision at a glance: the topics it chose among, the gate, and the outcome. Words and numbers follow below. */
export const DecisionPicture = ({ forest, node, trace }: Props) => {
  const chosen = decidedTopic(node);
  const tree = forest.trees[chosen];
  const colour = tree === undefined ? 'var(--ink-3)' : topicColour(tree.order);
  const gate = gateOf(trace);
  const [topics, branches] = [topicWeighing(trace), branchWeighing(trace)];
  return (
    <figure
      className={styles.picture}
      aria-label={inWords(forest, node, trace)}
      style={{ '--c': colour } as CSSProperties}
    >
      <div className={styles.step}>
        <span className={styles.what}>Topic</span>
        {topics === null ? (
          <Topics forest={forest} trace={trace} isNew={node.decision.topic === 'create-topic'} chosen={chosen} />
        ) : (
          <Chances forest={forest} weighing={topics} />
        )}
        <span className={styles.said} title={tree?.title}>
          {topicWords(node.decision)} <b dir="auto">{enteredTopic(forest, node, trace)}</b>
          {topics !== null && <Odds words={chanceWords(forest, topics)} />}
        </span>
      </div>
      <div className={styles.step} data-gate={gate.state}>
        <span className={styles.what}>Gate</span>
        <GatePicture forest={forest} node={node} trace={trace} gate={gate} />
        <span className={styles.said} title={gate.words}>
          <b>{gate.name}</b>: {gate.words}
        </span>
      </div>
      <div className={styles.step}>
        <span className={styles.what}>Branch</span>
        <OutcomePicture branch={branchTaken(forest, node)} />
        <span className={styles.said}>
          <b>{branchWords(node, branchTaken(forest, node)).action}</b> {outcome(forest, node)}
          {branches !== null && <Odds words={chanceWords(forest, branches)} />}
        </span>
      </div>
    </figure>
  );
};

const outcome = (forest: Forest, node: Node): string => {
  const { link, at } = branchWords(node, branchTaken(forest, node));
  if (at === null) return link;
  const number = forest.nodes[at]?.number;
  return `${link} ${number === undefined ? 'a deleted turn' : `turn ${number}`}`;
};

const Odds = ({ words }: { words: string }) => <span className={styles.odds}> · {words}</span>;

/** `0.83, then a new topic 0.12`: the probability of the answer and the runner-up. */
const chanceWords = (forest: Forest, { answers: [chosen, rival] }: AnswerWeights): string => {
  const next = rival === undefined ? '' : `, then ${answerWords(forest, rival)} ${ratio(rival.chance)}`;
  return `${ratio(chosen?.chance ?? 0)}${next}`;
};

/** One bar per weighed answer, as tall as it was likely; the given one stands out. */
const Chances = ({ forest, weighing: { answers, others } }: { forest: Forest; weighing: AnswerWeights }) => (
  <span className={styles.topics} aria-hidden="true">
    {answers.map(({ action, at, chance, chosen }) => (
      <span
        key={`${action} ${at}`}
        className={styles.bar}
        data-chosen={chosen || undefined}
        data-opens={action === 'create-topic' || undefined}
        style={{ height: Math.max(2, HEIGHT * chance), '--of': answerColour(forest, at) } as CSSProperties}
      />
    ))}
    {others >= 0.005 && (
      <span
        className={styles.bar}
        style={{ height: Math.max(2, HEIGHT * others), '--of': 'var(--line-2)' } as CSSProperties}
      />
    )}
  </span>
);

/** Without probabilities: one bar per topic considered, as tall as the message is near; the chosen one stands out. */
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
            style={
              {
                height: Math.max(2, HEIGHT * Math.min(1, similarity)),
                '--of': tree === undefined ? 'var(--ink-3)' : topicColour(tree.order),
              } as CSSProperties
            }
          />
        );
      })}
      {isNew && <span className={styles.bar} data-new data-chosen />}
    </span>
  );
};

/** The title of the topic that the turn went into; none if it opened one. */
const enteredTopic = (forest: Forest, node: Node, trace: Trace): string =>
  node.decision.topic === 'create-topic' ? '' : topicTitle(forest, trace, decidedTopic(node));

const inWords = (forest: Forest, node: Node, trace: Trace): string => {
  const gate = gateOf(trace);
  const near = trace.fork.candidates.find(({ nodeId }) => nodeId === trace.fork.point)?.similarity;
  const similarity = near === undefined ? '' : `, similarity ${ratio(near)}`;
  const theta = trace.fork.theta === null ? '' : ` against θ ${ratio(trace.fork.theta)}`;
  const { action } = branchWords(node, branchTaken(forest, node));
  const [topics, branches] = [topicWeighing(trace), branchWeighing(trace)].map((weighing) =>
    weighing === null ? '' : `, ${chanceWords(forest, weighing)}`,
  );
  const topic = `${topicWords(node.decision)} ${enteredTopic(forest, node, trace)}`;
  // Without a gate, no number was compared with θ; nor was that of another place that the decider named.
  const isCompared = gate.state === 'shut' || (gate.state === 'open' && opensGate(trace.fork));
  const numbers = near !== undefined && isCompared ? `${similarity}${theta}` : '';
  return [
    `Topic: ${topic.trim()}${topics}`,
    `Gate: ${gate.name.toLowerCase()}, ${gate.words}${numbers}`,
    `Branch: ${action} ${outcome(forest, node)}${branches}`,
  ].join('. ');
};

interface GateProps {
  readonly forest: Forest;
  readonly node: Node;
  readonly trace: Trace;
  readonly gate: Gate;
}

/**
 * Similarities as dots on a line; the gate is open from θ on. The ring marks the turn the gate looked at, or, without a
 * gate, the one the message forks from.
 */
const GatePicture = ({ forest, node, trace, gate }: GateProps) => {
  const { candidates } = trace.fork;
  const isGated = gate.state !== 'none';
  const theta = isGated ? trace.fork.theta : null;
  const point = isGated ? trace.fork.point : forkTaken(node, branchTaken(forest, node));
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

/** Lines and dots of a small tree; the filled dot is the turn. */
const SHAPES = {
  new: { lines: [], dots: [[24, 18]], at: [72, 18] },
  continue: {
    lines: ['M16 18H72'],
    dots: [
      [16, 18],
      [44, 18],
    ],
    at: [72, 18],
  },
  create: {
    lines: ['M16 10H72', 'M16 10C34 10 32 27 52 27H72'],
    dots: [
      [16, 10],
      [44, 10],
      [72, 10],
    ],
    at: [72, 27],
  },
  switch: {
    lines: ['M16 10H52', 'M16 10C34 10 32 27 52 27H72'],
    dots: [
      [16, 10],
      [52, 10],
      [50, 27],
    ],
    at: [76, 27],
  },
} as const;

const shapeOf = (branch: BranchAction | null): keyof typeof SHAPES => {
  switch (branch) {
    case null:
      return 'new';
    case 'continue-branch':
      return 'continue';
    case 'create-branch':
      return 'create';
    case 'switch-branch':
      return 'switch';
  }
};

/** How the turn is attached: in a new topic, after the last one, as a new branch, or at the end of another branch. */
const OutcomePicture = ({ branch }: { branch: BranchAction | null }) => {
  const { lines, dots, at } = SHAPES[shapeOf(branch)];
  return (
    <svg className={styles.outcome} viewBox="0 0 88 36" width="88" height="36" aria-hidden="true">
      {lines.map((line) => (
        <path key={line} d={line} />
      ))}
      {dots.map(([x, y]) => (
        <circle key={`${x} ${y}`} cx={x} cy={y} r="3.5" />
      ))}
      <circle data-turn="" cx={at[0]} cy={at[1]} r="5" />
    </svg>
  );
};
