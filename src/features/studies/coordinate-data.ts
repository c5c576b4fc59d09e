import { type LabelEvent, labelsOf } from './label-events.ts';
import { dialoguesFor, type Label, placements, type Study, type StudyDialogue } from './study.ts';
import { type CodedDialogue, pairsOf } from './study-figures.ts';
import type { KeptStudy, StudyShelf } from './study-shelf.ts';

/*
 * What the coordinator sees of the labels that came in: who did how much and how, who took what for what, and where they differ most.
 * Labels that were given beside the engine's and labels that were not are never put together.
 */

export type Mode = Study['mode'];

/** Turns that a cell of a table leads to. */
export interface Look {
  readonly title: string;
  readonly turns: readonly TurnAt[];
  /** Whose labels are shown; left out for everybody. */
  readonly people?: readonly string[];
  /** Left out for those that are labelled in earnest. */
  readonly dialogues?: readonly LabelledDialogue[];
}

/** What the pages of a study work on. */
export interface Coordination {
  readonly shelf: StudyShelf;
  readonly kept: KeptStudy;
  /** Of everybody. */
  readonly events: readonly LabelEvent[];
  /** Whose labels are looked at: those given beside the engine's are never put together with those that were not. */
  readonly mode: Mode;
  /** Resolves to whether they are kept; where they are not, the page says so. */
  readonly add: (events: readonly LabelEvent[]) => Promise<boolean>;
  readonly look: (look: Look) => void;
}

/** Milliseconds: nobody reads a turn and finds what it goes on from in less. */
export const FAST = 2000;
/** So many times faster or slower than the middle of all people is worth a look. */
const OUTLYING = 2;

/** What one person did of one dialogue. */
export interface CellOfWork {
  readonly dialogue: StudyDialogue;
  /** It is theirs by the order of the study. */
  readonly assigned: boolean;
  readonly labelled: number;
  readonly flagged: number;
}

export interface PersonRow {
  readonly person: string;
  readonly cells: readonly CellOfWork[];
  /** Of the turns that are theirs. */
  readonly labelled: number;
  readonly of: number;
  /** Milliseconds of work, breaks left out. */
  readonly worked: number;
  /** Milliseconds that the middle one of their labels took; null without one. */
  readonly pace: number | null;
  readonly outlier: 'fast' | 'slow' | null;
  /** Labels given in less than `FAST`. */
  readonly guesses: number;
  /** Of the turns with gold that they labelled unawares: those with the right parent. */
  readonly gold: { readonly right: number; readonly of: number };
  readonly training: { readonly right: number; readonly of: number };
}

/** Events of people, of one mode. */
export const eventsOf = (
  events: readonly LabelEvent[],
  phases: readonly LabelEvent['phase'][],
  mode: Mode | null = null,
): LabelEvent[] => events.filter((event) => phases.includes(event.phase) && (mode === null || event.mode === mode));

export const modesIn = (events: readonly LabelEvent[]): Mode[] =>
  (['blind', 'assisted'] as const).filter((mode) => eventsOf(events, ['work'], mode).length > 0);

/** Whoever has a label that holds. */
export const labellersIn = (events: readonly LabelEvent[]): string[] =>
  peopleIn(labelsOf(events).filter(({ label }) => label !== null));

export const peopleIn = (events: readonly LabelEvent[]): string[] =>
  [...new Set(events.map(({ person }) => person))].sort(new Intl.Collator('en', { numeric: true }).compare);

const median = (numbers: readonly number[]): number | null => {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? null;
};

const isRight = (label: Label | null, gold: Label | null | undefined): boolean =>
  label !== null && gold != null && label.parent === gold.parent;

export const peopleTable = (study: Study, events: readonly LabelEvent[], mode: Mode): PersonRow[] => {
  const own = eventsOf(events, ['training', 'work'], mode);
  const rows = peopleIn(own).map((person) =>
    rowOf(
      study,
      own.filter((event) => event.person === person),
    ),
  );
  const middle = median(rows.flatMap(({ pace }) => pace ?? []));
  return rows.map((row) => ({ ...row, outlier: outlierOf(row.pace, middle) }));
};

const outlierOf = (pace: number | null, middle: number | null): PersonRow['outlier'] => {
  if (pace === null || middle === null) return null;
  return pace * OUTLYING <= middle ? 'fast' : pace >= middle * OUTLYING ? 'slow' : null;
};

