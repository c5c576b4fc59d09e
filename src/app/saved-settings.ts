import * as z from 'zod/mini';
import type { Trace } from '../domain/decision.ts';
import { MOST_TOKENS } from '../domain/reply.ts';
import { ALL_POLICIES, policyNamed } from '../engine/context/policies/policies.ts';
import { defaultParameters, type Parameters } from '../engine/parameters.ts';
import {
  isAsShipped,
  isSameSettings,
  type Prompts,
  type Settings,
  SHIPPED_SETTINGS,
  usedSettings,
} from '../engine/settings.ts';

/** Prompts the user can set. */
export const PROMPT_NAMES = ['topic', 'branch', 'summary', 'title'] as const satisfies readonly (keyof Prompts)[];

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const KnownPolicy = z.string().check(z.refine((name) => ALL_POLICIES.some((policy) => policy.name === name)));
const SomeParameters = z.custom<Partial<Parameters>>(
  (value) => isRecord(value) && Object.entries(value).every(([name, of]) => canBe(name, of)),
);
const SomePrompts = z.custom<Partial<Prompts>>(
  (value) =>
    isRecord(value) &&
    Object.entries(value).every(([name, text]) => (PROMPT_NAMES as readonly string[]).includes(name) && isPrompt(text)),
);

/** A prompt of only whitespace would ask for nothing. */
export const isPrompt = (text: unknown): text is string => typeof text === 'string' && text.trim() !== '';

/** The engine's settings as stored. Anything left out has its default. */
const SavedSettings = z.object({
  /** Counts from 1 and is never reused; 0, the defaults, is not stored. */
  version: z.int().check(z.positive()),
  /** When they were first set, in milliseconds since 1970. */
  at: z.number(),
  /** The version they are based on. */
  from: z.int().check(z.nonnegative()),
  policy: KnownPolicy,
  parameters: SomeParameters,
  prompts: SomePrompts,
});
export type SavedSettings = z.infer<typeof SavedSettings>;

/** What differs from the defaults. */
export type SettingsContent = Pick<SavedSettings, 'policy' | 'parameters' | 'prompts'>;

export interface SettingsState {
  /** The version in use; 0 is the defaults. */
  readonly current: number;
  /** In order of creation. */
  readonly versions: readonly SavedSettings[];
}

/** What to change. A prompt of null is reset to its default. */
export interface SettingsChange {
  readonly policy?: string;
  readonly parameters?: Partial<Parameters>;
  readonly prompts?: { readonly [name in keyof Prompts]?: string | null };
}

const shippedState: SettingsState = { current: 0, versions: [] };

const SHIPPED: SettingsContent = { policy: SHIPPED_SETTINGS.policy.name, parameters: {}, prompts: {} };

/** Returns the settings of a version; the defaults for 0 and for unknown versions. */
export const contentOf = ({ versions }: Pick<SettingsState, 'versions'>, version: number): SettingsContent =>
  versions.find((saved) => saved.version === version) ?? SHIPPED;

/** Builds the settings passed to the engine. */
export const engineSettings = (state: SettingsState): Settings => {
  const { policy, parameters, prompts } = contentOf(state, state.current);
  return { version: state.current, policy: policyNamed(policy), parameters, prompts };
};

/** Omits defaults and fixes the order, so that equal settings serialise equally. */
const normal = ({ policy, parameters, prompts }: SettingsContent): SettingsContent => ({
  policy,
  parameters: Object.fromEntries(
    Object.entries(defaultParameters).flatMap(([name, shipped]) => {
      const value = parameters[name as keyof Parameters];
      return value === undefined || value === shipped ? [] : [[name, value]];
    }),
  ),
  prompts: Object.fromEntries(
    PROMPT_NAMES.flatMap((name) => (prompts[name] === undefined ? [] : [[name, prompts[name]]])),
  ),
});

const written = (content: SettingsContent): string => {
  const { policy, parameters, prompts } = normal(content);
  return JSON.stringify([policy, parameters, prompts]);
};

/**
 * Applies a change: creates a new version, unless the result equals an earlier one, which then becomes current
 * again. A version number thus always stands for the same settings, and vice versa.
 */
