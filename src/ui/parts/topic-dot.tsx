import { topicColour } from '../topic-colour.ts';
import styles from './topic-dot.module.css';

/** A topic's colour. Says nothing that the title beside it does not say. */
export const TopicDot = ({ order }: { order: number }) => (
  <span aria-hidden className={styles.dot} style={{ background: topicColour(order) }} />
);
