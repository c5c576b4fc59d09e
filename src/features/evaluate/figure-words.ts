import { count } from '../../ui/parts/format.ts';
import type { EvaluatedPlace, Figure } from './evaluation-port.ts';

/** `0.61`, or `1,204` tokens. */
export const figureText = (value: number, unit: 'share' | 'tokens'): string =>
  unit === 'tokens' ? count(value) : value.toFixed(2);

/** Which of a set's dialogues or turns a table is of; empty for all. */
export const partWords = (dataset: string): string =>
  Object.entries(PARTS).find(([end]) => dataset.endsWith(end))?.[1] ?? '';

const PARTS = {
  '-undisputed': 'where the annotators agreed',
  '-en': 'in English',
  '-other': 'in other languages',
};

/** Where an interval and its figure lie between 0 and the most, in percent. */
export const spanOf = ({ value, low, high }: Figure, most: number) => {
  const percent = (part: number) => (most === 0 ? 0 : Math.round((1000 * part) / most) / 10);
  return { left: percent(low), width: percent(high - low), dot: percent(value) };
};

/** Where a turn goes, e.g. `new branch from turn 3`. */
export const placeWords = ({ topic, branch, parent }: EvaluatedPlace): string => {
  if (parent === null) return 'new topic';
  const turn = `turn ${parent + 1}`;
  const where = {
    'continue-branch': `goes on from ${turn}`,
    'create-branch': `new branch from ${turn}`,
    'switch-branch': `goes on with the branch of ${turn}`,
  }[branch ?? 'continue-branch'];
  return topic === 'switch-topic' ? `back to the topic of ${turn}, ${where.replace(` ${turn}`, ' it')}` : where;
};

export const samePlace = (gold: EvaluatedPlace, predicted: EvaluatedPlace): boolean =>
  gold.topic === predicted.topic && gold.parent === predicted.parent;