export const changedSettings = (
  state: SettingsState,
  change: SettingsChange,
  at: number,
  last: number,
): SettingsState => {
  const now = contentOf(state, state.current);
  const prompts = Object.entries({ ...now.prompts, ...change.prompts }).filter(([, text]) => text !== null);
  const next = normal({
    policy: change.policy ?? now.policy,
    parameters: { ...now.parameters, ...change.parameters },
    prompts: Object.fromEntries(prompts),
  });
  const like = written(next);
  if (like === written(SHIPPED)) return { ...state, current: 0 };
  const same = state.versions.find((saved) => written(saved) === like);
  if (same !== undefined) return { ...state, current: same.version };
  const version = last + 1;
  const saved = { version, at, from: state.current, ...next };
  return { current: version, versions: [...state.versions, saved] };
};

/**
 * Whether a version saved here is the one that a decision names: in a log from another device, and in a re-run, its
 * number stands for other settings.
 */
export const isSavedHere = (
  { versions }: Pick<SettingsState, 'versions'>,
  { policy, settings: used }: Pick<Trace, 'policy' | 'settings'>,
): boolean => {
  if (used === undefined) return true;
  // Not by the policy: other versions of the app have shipped others.
  if (used.version === 0) return isAsShipped(used);
  const saved = versions.find(({ version }) => version === used.version);
  if (saved?.policy !== policy) return false;
  return isSameSettings(usedSettings({ ...saved, policy: policyNamed(policy) }), used);
};

/** The stored settings, as far as they can be read. */
export interface ReadSettings {
  readonly state: SettingsState;
  /** The highest version number ever assigned, including versions that can no longer be read. */
  readonly last: number;
  /** `some`: versions not in use are lost. `current`: the version in use is lost and the defaults are used instead. */
  readonly damaged: 'none' | 'some' | 'current';
}

export const readSettings = (stored: unknown): ReadSettings => {
  if (stored === undefined) return { state: shippedState, last: 0, damaged: 'none' };
  const { current, versions } = isRecord(stored) ? stored : {};
  const rows: readonly unknown[] = Array.isArray(versions) ? versions : [];
  const good = rows.flatMap((row) => {
    const read = SavedSettings.safeParse(row);
    return read.success ? [read.data] : [];
  });
  const last = rows.reduce<number>((most, row) => {
    const version = isRecord(row) ? row.version : 0;
    return Number.isSafeInteger(version) ? Math.max(most, version as number) : most;
  }, 0);
  const inUse = current === 0 ? 0 : (good.find(({ version }) => version === current)?.version ?? null);
  const whole = Array.isArray(versions) && good.length === rows.length;
  return {
    state: { current: inUse ?? 0, versions: good },
    last,
    damaged: inUse === null ? 'current' : whole ? 'none' : 'some',
  };
};

/** The range of a numeric parameter, both ends inclusive. */
export interface NumberRange {
  readonly least: number;
  readonly most: number;
  /** Whether it must be an integer. */
  readonly whole: boolean;
  /** The value that stands for “no number”, if that is allowed. */
  readonly none?: number | null;
}

export type NumberName = { [N in keyof Parameters]: Parameters[N] extends boolean ? never : N }[keyof Parameters];
type FlagName = Exclude<keyof Parameters, NumberName>;

const tokens = (least: number): NumberRange => ({ least, most: MOST_TOKENS, whole: true });
const turns = (most: number): NumberRange => ({ least: 1, most, whole: true });
const share: NumberRange = { least: 0, most: 1, whole: false };

/** Ranges the engine supports. */
export const NUMBERS: Readonly<Record<NumberName, NumberRange>> = {
  k: turns(50),
  theta: { ...share, none: null },
  overviewBudget: tokens(0),
  overviewLineBudget: tokens(1),
  pathShare: share,
  pathFloor: tokens(0),
  sureFrom: share,
  // No value exceeds 1, so that no turn is moved and none is sent.
  reconsiderFrom: { ...share, none: 2 },
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

/** Whether a value is valid for a parameter. */
export const canBe = (name: string, value: unknown): boolean => {
  if (Object.hasOwn(FLAGS, name)) return typeof value === 'boolean';
  return Object.hasOwn(NUMBERS, name) && inRange(value, NUMBERS[name as NumberName]);
};
