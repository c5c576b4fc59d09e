import type { Origin } from '../../app/re-run.ts';
import type { Fallback } from '../../domain/decision.ts';
import { type Entry, LOG_VERSION } from '../../domain/entry.ts';
import type { Forest, NodeId } from '../../domain/forest.ts';
import { capitalised } from '../../domain/numbers.ts';
import { fallbacksOf } from '../../domain/queries.ts';
import { recordsOf } from '../../domain/table.ts';
import type { Rerun } from '../../engine/history/re-run.ts';
import {
  AS_IT_WAS,
  type PlacementDifference,
  type SkippedEdit,
  type TurnPosition,
  type WhatIf,
  type WhatIfDecider,
} from '../../engine/history/what-if.ts';
import type { Parameters } from '../../engine/parameters.ts';
import { type AnswerReasons, branchReasons, branchRuleWords, topicReasons } from '../../ui/inspector/decision-words.ts';
import { counted, ratio, weight } from '../../ui/parts/format.ts';
import { FIELDS, inputValue, settingWords } from '../../ui/parts/setting-fields.ts';
import { turnsNamed } from '../../ui/parts/turn-words.ts';
import { shapeOf } from './sweep.ts';

/** A re-run with the original it is based on. */
export interface Outcome {
  readonly origin: Origin;
  readonly rerun: Rerun;
  readonly differences: readonly PlacementDifference[];
}

const DECIDERS: Readonly<Record<WhatIfDecider, string>> = {
  chosen: 'the chosen decider',
  embedded: 'the embedded decider',
  'embedded-taught': 'all lessons',
  'embedded-untaught': 'no lessons',
  'paper-rule': 'the paper’s rule',
  'one-threshold': 'one threshold',
};

/**
 * The deciders to choose from, with their labels. One that would make no difference is offered only while it is chosen:
 * the lessons may have been forgotten since. `embedded`: the chosen `decider` is that one.
 */
export const deciderOptions = (
  { decider, embedded, lessons }: { readonly decider: string; readonly embedded: boolean; readonly lessons: number },
  chosen: WhatIfDecider,
): (readonly [WhatIfDecider, string])[] => {
  const options: readonly (readonly [value: WhatIfDecider, label: string, isOffered?: boolean])[] = [
    ['chosen', `As chosen: ${decider}`],
    ['embedded', 'Embedded decider', !embedded],
    ['embedded-taught', 'Embedded, with all it has learned', lessons > 0],
    ['embedded-untaught', 'Embedded, as it ships', lessons > 0],
    ['paper-rule', 'The paper’s rule'],
    ['one-threshold', 'One threshold'],
  ];
  return options.flatMap(([value, label, isOffered = true]) => (isOffered || value === chosen ? [[value, label]] : []));
};

/** Shorter than on the labels of their fields. */
const SIGNS: Partial<Record<keyof Parameters, string>> = {
  k: 'k',
  theta: 'θ',
  sureFrom: 'confidence threshold',
  reconsiderFrom: 'threshold for moving after the reply',
  memoryK: 'memory k',
  threadDecay: 'α',
  threadThreshold: 'τ',
  memtreeThreshold: 'θ₀',
};

const NO_CHANGE = 'nothing';

/** Summarises what was changed: `θ 0.30, the paper’s rule`. If nothing was: `nothing`. */
export const changedSettingsWords = (question: WhatIf): string => {
  const { decider, embedder, policy, parameters, prompts, base, byHand } = question;
  const words = [
    ...Object.entries(parameters).map(([name, value]) => parameterWords(name, value)),
    ...(decider === AS_IT_WAS.decider ? [] : [DECIDERS[decider]]),
    ...(embedder === AS_IT_WAS.embedder ? [] : ['the embedded embedder']),
    ...(policy === null ? [] : [policy]),
    ...Object.keys(prompts).map((name) => `another ${name} prompt`),
    ...(base === AS_IT_WAS.base ? [] : ['current settings']),
    ...(byHand === AS_IT_WAS.byHand ? [] : ['no manual edits']),
  ];
  return words.length === 0 ? NO_CHANGE : words.join(', ');
};

