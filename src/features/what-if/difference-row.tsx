import { useEffect, useRef } from 'react';
import type { Forest, NodeId } from '../../domain/forest.ts';
import type { Difference, Place } from '../../engine/history/difference.ts';
import { count } from '../../ui/parts/format.ts';
import styles from './differences.module.css';
import { movedWords, placeWords, sureWords, whyWords } from './place-words.ts';
import { tokensOf } from './shape-of.ts';
import type { Outcome } from './what-if-run.ts';

/** A turn with both of its places, and chosen, with both of its reasons. */
export const DifferenceRow = ({
  outcome: { origin, rerun },
  difference: { nodeId, number, before, after },
  selected,
  onSelect,
}: {
  outcome: Outcome;
  difference: Difference;
  selected: boolean;
  onSelect: (nodeId: NodeId | null) => void;
}) => {
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (selected) row.current?.scrollIntoView({ block: 'nearest' });
  }, [selected]);
  const message = (rerun.forest.nodes[nodeId] ?? origin.forest.nodes[nodeId])?.message ?? '';
  return (
    <li ref={row} className={styles.row} data-selected={selected}>
      <button type="button" aria-expanded={selected} onClick={() => onSelect(selected ? null : nodeId)}>
        <i>
          <span className="visually-hidden">Turn </span>
          {number}
        </i>
        <span className={styles.message}>{message}</span>
        <span className={styles.places}>
          <Line word="is" forest={origin.forest} place={before} />
          <Line word="what if" forest={rerun.forest} place={after} />
        </span>
      </button>
      {selected && (
        <div className={styles.reasons}>
          <Why title="As it is" forest={origin.forest} place={before} tokens={tokensOf(origin.forest, nodeId)} />
          <Why title="What if" forest={rerun.forest} place={after} tokens={tokensOf(rerun.forest, nodeId)} />
        </div>
      )}
    </li>
  );
};

const Line = ({ word, forest, place }: { word: string; forest: Forest; place: Place | null }) => (
  <span data-word={word}>
    <em>{word}</em>{' '}
    {place === null
      ? 'not there'
      : [placeWords(forest, place), movedWords(forest, place)].filter((part) => part !== null).join('; ')}
  </span>
);

const Why = ({
  title,
  forest,
  place,
  tokens,
}: {
  title: string;
  forest: Forest;
  place: Place | null;
  tokens: number | null;
}) => {
  const facts = [
    place?.decision.trace?.decider,
    place === null ? null : sureWords(place),
    tokens === null ? null : `${count(tokens)} tokens`,
  ].filter((fact) => fact != null);
  return (
    <div>
      <h4>{title}</h4>
      <p className={styles.facts}>{facts.join(' · ')}</p>
      <ul>{place !== null && whyWords(forest, place).map((words) => <li key={words}>{words}</li>)}</ul>
    </div>
  );
};
