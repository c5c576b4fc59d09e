import { CircleHelp } from 'lucide-react';
import { shownForest } from '../../app/state.ts';
import type { Forest, Node } from '../../domain/forest.ts';
import { type OtherPlace, unsureOf } from '../../engine/place/unsure.ts';
import { useActions, useApp, useAppState } from '../app-context.ts';
import { percent } from '../parts/format.ts';
import styles from './why-line.module.css';

/** Where the decider was unsure of a turn: the places that it thought of besides, one click away. */
export const UnsureLine = ({ node }: { node: Node }) => {
  useApp((state) => shownForest(state).trees);
  const forest = shownForest(useAppState()());
  const unsure = unsureOf(forest, node);
  const { correct } = useActions();
  if (unsure === null) return null;
  return (
    <div className={styles.unsure}>
      <CircleHelp size={13} className={styles.icon} aria-hidden />
      <span className={styles.fact}>{percent(unsure.confidence)} sure. Or is it</span>
      {unsure.others.map((other) => {
        const words = placeWords(forest, other);
        return (
          <button
            key={words}
            type="button"
            className={styles.place}
            aria-label={`Move turn ${node.number} to ${words}`}
            title={percent(other.confidence)}
            onClick={() => void correct(node.id, other.target)}
          >
            {words}
          </button>
        );
      })}
    </div>
  );
};

/** What a button says that moves the turn there. */
const placeWords = ({ nodes, trees }: Forest, { action, target }: OtherPlace): string => {
  if (target.kind !== 'under') return 'a new topic';
  const under = nodes[target.nodeId];
  if (action.endsWith('-topic')) return `“${trees[under?.treeId ?? '']?.title ?? ''}”`;
  return action === 'create-branch' ? `a branch from turn ${under?.number}` : `after turn ${under?.number}`;
};