/** The same for what a sweep changed besides its parameter; null if nothing. */
export const otherChangesWords = (question: WhatIf, swept: keyof Parameters): string | null => {
  const { [swept]: _, ...parameters } = question.parameters;
  const words = changedSettingsWords({ ...question, parameters });
  return words === NO_CHANGE ? null : words;
};

/** What a re-run with nothing changed does. `embedded`: the chosen decider and embedder are the embedded ones. */
export const unchangedWords = ({ nodes }: Forest, embedded: boolean): string => {
  if (recordsOf(nodes).some(({ decision }) => decision.by === 'import')) {
    return 'Imported turns are decided anew, so they and later turns may move even with nothing changed.';
  }
  const same = embedded
    ? 'the embedded models decided them all'
    : 'the decider and embedder chosen now decided them all and answer as they did then';
  return `With nothing changed, every turn ends up where it is, as long as ${same}.`;
};

/** `θ 0.30`, `model timeout 20 seconds`, `skip the direct parent: no` */
const parameterWords = (name: string, value: number | boolean | null): string => {
  const field = FIELDS.find((one) => one.name === name);
  if (field === undefined) return `${name} ${value}`;
  const sign = SIGNS[field.name];
  if (field.kind === 'flag') return `${uncapitalised(field.label)}: ${settingWords(field, value)}`;
  if (sign === undefined) return `${uncapitalised(field.label)} ${settingWords(field, value)}`;
  const isNumber = typeof value === 'number' && inputValue(field, value) !== '';
  return `${sign} ${isNumber ? fraction(value) : settingWords(field, value)}`;
};

/** For the middle of a sentence. */
const uncapitalised = (text: string): string =>
  (/^\p{Lu}\p{Ll}/u.test(text) ? text.charAt(0).toLowerCase() : text.charAt(0)) + text.slice(1);

/** An integer, two decimals, or two significant digits for smaller values. */
const fraction = (value: number): string => {
  if (Number.isInteger(value)) return String(value);
  return Math.abs(value) < 0.1 ? String(Number(value.toPrecision(2))) : value.toFixed(2);
};

/** An outcome as a separate conversation whose log identifies it as a what-if. `at`: milliseconds since 1970. */
export const keepingEntries = (
  { origin, rerun }: Outcome,
  at: number,
): { readonly title: string; readonly entries: readonly Entry[] } => {
  // Only a name that the person gave is kept: one with the words of a turn would outlive its purge.
  const title = `${origin.forest.title ?? 'Conversation'} (what if: ${changedSettingsWords(rerun.question)})`;
  const named: Entry = {
    v: LOG_VERSION,
    seq: rerun.entries.length + 1,
    at,
    // Not undoable: after undoing a turn, it is still a what-if.
    step: null,
    event: { type: 'conversation-titled', title },
  };
  return { title, entries: [...rerun.entries, named] };
};

/** How many turns are elsewhere, or there by another action, for another reason than being decided differently. */
export const otherDifferencesWords = (differences: readonly Pick<PlacementDifference, 'change'>[]): string[] => {
  const words = {
    'by-hand': 'moved by manual edits',
    'same-place': 'in the same place by another action',
    carried: 'moved along with others',
  } as const;
  return (['by-hand', 'same-place', 'carried'] as const).flatMap((cause) => {
    const turns = differences.filter(({ change }) => change === cause).length;
    return turns === 0 ? [] : [counted(turns, words[cause], words[cause])];
  });
};

/** A remark on an outcome; `alert`: the outcome is not what was asked for. */
export interface OutcomeNote {
  readonly text: string;
  readonly alert: boolean;
}

