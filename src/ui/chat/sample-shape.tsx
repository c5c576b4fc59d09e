import { topicColour } from '../topic-colour.ts';
import styles from './sample-card.module.css';

interface Stem {
  readonly order: number;
  readonly path: string;
}

/** One small drawing a sample: topics as stems in their colours, forks where minds are changed. */
const SHAPES: readonly (readonly Stem[])[] = [
  [
    { order: 0, path: 'M8 46V12' },
    { order: 1, path: 'M22 46V10M22 30C22 22 32 24 32 14' },
    { order: 2, path: 'M42 46V26' },
  ],
  [
    { order: 0, path: 'M18 46V10M18 36C18 28 8 30 8 18M18 26C18 18 29 20 29 10' },
    { order: 3, path: 'M42 46V28' },
  ],
  [
    { order: 0, path: 'M7 46V22' },
    { order: 1, path: 'M19 46V12' },
    { order: 2, path: 'M31 46V26' },
    { order: 4, path: 'M43 46V16' },
  ],
];

export const SampleShape = ({ index }: { index: number }) => (
  <svg
    className={styles.shape}
    viewBox="0 0 50 50"
    width="44"
    height="44"
    fill="none"
    strokeWidth="3"
    strokeLinecap="round"
    aria-hidden
  >
    {SHAPES[index % SHAPES.length]?.map(({ order, path }) => (
      <path key={order} d={path} stroke={topicColour(order)} />
    ))}
  </svg>
);
