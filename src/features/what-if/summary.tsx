import { useMemo } from 'react';
import { count, counted } from '../../ui/parts/format.ts';
import { shapeOf } from './shape-of.ts';
import styles from './summary.module.css';
import { movedIn } from './sweep.ts';
import type { Outcome } from './what-if-run.ts';
import { otherwiseWords } from './what-if-title.ts';

/** How many turns moved, and what the forest and its contexts come to: as it is, and as it would have been. */
export const Summary = ({ outcome }: { outcome: Outcome }) => {
  const { origin, rerun, differences } = outcome;
  const [before, after] = useMemo(() => [shapeOf(origin.forest), shapeOf(rerun.forest)], [origin, rerun]);
  const moved = movedIn(differences);
  const others = differences.length - moved;
  return (
    <header className={styles.summary}>
      <div className={styles.headline}>
        <h3>
          {moved === 0 ? 'No turn would have moved' : `${counted(moved, 'turn')} would have moved`}
          <span> of {counted(rerun.decided.size, 'turn')} decided anew</span>
        </h3>
        <p>
          Otherwise: {otherwiseWords(rerun.question)}
          {others > 0 && ` · ${counted(others, 'other turn')} followed`}
        </p>
      </div>
      <dl className={styles.figures}>
        <Figure name="topics" before={before.topics} after={after.topics} />
        <Figure name="branches" before={before.branches} after={after.branches} />
        <Figure name="forks" before={before.forks} after={after.forks} />
        <Figure name="tokens" before={before.tokens} after={after.tokens} />
        <Figure
          name="a turn"
          before={Math.round(before.tokens / Math.max(1, before.turns))}
          after={Math.round(after.tokens / Math.max(1, after.turns))}
        />
      </dl>
    </header>
  );
};

const Figure = ({ name, before, after }: { name: string; before: number; after: number }) => (
  <div className={styles.figure} data-same={before === after}>
    <dt>{name}</dt>
    <dd>
      {before === after ? (
        count(after)
      ) : (
        <>
          <span>{count(before)}</span>
          <span aria-hidden> → </span>
          <span className="visually-hidden"> would have been </span>
          <b>{count(after)}</b>
        </>
      )}
    </dd>
  </div>
);