/** Remarks that an outcome does not show by itself: failed models, models that no longer exist, and missing words. */
export const notesOn = ({ origin, rerun }: Outcome): OutcomeNote[] => {
  const notes: OutcomeNote[] = [];
  const anew = [...rerun.decided].flatMap((id) => rerun.forest.nodes[id] ?? []);
  // A decider may fail twice for a turn: for its topic and for its branch.
  const failures = new Map<string, { readonly fallback: Fallback; readonly turns: Set<NodeId> }>();
  for (const node of anew) {
    for (const fallback of fallbacksOf(node)) {
      const known = failures.get(fallback.from) ?? { fallback, turns: new Set() };
      known.turns.add(node.id);
      failures.set(fallback.from, known);
    }
  }
  for (const { fallback, turns } of failures.values()) {
    const { from, to, why } = fallback;
    notes.push({
      text: `${from} failed for ${counted(turns.size, 'turn')} (${why.replace(/\.$/, '')}). ${to} was used instead.`,
      alert: true,
    });
  }
  if (rerun.question.decider === 'chosen') notes.push(...othersThen(origin.forest, rerun.forest, anew));
  const counters = otherCountersWords(shapeOf(origin.forest).units, shapeOf(rerun.forest).units);
  if (counters !== null) notes.push({ text: counters, alert: false });
  const purged = origin.entries.flatMap(({ event }) => (event.type === 'turns-purged' ? event.nodeIds : [])).length;
  if (purged > 0) {
    const text = `${counted(purged, 'turn was', 'turns were')} purged, so decisions made while their text was there may turn out differently.`;
    notes.push({ text, alert: false });
  }
  return notes;
};

/** That tokens cannot be compared; null if the same tokenizers counted them, or none did before. */
export const otherCountersWords = (before: readonly string[], after: readonly string[]): string | null => {
  const [then, here] = [before.join(' and '), after.join(' and ')];
  return then === here || then === '' ? null : `Tokens were counted by ${then} then and by ${here} here.`;
};

/** Deciders and embedders of the original that differ from the current ones. */
const othersThen = (origin: Forest, now: Forest, anew: readonly { readonly id: NodeId }[]): OutcomeNote[] => {
  const other = { decider: new Map<string, number>(), embedder: new Map<string, number>() };
  for (const { id } of anew) {
    const [was, is] = [origin.nodes[id]?.decision.trace, now.nodes[id]?.decision.trace];
    if (!was || !is) continue;
    for (const role of ['decider', 'embedder'] as const) {
      if (was[role] !== is[role]) other[role].set(was[role], (other[role].get(was[role]) ?? 0) + 1);
    }
  }
  return (['decider', 'embedder'] as const).flatMap((role) =>
    [...other[role]].map(([name, turns]) => ({
      text: `${counted(turns, 'turn')} used ${name} as ${role}, which is not the current choice.`,
      alert: false,
    })),
  );
};

const DONE: Readonly<Record<SkippedEdit['what'], string>> = {
  'turn-moved': 'moved',
  'turn-extracted': 'detached from its path',
  'turns-deleted': 'deleted',
  'turn-confirmed': 'confirmed',
  'turns-hidden': 'hidden or shown',
  'turn-pinned': 'pinned or unpinned',
  'turn-noted': 'note changed',
  'reference-added': 'reference added',
  'reference-removed': 'reference removed',
  'branch-titled': 'branch renamed',
  'topic-titled': 'topic renamed',
  summarised: 'summarised by you',
  activated: 'made the active one',
  'message-sent': 'sent to a turn of your choice',
};

/** `Turn 5, moved: the engine already puts it there`, `Turns 3 and 5, deleted: ignored, as you chose`. */
export const leftOutWords = (forest: Forest, { what, nodeIds, why }: SkippedEdit): string => {
  const isAny = nodeIds.some((id) => forest.nodes[id] !== undefined);
  const turns = isAny ? capitalised(turnsNamed(forest, nodeIds)) : 'Something';
  return `${turns}, ${DONE[what]}: ${leftOutWhy(why)}`;
};

