import type { Decision } from '../../domain/decision.ts';
import styles from './decision-picture.module.css';

/** Lines and dots of a small tree; the dot that is full is the turn. */
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

const shapeOf = ({ branch }: Decision): keyof typeof SHAPES => {
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

/** How the turn hangs: in a new topic, after the last one, as a new branch, or at the end of another branch. */
export const OutcomePicture = ({ decision }: { decision: Decision }) => {
  const { lines, dots, at } = SHAPES[shapeOf(decision)];
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
