import type { PendingTurn } from '../../domain/forest.ts';
import messageCss from './message.module.css';
import styles from './turn.module.css';

/** A message that is kept and has no place yet. */
export const PendingTurnView = ({ turn }: { turn: PendingTurn }) => (
  <article aria-label={`Turn ${turn.number}`} className={styles.turn} data-pending="true">
    <div className={messageCss.message}>
      <span className={messageCss.number}>{turn.number}</span>
      <p>{turn.message}</p>
    </div>
    <p className={styles.waiting}>
      <span className={styles.dots} aria-hidden />
      finding its place…
    </p>
  </article>
);
