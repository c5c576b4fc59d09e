import { plural } from '../../domain/numbers.ts';
import { counted } from '../../ui/parts/format.ts';
import type { LabelEvent } from './label-events.ts';
import type { Parent, StudyLabel, StudyPlacement } from './study.ts';

/** Display names of the placements. */
export const PLACEMENT_WORDS: Readonly<Record<StudyPlacement, string>> = {
  'continue-branch': 'Continue branch',
  'create-branch': 'Create branch',
  'switch-branch': 'Switch branch',
  'switch-topic': 'Switch topic',
  'create-topic': 'Create topic',
};

/** Turns are displayed counting from 1. */
export const parentWords = (parent: Parent): string => {
  if (parent === 'new-topic') return 'a new topic';
  return parent === 'elsewhere' ? 'something not in this dialogue' : `turn ${parent + 1}`;
};

/** `Switch topic: continues turn 3 and turn 1, unsure` */
export const labelWords = ({ parent, furtherParents, placement, tags, unsure }: StudyLabel): string => {
  const from = [parent, ...furtherParents].map(parentWords).join(' and ');
  // The placement already says that a topic is new.
  const words = parent === 'new-topic' && placement === 'create-topic' ? '' : `: continues ${from}`;
  return [`${PLACEMENT_WORDS[placement]}${words}`, ...tags, ...(unsure ? ['unsure'] : [])].join(', ');
};

export const REASON_WORDS: Readonly<Record<NonNullable<LabelEvent['reason']>, string>> = {
  'guideline-unclear': 'Guideline unclear',
  ambiguous: 'Ambiguous',
  slip: 'Slip',
};

/** Whether two labels say the same about a turn, regardless of how sure the person was. */
export const saysTheSame = (one: StudyLabel, other: StudyLabel): boolean => sense(one) === sense(other);

/** How a trainee's label compares with the author's. Labels that mean the same are right, as agreement counts them. */
export const comparedWithGold = (label: StudyLabel, gold: StudyLabel): string => {
  if (saysTheSame(label, gold)) return 'Matches the gold label.';
  const isParent = label.parent === gold.parent;
  const parents = (of: StudyLabel) => JSON.stringify([of.parent, ...of.furtherParents].sort());
  if (parents(label) === parents(gold)) {
    if (!isParent) return 'Same parents as the gold label, but another one comes first.';
    return label.placement === gold.placement
      ? 'Same parent and placement as the gold label, different tags.'
      : 'Same parent as the gold label, different placement.';
  }
  if (!isParent) return 'Differs from the gold label.';
  return label.placement === gold.placement
    ? 'Same parent and placement as the gold label, different further parents.'
    : 'Same parent as the gold label, different placement and further parents.';
};

const sense = ({ parent, furtherParents, placement, tags }: StudyLabel): string =>
  JSON.stringify([parent, furtherParents.toSorted((a, b) => a - b), placement, tags.toSorted()]);

/** What it means for a training that some of its turns have no gold. */
export const withoutGold = (turns: number): string =>
  `${counted(turns, 'turn has', 'turns have')} no gold, so ${plural(turns, 'it gets', 'they get')} no feedback.`;

/** Which of the dialogues that the engine is to label the embedded decider was trained on. */
export const trainedOnWords = (names: readonly string[], dialogues: number): string => {
  const which = names.length === dialogues ? 'all of these' : `${names.length} of these`;
  const what = dialogues === 1 ? 'this dialogue' : `${which} ${dialogues} dialogues`;
  return (
    `The embedded decider was trained on ${what}: ${names.join(', ')}. There, it is asked ` +
    'with weights fitted without such dialogues; otherwise it would agree too well.'
  );
};

/** How far somebody is: `99 %`. Rounded down, so that 100 means that no turn is open. */
export const progressWords = ({ labelled, of }: { readonly labelled: number; readonly of: number }): string =>
  of === 0 ? '–' : `${Math.floor((100 * labelled) / of)} %`;

/** How far an adjudicator is. */
export const settledWords = (settled: number, of: number): string => {
  if (settled < of) return `${settled} of ${counted(of, 'turn')} settled`;
  return `${of === 1 ? 'The only turn is' : `All ${counted(of, 'turn')} are`} settled and in the gold (see Export).`;
};

/** Time at work: `35 s`, `12 min`, `3 h 05 min` */
export const workedWords = (ms: number): string => {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return `${Math.floor(ms / 1000)} s`;
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return hours === 0 ? `${minutes} min` : `${hours} h ${String(rest).padStart(2, '0')} min`;
};
