import type { CSSProperties, ReactNode } from 'react';
import type { PathQuestionRecord, PersonalEffect, Trace } from '../../domain/decision.ts';
import type { Forest, Node, NodeId } from '../../domain/forest.ts';
import { capitalised, clamp } from '../../domain/numbers.ts';
import { beginning, branchTaken } from '../../domain/queries.ts';
import { useActions } from '../app-context.ts';
import { ratio } from '../parts/format.ts';
import { Ellipsis } from '../parts/text.tsx';
import { topicColour } from '../topic-colour.ts';
import barCss from './bars.module.css';
import {
  type AnswerReasons,
  type AnswerWeights,
  answerWords,
  beforeReplyWords,
  branchReasons,
  branchRuleWords,
  branchSource,
  branchWeighing,
  branchWords,
  decidedTopic,
  forkTaken,
  personalWords,
  topicReasons,
  topicRuleWords,
  topicSource,
  topicTitle,
  topicWeighing,
  topicWords,
} from './decision-words.ts';
import inlineCss from './inline.module.css';
import sectionCss from './section.module.css';
import { CollapsedList, Reasons, Section, TopicChip, TurnLink } from './section.tsx';

/** Topics shown before "show all". */
const FIRST_TOPICS = 6;

/** Step 1: the topic. */
export const TopicSection = ({ forest, node, trace }: { forest: Forest; node: Node; trace: Trace }) => {
  const chosen = decidedTopic(node);
  const candidates = trace.topic.candidates.toSorted(
    (a, b) => Number(b.treeId === chosen) - Number(a.treeId === chosen) || b.similarity - a.similarity,
  );
  const scale = scaleFor(candidates.map(({ similarity }) => similarity));
  const rule = topicRuleWords(trace);
  const before = beforeReplyWords(forest, trace);
  const { answer, target } = trace.topic;
  return (
    <Section step={1} title="Topic" aside={topicSource(trace)}>
      <p className={sectionCss.outcome}>
        <b>{topicWords(node.decision)}</b>{' '}
        <TopicChip forest={forest} treeId={chosen} titleThen={topicTitle(forest, trace, chosen)} />
      </p>
      {rule !== null && <p className={sectionCss.note}>{rule}</p>}
      {before !== null && <p className={sectionCss.note}>{before}</p>}
      <PathsAsked of={node.id} forest={forest} paths={trace.topic.paths ?? []} />
      {answer?.personal && <PersonalNote forest={forest} personal={answer.personal} chosen={{ ...answer, target }} />}
      <Answers forest={forest} weighing={topicWeighing(trace)} />
      <WeighedReasons reasons={topicReasons(forest, trace)} />
      {candidates.length > 0 && <p className={sectionCss.subheading}>Similarity of the message to each topic</p>}
      <CollapsedList of={node.id} items={candidates} first={FIRST_TOPICS}>
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
      </CollapsedList>
    </Section>
  );
};

/** Every answer the decider weighed, as a bar with its probability; the chosen one first. */
const Answers = ({ forest, weighing }: { forest: Forest; weighing: AnswerWeights | null }) => {
  if (weighing === null) return null;
  const { answers, others } = weighing;
  return (
    <ul className={barCss.answers} aria-label="Probability of each answer">
      {answers.map((answer) => (
        <SimilarityRow
          key={`${answer.action} ${answer.at}`}
          label={capitalised(answerWords(forest, answer))}
          value={answer.chance}
          colour={answerColour(forest, answer.at)}
          scale={CHANCES}
          strong={answer.chosen}
        />
      ))}
      {others >= 0.005 && (
        <SimilarityRow label="All others" value={others} colour="var(--line-2)" scale={CHANCES} strong={false} />
      )}
    </ul>
  );
};

/** The colour of a topic, or of a turn's topic; grey for anything in none. */
export const answerColour = (forest: Forest, at: string | null): string => {
  const tree = forest.trees[at ?? ''] ?? forest.trees[forest.nodes[at ?? '']?.treeId ?? ''];
  return tree === undefined ? 'var(--ink-3)' : topicColour(tree.order);
};