const rowOf = (study: Study, events: readonly LabelEvent[]): Omit<PersonRow, 'outlier'> => {
  const person = events[0]?.person ?? '';
  const newest = labelsOf(events);
  const assigned = new Set(dialoguesFor(study, person).map(({ id }) => id));
  const cells = study.dialogues.map((dialogue): CellOfWork => {
    const here = newest.filter((event) => event.dialogue === dialogue.id);
    return {
      dialogue,
      assigned: assigned.has(dialogue.id),
      labelled: here.filter(({ label }) => label !== null).length,
      flagged: here.filter(({ comment }) => comment !== undefined).length,
    };
  });
  const theirs = cells.filter((cell) => cell.assigned);
  // Taking back and putting right are no labels of their own, and training is for learning.
  const paced = events.filter(({ phase, of, label }) => phase === 'work' && of === undefined && label !== null);
  const checked = (part: StudyDialogue['part']) => {
    const golds = new Map(study.dialogues.filter((one) => one.part === part).map(({ id, gold }) => [id, gold]));
    const known = newest.flatMap(({ dialogue, turn, label }) => {
      const gold = golds.get(dialogue)?.[turn];
      return gold == null || label === null ? [] : [isRight(label, gold)];
    });
    return { right: known.filter(Boolean).length, of: known.length };
  };
  return {
    person,
    cells,
    labelled: theirs.reduce((sum, { labelled }) => sum + labelled, 0),
    of: theirs.reduce((sum, { dialogue }) => sum + dialogue.turns.length, 0),
    worked: events.reduce((sum, { worked }) => sum + worked, 0),
    pace: median(paced.map(({ worked }) => worked)),
    guesses: paced.filter(({ worked }) => worked < FAST).length,
    gold: checked('work'),
    training: checked('training'),
  };
};

/** The newest label of each person for each turn of these dialogues. */
export const coded = (dialogues: readonly StudyDialogue[], events: readonly LabelEvent[]): LabelledDialogue[] => {
  const newest = labelsOf(events);
  return dialogues.map((dialogue) => {
    const labels = new Map<string, (Label | null)[]>();
    for (const event of newest) {
      if (event.dialogue !== dialogue.id || event.label === null) continue;
      const own = labels.get(event.person) ?? dialogue.turns.map(() => null);
      own[event.turn] = event.label;
      labels.set(event.person, own);
    }
    return { id: dialogue.id, dialogue, labels };
  });
};

export interface LabelledDialogue extends CodedDialogue {
  readonly dialogue: StudyDialogue;
  readonly labels: ReadonlyMap<string, readonly (Label | null)[]>;
}

/** A turn of a dialogue. */
export interface TurnAt {
  readonly dialogue: string;
  readonly turn: number;
}

/** What pairs of people said of the same turns: as often each way round, since nobody is the first. */
export const confusionOf = (
  dialogues: readonly LabelledDialogue[],
  people: readonly string[],
): { readonly turns: readonly TurnAt[] }[][] => {
  const cells = placements.map(() => placements.map(() => ({ turns: [] as TurnAt[] })));
  for (const { id, labels } of dialogues) {
    for (const [one, other] of pairsOf([people])) {
      const [first, second] = [labels.get(one) ?? [], labels.get(other) ?? []];
      for (const [turn, label] of first.entries()) {
        const beside = second[turn] ?? null;
        if (label === null || beside === null) continue;
        const [row, column] = [placements.indexOf(label.placement), placements.indexOf(beside.placement)];
        cells[Math.min(row, column)]?.[Math.max(row, column)]?.turns.push({ dialogue: id, turn });
      }
    }
  }
  return cells;
};

export interface DisputedTurn extends TurnAt {
  /** Of the pairs of people who labelled it, how many gave it another parent, and another action. */
  readonly parents: number;
  readonly actions: number;
  readonly pairs: number;
  /** How many said they were unsure. */
  readonly unsure: number;
}

/** Turns that people differ about, most first. */
export const disputedTurns = (dialogues: readonly LabelledDialogue[], people: readonly string[]): DisputedTurn[] =>
  dialogues
    .flatMap(({ id, dialogue, labels }) =>
      dialogue.turns.map((_, turn): DisputedTurn => {
        const said = people.flatMap((person) => labels.get(person)?.[turn] ?? []);
        const pairs = said.flatMap((one, at) => said.slice(at + 1).map((other) => [one, other] as const));
        return {
          dialogue: id,
          turn,
          parents: pairs.filter(([one, other]) => one.parent !== other.parent).length,
          actions: pairs.filter(([one, other]) => one.placement !== other.placement).length,
          pairs: pairs.length,
          unsure: said.filter(({ unsure }) => unsure).length,
        };
      }),
    )
    .filter(({ parents, actions }) => parents + actions > 0)
    .sort((a, b) => disagreementIn(b) - disagreementIn(a) || b.unsure - a.unsure);

/** 0 where all say the same of it, 1 where no two agree on its parent or action. */
export const disagreementIn = ({ parents, actions, pairs }: DisputedTurn): number => (parents + actions) / (2 * pairs);
