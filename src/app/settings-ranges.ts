import type { Parameters } from '../engine/parameters.ts';

/** Between which numbers a parameter lies, both included. */
export interface NumberRange {
  readonly least: number;
  readonly most: number;
  /** Whether only whole numbers will do. */
  readonly whole: boolean;
  /** What stands for no number, where there may be none. */
  readonly none?: number | null;
}

export type NumberName = { [N in keyof Parameters]: Parameters[N] extends boolean ? never : N }[keyof Parameters];
type FlagName = Exclude<keyof Parameters, NumberName>;

/** Tokens: longer than any window that a browser holds. */
const MOST_TOKENS = 131_072;

const tokens = (least: number): NumberRange => ({ least, most: MOST_TOKENS, whole: true });
const turns = (most: number): NumberRange => ({ least: 1, most, whole: true });
const share: NumberRange = { least: 0, most: 1, whole: false };

/** What the engine can work with. */
export const NUMBERS: Readonly<Record<NumberName, NumberRange>> = {
  k: turns(50),
  theta: { ...share, none: null },
  overviewBudget: tokens(0),
  overviewLineBudget: tokens(1),
  pathShare: share,
  pathFloor: tokens(0),
  sureFrom: share,
  // No share is more than 1, so that nothing is sent.
  neededFrom: { ...share, none: 2 },
  unsureBudget: tokens(0),
  lastTurns: turns(1000),
  retrievedTurns: turns(1000),
  contextBudget: { ...tokens(1), none: null },
  memoryK: { ...turns(50), none: null },
  threadDecay: share,
  threadThreshold: { ...share, none: null },
  memtreeThreshold: share,
  replyReserve: tokens(1),
  patience: { least: 100, most: 600_000, whole: true },
};

const FLAGS: Readonly<Record<FlagName, true>> = { spareDirectParent: true, fittedNeed: true };

const inRange = (value: unknown, { least, most, whole, none }: NumberRange): boolean => {
  if (value === none && none !== undefined) return true;
  return typeof value === 'number' && value >= least && value <= most && (!whole || Number.isInteger(value));
};

/** Whether a parameter can have a value. */
export const canBe = (name: string, value: unknown): boolean => {
  if (Object.hasOwn(FLAGS, name)) return typeof value === 'boolean';
  return Object.hasOwn(NUMBERS, name) && inRange(value, NUMBERS[name as NumberName]);
};
