import type { Reply } from '../../domain/forest.ts';
import { count, duration } from '../parts/format.ts';
import { type Pace, paceOf, speedWords } from '../parts/turn-words.ts';
import styles from './turn.module.css';

/** How fast a language model replied, and how much of the prompt it had to read for it. */
export const UsageLine = ({ reply }: { reply: Reply }) => {
  const pace = paceOf(reply);
  const words = pace === null ? '' : paceWords(pace);
  return words === '' ? null : <p className={styles.usage}>{words}</p>;
};

const paceWords = ({ speed, firstToken, prefilled, reused }: Pace): string =>
  [
    speed === null ? '' : speedWords(speed),
    firstToken === null ? '' : `first token after ${duration(firstToken)}`,
    prefilled === null ? '' : `${count(prefilled)} prefilled`,
    reused === null ? '' : `${count(reused)} reused`,
  ]
    .filter((part) => part !== '')
    .join(' · ');