const WeighedReasons = ({ reasons }: { reasons: AnswerReasons | null }) =>
  reasons !== null && <Reasons reasons={reasons.rows} head={reasons.head} sum={reasons.sum} />;

/** Turns shown before "show all". */
const FIRST_TURNS = 8;

/** Step 2: the turns of the topic that are nearest to the message, against θ where the policy retrieves any. */
export const ForkSection = ({ forest, node, trace }: { forest: Forest; node: Node; trace: Trace }) => {
  const { theta, candidates, point } = trace.fork;
  const taken = forkTaken(node, branchTaken(forest, node));
  const isGated = trace.branch.rule !== 'asked-ungated';
  const isListed = candidates.some(({ nodeId }) => nodeId === taken);
  const scale = scaleFor(candidates.map(({ similarity }) => similarity));
  return (
    <Section
      step={2}
      title="Fork point"
      aside={theta === null ? 'not retrieved' : isGated ? `θ ${ratio(theta)} · ${trace.embedder}` : trace.embedder}
    >
      {candidates.length === 0 && (
        <p className={sectionCss.note}>
          {theta === null ? 'This policy retrieves no turns.' : 'This topic has nothing to compare the message with.'}
        </p>
      )}
      <CollapsedList of={node.id} items={candidates} first={FIRST_TURNS}>
        {({ nodeId, similarity }) => (
          <SimilarityRow
            key={nodeId}
            label={<Candidate forest={forest} nodeId={nodeId} />}
            value={similarity}
            colour={colourOf(forest, nodeId)}
            scale={scale}
            {...(theta === null || !isGated ? {} : { theta })}
            strong={nodeId === taken}
            {...(nodeId === point && nodeId !== taken && isGated && { mark: '(looked at)' })}
          />
        )}
      </CollapsedList>
      {candidates.length > 0 && taken === null && <p className={sectionCss.note}>No fork: the branch continues.</p>}
      {taken !== null && !isListed && (
        <p className={sectionCss.note}>
          {node.decision.branch === 'switch-branch' ? 'It goes on from' : 'It forks from'}{' '}
          <TurnLink forest={forest} nodeId={taken} />, which is none of the nearest.
        </p>
      )}
    </Section>
  );
};

const colourOf = (forest: Forest, nodeId: NodeId): string => {
  const tree = forest.trees[forest.nodes[nodeId]?.treeId ?? ''];
  return tree === undefined ? 'var(--ink-3)' : topicColour(tree.order);
};

const Candidate = ({ forest, nodeId }: { forest: Forest; nodeId: NodeId }) => {
  const { select } = useActions();
  const node = forest.nodes[nodeId];
  if (node === undefined) return 'A deleted turn';
  const { number, message } = node;
  return (
    <button type="button" className={inlineCss.rowLink} title={beginning(message, 400)} onClick={() => select(nodeId)}>
      <span className={inlineCss.number}>{number}</span> {beginning(message, 120)}
    </button>
  );
};

/** Step 3: the branch, and which rule decided it. */
export const BranchSection = ({ forest, node, trace }: { forest: Forest; node: Node; trace: Trace }) => {
  const { action, link, at } = branchWords(node, branchTaken(forest, node));
  const { answer, settled } = trace.branch;
  return (
    <Section step={3} title="Branch" aside={branchSource(trace)}>
      <p className={sectionCss.outcome}>
        <b>{action}</b> {link} {at !== null && <TurnLink forest={forest} nodeId={at} />}
      </p>
      <p className={sectionCss.note}>{branchRuleWords(forest, trace)}</p>
      {settled !== null && <p className={sectionCss.note}>{sentence(settled)}</p>}
      {answer?.personal && (
        <PersonalNote forest={forest} personal={answer.personal} chosen={{ ...answer, target: answer.point ?? null }} />
      )}
      <Answers forest={forest} weighing={branchWeighing(trace)} />
      <WeighedReasons reasons={branchReasons(forest, trace)} />
    </Section>
  );
};