const leftOutWhy = (why: SkippedEdit['why']): string => {
  switch (why) {
    case 'wanted':
      return 'ignored, as you chose';
    case 'not-needed':
    case 'already-there':
      return 'the engine already puts it there';
    case 'placed-otherwise':
      return 'it is not in the place you confirmed';
    case 'under-itself':
      return 'it would be placed under itself';
    default:
      return 'what it referred to is missing or has changed';
  }
};

/** Where a decision put a turn: `New topic`, `Returned to Lisbon flat, new branch from turn 3`. */
export const placeWords = (forest: Forest, { decidedUnder, decision }: TurnPosition): string => {
  const { topic, branch } = decision;
  if (decidedUnder === null) return 'New topic';
  const under = forest.nodes[decidedUnder];
  const turn = under === undefined ? 'an earlier turn' : `turn ${under.number}`;
  const title = under === undefined ? undefined : forest.trees[under.treeId]?.title;
  const action = {
    'create-branch': `new branch from ${turn}`,
    'switch-branch': `other branch, after ${turn}`,
    'continue-branch': `continues ${turn}`,
  }[branch ?? 'continue-branch'];
  const lead = topic === 'switch-topic' && title !== undefined ? `back to ${title}, ` : '';
  return capitalised(`${lead}${action}`);
};

/** Where the user then moved it, if elsewhere; null otherwise. */
export const movedWords = (forest: Forest, { parentId, decidedUnder }: TurnPosition): string | null => {
  if (parentId === decidedUnder) return null;
  const parent = parentId === null ? undefined : forest.nodes[parentId];
  return parent === undefined ? 'by hand, to a topic of its own' : `by hand, under turn ${parent.number}`;
};

/** The decider's confidence in the answer that settled it; null if it gave none. */
export const sureWords = ({ decision }: TurnPosition): string | null => {
  const { topic, branch } = decision.trace ?? {};
  const confidence = (decision.topic === 'create-topic' ? topic : branch?.answer == null ? topic : branch)?.answer
    ?.confidence;
  return confidence == null ? null : `confidence ${ratio(confidence)}`;
};

/** Number of reasons named before the rest is summed up. */
const NAMED = 2;

/** `For a new topic against staying in “Lisbon”: it brings words of its own +1.2, no word of going on +0.4, other −0.3; total +1.3.` */
export const reasonWords = ({ head, rows, sum }: AnswerReasons): string => {
  const named = rows.filter(({ text }) => text !== 'other').slice(0, NAMED);
  const rest = sum === null ? 0 : sum - named.reduce((total, one) => total + one.weight, 0);
  const all = Math.abs(rest) < 0.05 ? named : [...named, { text: 'other', weight: rest }];
  const list = all.map((one) => `${one.text} ${weight(one.weight)}`).join(', ');
  return `${head ?? 'Evidence'}: ${list}${sum === null ? '' : `; total ${weight(sum)}`}.`;
};

/** Why: the evidence for the answers, otherwise the rule that settled it. */
export const evidenceWords = (forest: Forest, { decision }: TurnPosition): string[] => {
  const { trace } = decision;
  if (trace === null) return ['There is no trace of how this place was found.'];
  const { branch } = trace;
  const answered = decision.topic === 'create-topic' || branch.answer === null;
  const reasons = [topicReasons(forest, trace), answered ? null : branchReasons(forest, trace)].flatMap((found) =>
    found === null ? [] : [reasonWords(found)],
  );
  const near = trace.topic.candidates
    .toSorted((a, b) => b.similarity - a.similarity)
    .slice(0, 2)
    .map(({ title, similarity, active }) => `${title}${active ? ' (here)' : ''} ${ratio(similarity)}`);
  return [
    ...reasons,
    ...(reasons.length > 0 || near.length === 0 ? [] : [`Topics by nearness: ${near.join(', ')}.`]),
    ...(decision.topic === 'create-topic' ? [] : [branchRuleWords(forest, trace)]),
  ];
};
