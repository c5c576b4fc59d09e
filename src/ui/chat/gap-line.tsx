import type { CSSProperties } from 'react';
import { shownForest } from '../../app/state.ts';
import { useActions, useApp } from '../app-context.ts';
import { topicColour } from '../topic-colour.ts';
import styles from './gap-line.module.css';
import type { Gap } from './linear.ts';

/** Says what was said elsewhere in between; a click shows the last of it. */
export const GapLine = ({ gap }: { gap: Gap }) => {
  const { select } = useActions();
  const order = useApp((state) => (gap.topic === null ? undefined : shownForest(state).trees[gap.topic]?.order));
  return (
    <div className={styles.gap}>
      <button
        type="button"
        className={styles.chip}
        style={order === undefined ? undefined : ({ '--c': topicColour(order) } as CSSProperties)}
        onClick={() => select(gap.lastId)}
      >
        {gap.words}
      </button>
    </div>
  );
};
