import { type Entry, LOG_VERSION } from '../../domain/events.ts';
import { AS_IT_WAS, type WhatIf, type WhatIfDecider } from '../../engine/history/question.ts';
import type { Parameters } from '../../engine/parameters.ts';
import type { Outcome } from './what-if-run.ts';

const DECIDERS: Readonly<Record<WhatIfDecider, string>> = {
  chosen: 'the chosen decider',
  embedded: 'the embedded decider',
  'embedded-taught': 'all lessons',
  'embedded-untaught': 'no lessons',
  'paper-rule': 'the paper’s rule',
  'one-threshold': 'one threshold',
};

const SIGNS: Partial<Record<keyof Parameters, string>> = {
  theta: 'θ',
  sureFrom: 'sure from',
  memoryK: 'memory k',
  threadDecay: 'α',
  threadThreshold: 'τ',
  memtreeThreshold: 'θ₀',
};

/** What is otherwise, in a few words: `θ 0.30, the paper’s rule`. Where nothing is: `nothing changed`. */
export const otherwiseWords = (question: WhatIf): string => {
  const { decider, embedder, policy, parameters, prompts, base, byHand } = question;
  const words = [
    ...Object.entries(parameters).map(([name, value]) => `${signOf(name)} ${valueWords(value)}`),
    ...(decider === AS_IT_WAS.decider ? [] : [DECIDERS[decider]]),
    ...(embedder === AS_IT_WAS.embedder ? [] : ['the embedded embedder']),
    ...(policy === null ? [] : [policy]),
    ...Object.keys(prompts).map((name) => `another ${name} prompt`),
    ...(base === AS_IT_WAS.base ? [] : ['settings of now']),
    ...(byHand === AS_IT_WAS.byHand ? [] : ['no edits by hand']),
  ];
  return words.length === 0 ? 'nothing changed' : words.join(', ');
};

const signOf = (name: string): string => SIGNS[name as keyof Parameters] ?? name;

/** Two places, or as many figures of what is smaller. */
const fraction = (value: number): string =>
  Math.abs(value) < 0.1 ? String(Number(value.toPrecision(2))) : value.toFixed(2);

const valueWords = (value: unknown): string => {
  if (typeof value === 'number') return Number.isInteger(value) ? String(value) : fraction(value);
  return value === null ? 'none' : String(value);
};

/** An outcome as a conversation of its own: its log says itself what it is. `at`: milliseconds since 1970. */
export const keepingEntries = (
  { origin, rerun }: Outcome,
  at: number,
): { readonly title: string; readonly entries: readonly Entry[] } => {
  const title = `${origin.title} (what if: ${otherwiseWords(rerun.question)})`;
  const named: Entry = {
    v: LOG_VERSION,
    seq: rerun.entries.length + 1,
    at,
    // Not undone by itself: whoever undoes a turn has a what-if before them all the same.
    step: null,
    event: { type: 'conversation-titled', title },
  };
  return { title, entries: [...rerun.entries, named] };
};