const sentence = (words: string): string => `${capitalised(words).replace(/\.$/, '')}.`;

interface SimilarityProps {
  readonly label: ReactNode;
  /** A short note that is never truncated. */
  readonly mark?: string;
  readonly value: number;
  readonly colour: string;
  readonly scale: Scale;
  /** Drawn across the bar, if set. */
  readonly theta?: number;
  /** The candidate was chosen. */
  readonly strong: boolean;
}

/** A candidate with its cosine as a bar; a negative one extends left from zero. */
const SimilarityRow = ({ label, mark, value, colour, scale, theta, strong }: SimilarityProps) => {
  const [from, to] = [scale.zero, scale.at(value)].sort((a, b) => a - b) as [number, number];
  const fill: CSSProperties = { left: `${from}%`, width: `${to - from}%`, background: colour };
  return (
    <li className={barCss.similarity} data-strong={strong || undefined}>
      <span className={barCss.candidate}>
        <Ellipsis fit>{label}</Ellipsis>
        {mark !== undefined && <span className={barCss.was}>{mark}</span>}
        {strong && <span className="visually-hidden"> (chosen)</span>}
      </span>
      <span className={barCss.bar} aria-hidden="true">
        <span className={barCss.fill} style={fill} />
        {scale.zero > 0 && <span className={barCss.zero} style={{ left: `${scale.zero}%` }} />}
        {theta !== undefined && <span className={barCss.theta} style={{ left: `${scale.at(theta)}%` }} />}
      </span>
      <span className={inlineCss.figure}>{ratio(value)}</span>
    </li>
  );
};

/** Paths shown before "show all". */
const FIRST_PATHS = 6;

/** The paths that were asked about, in order, each with its answer. */
const PathsAsked = ({ of, forest, paths }: { of: NodeId; forest: Forest; paths: readonly PathQuestionRecord[] }) =>
  paths.length > 0 && (
    <div className={barCss.asked}>
      <CollapsedList of={of} items={paths} first={FIRST_PATHS} label="Paths asked about">
        {(path) => <Path key={path.leaf} forest={forest} path={path} />}
      </CollapsedList>
    </div>
  );

const Path = ({ forest, path: { leaf, yes, confidence } }: { forest: Forest; path: PathQuestionRecord }) => {
  const treeId = forest.nodes[leaf]?.treeId;
  return (
    <li className={barCss.path} data-yes={yes || undefined}>
      <Ellipsis fit>{treeId !== undefined && <TopicChip forest={forest} treeId={treeId} />}</Ellipsis>
      <span>
        to <TurnLink forest={forest} nodeId={leaf} />
      </span>
      <b>{yes ? 'yes' : 'no'}</b>
      {confidence !== null && <span className={inlineCss.figure}>sure {ratio(confidence)}</span>}
    </li>
  );
};

interface PersonalNoteProps {
  readonly forest: Forest;
  readonly personal: PersonalEffect;
  readonly chosen: Parameters<typeof personalWords>[2];
}

/** What the user's corrections did to an answer; a single quiet line if they only shifted it. */
const PersonalNote = ({ forest, personal, chosen }: PersonalNoteProps) => {
  const { changed, text } = personalWords(forest, personal, chosen);
  if (!changed) return <p className={sectionCss.quiet}>{text}</p>;
  return (
    <div className={sectionCss.personal}>
      <p>{text}</p>
      <Reasons reasons={personal.reasons} />
    </div>
  );
};

/** Positions on a bar from 0 to 100, for cosines. */
interface Scale {
  /** Where 0 lies: at the left end unless a value is negative. */
  readonly zero: number;
  readonly at: (value: number) => number;
}

/** For probabilities. */
const CHANCES: Scale = { zero: 0, at: (value) => 100 * value };

/** A scale that covers all values, and at least 0 to 1. */
export const scaleFor = (values: readonly number[]): Scale => {
  const lowest = Math.max(-1, Math.min(0, ...values));
  const at = (value: number) => (100 * (clamp(value, lowest, 1) - lowest)) / (1 - lowest);
  return { zero: at(0), at };
};
