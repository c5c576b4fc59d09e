import { mean } from '../../domain/numbers.ts';
import { errorMessage } from '../../engine/model-failure.ts';
import { counted } from '../../ui/parts/format.ts';
import type { PageTask } from '../../ui/parts/progress.tsx';
import type { AskingProgress } from './ask-engine.tsx';
import { currentEvents, type LabelEvent, labelsOf, nameForFile, unionOf } from './label-events.ts';
import { saysTheSame } from './label-words.ts';
import { dialoguesFor, placements, type Study, type StudyDialogue, type StudyLabel } from './study.ts';
import { type CodedDialogue, type Pair, pairsOf } from './study-figures.ts';
import type { StoredStudy, StudyShelf } from './study-shelf.ts';

/*
 * What the coordinator sees of the incoming labels: each person's progress and pace, confusions between people, and where
 * they differ most. Labels given with the engine's answers in view are never mixed with blind ones.
 */

export type StudyMode = Study['mode'];

/** Turns that a table cell links to. */
export interface TurnSelection {
  readonly title: string;
  readonly turns: readonly TurnAt[];
  /** Whose labels are shown; omitted for everybody. */
  readonly people?: readonly string[];
  /** Omitted for the work dialogues. */
  readonly dialogues?: readonly AnnotatedDialogue[];
}

/** Shared state of a study's coordination pages. */
export interface Coordination {
  readonly shelf: StudyShelf;
  readonly kept: StoredStudy;
  /** Events of everybody who counts. */
  readonly events: readonly LabelEvent[];
  /** The mode whose labels are shown: assisted labels are never mixed with blind ones. */
  readonly mode: StudyMode;
  /** Resolves to whether the events were stored; the page reports a failure. */
  readonly add: (events: readonly LabelEvent[]) => Promise<boolean>;
  readonly look: (look: TurnSelection) => void;
  /** What goes on while another of the pages is shown. `teaching` counts dialogues. */
  readonly tasks: {
    readonly asking: PageTask<AskingProgress>;
    readonly teaching: PageTask<number>;
    readonly reporting: PageTask<true>;
  };
}

/** A person's label file that was read. */
export interface ReceivedFile {
  readonly name: string;
  readonly person: string;
  readonly events: readonly LabelEvent[];
}

/** What became of a file. */
export interface FileResult {
  readonly name: string;
  readonly words: string;
  readonly refused: boolean;
}

export const addFileAs = async (
  shelf: StudyShelf,
  { name, events }: ReceivedFile,
  person: string,
): Promise<FileResult> => {
  const fresh = await shelf.add(events.map((event) => ({ ...event, person })));
  const words = `${person}: ${fresh === 0 ? 'nothing new' : counted(fresh, 'new entry', 'new entries')}`;
  return { name, words, refused: false };
};

/** Adds files, except those whose person, named as they are known, may be somebody else than the one known by that name. */
export const addFiles = async (
  shelf: StudyShelf,
  study: Study,
  files: readonly ReceivedFile[],
): Promise<{ readonly results: readonly FileResult[]; readonly doubtful: readonly ReceivedFile[] }> => {
  const results: FileResult[] = [];
  const doubtful: ReceivedFile[] = [];
  for (const file of files) {
    try {
      const { name, isDoubtful } = nameForFile(currentEvents(study.dialogues, await shelf.events(study.id)), file);
      if (isDoubtful) doubtful.push({ ...file, person: name });
      else results.push(await addFileAs(shelf, file, name));
    } catch (error) {
      results.push({ name: file.name, words: errorMessage(error), refused: true });
    }
  }
  return { results, doubtful };
};

/** In milliseconds: nobody reads a turn and finds its parent in less. */
export const FAST = 2000;
/** A person this many times faster or slower than the median of all paces is an outlier. */
const OUTLYING = 2;

/** One person's work on one dialogue. */
export interface LabellingProgress {
  readonly dialogue: StudyDialogue;
  /** Whether the study assigns it to them. */
  readonly assigned: boolean;
  readonly labelled: number;
  readonly flagged: number;
}

export interface PersonRow {
  readonly person: string;
  readonly cells: readonly LabellingProgress[];
  /** Of the turns assigned to them. */
  readonly labelled: number;
  readonly of: number;
  /** Milliseconds of work, excluding breaks. */
  readonly worked: number;
  /** Median time per label, in milliseconds; null without labels. */
  readonly pace: number | null;
  readonly outlier: 'fast' | 'slow' | null;
  /** Turns labelled in less than `FAST`, revisions included. */
  readonly guesses: readonly TurnAt[];
  /** Among hidden gold turns that they labelled: how many have the right parent. */
  readonly gold: { readonly right: number; readonly of: number };
  readonly training: { readonly right: number; readonly of: number };
}

/** Events of people, for one mode. */
export const eventsOf = (
  events: readonly LabelEvent[],
  phases: readonly LabelEvent['phase'][],
  mode: StudyMode | null = null,
): LabelEvent[] => events.filter((event) => phases.includes(event.phase) && (mode === null || event.mode === mode));

/** Events without what these people said; what a decider or an adjudicator said stays. */
export const withoutPeople = (events: readonly LabelEvent[], people: readonly string[]): LabelEvent[] =>
  events.filter(({ person, phase }) => phase === 'engine' || phase === 'gold' || !people.includes(person));

export const modesIn = (events: readonly LabelEvent[]): StudyMode[] =>
  (['blind', 'assisted'] as const).filter((mode) => eventsOf(events, ['training', 'work'], mode).length > 0);

/** The mode whose labels are shown first: the study's own if there are any, also where its author tried it out in the other. */
export const firstMode = ({ mode }: Pick<Study, 'mode'>, modes: readonly StudyMode[]): StudyMode =>
  modes.includes(mode) ? mode : (modes[0] ?? mode);

/** Everybody with at least one current label. */
export const labellersIn = (events: readonly LabelEvent[]): string[] =>
  peopleIn(labelsOf(events).filter(({ label }) => label !== null));

export const peopleIn = (events: readonly LabelEvent[]): string[] =>
  [...new Set(events.map(({ person }) => person))].sort(new Intl.Collator('en', { numeric: true }).compare);

/** Between the two middle ones of an even number: of two people, neither is the usual one. */
const median = (numbers: readonly number[]): number | null => {
  if (numbers.length === 0) return null;
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.slice(Math.ceil(sorted.length / 2) - 1, Math.floor(sorted.length / 2) + 1);
  return mean(middle);
};

const isRight = (label: StudyLabel | null, gold: StudyLabel | null | undefined): boolean =>
  label !== null && gold != null && label.parent === gold.parent;

export const peopleTable = (study: Study, events: readonly LabelEvent[], mode: StudyMode): PersonRow[] => {
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

/** The same for what one person said of one turn in the same phase and mode. */
export const labellingKey = ({ person, phase, mode, dialogue, turn }: LabelEvent): string =>
  JSON.stringify([person, phase, mode, dialogue, turn]);

/**
 * The turns that people labelled, by `labellingKey`, with the time each took until its last label, comments on the turn
 * before it included. Undo and redo are not labels of their own.
 */
export const pacedLabels = (
  events: readonly LabelEvent[],
): ReadonlyMap<string, TurnAt & { readonly worked: number }> => {
  const labels = new Map<string, string>();
  const spent = new Map<string, number>();
  const paced = new Map<string, TurnAt & { readonly worked: number }>();
  for (const event of unionOf(events)) {
    const { dialogue, turn, of, label, worked, onTurn = worked } = event;
    const key = labellingKey(event);
    const given = JSON.stringify(label);
    const isNew = labels.get(key) !== given;
    labels.set(key, given);
    if (of !== undefined) continue;
    const all = (spent.get(key) ?? 0) + onTurn;
    spent.set(key, all);
    if (label !== null && isNew) paced.set(key, { dialogue, turn, worked: all });
  }
  return paced;
};

const rowOf = (study: Study, events: readonly LabelEvent[]): Omit<PersonRow, 'outlier'> => {
  const person = events[0]?.person ?? '';
  const newest = labelsOf(events);
  const assigned = new Set(dialoguesFor(study, person).map(({ id }) => id));
  const cells = study.dialogues.map((dialogue): LabellingProgress => {
    const here = newest.filter((event) => event.dialogue === dialogue.id);
    return {
      dialogue,
      assigned: assigned.has(dialogue.id),
      labelled: here.filter(({ label }) => label !== null).length,
      flagged: here.filter(({ comment }) => comment !== undefined).length,
    };
  });
  const theirs = cells.filter((cell) => cell.assigned);
  // Training is for learning.
  const paced = [...pacedLabels(eventsOf(events, ['work'])).values()];
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
    guesses: paced.filter(({ worked }) => worked < FAST),
    gold: checked('work'),
    training: checked('training'),
  };
};

/** The latest label of each person for each turn of these dialogues. */
export const withLatestLabels = (
  dialogues: readonly StudyDialogue[],
  events: readonly LabelEvent[],
): AnnotatedDialogue[] => {
  const newest = labelsOf(events);
  return dialogues.map((dialogue) => {
    const labels = new Map<string, (StudyLabel | null)[]>();
    for (const event of newest) {
      if (event.dialogue !== dialogue.id || event.label === null) continue;
      const own = labels.get(event.person) ?? dialogue.turns.map(() => null);
      own[event.turn] = event.label;
      labels.set(event.person, own);
    }
    return { id: dialogue.id, dialogue, labels };
  });
};

export interface AnnotatedDialogue extends CodedDialogue {
  readonly dialogue: StudyDialogue;
  readonly labels: ReadonlyMap<string, readonly (StudyLabel | null)[]>;
}

/** A turn of a dialogue. */
export interface TurnAt {
  readonly dialogue: string;
  readonly turn: number;
}

/** How many of these dialogues have turns that both of a pair labelled: only those say anything of their agreement. */
export const sharedDialogues = (dialogues: readonly AnnotatedDialogue[], pairs: readonly Pair[]): number =>
  dialogues.filter(({ dialogue, labels }) =>
    dialogue.turns.some((_, turn) => pairs.some((pair) => pair.every((person) => labels.get(person)?.[turn]))),
  ).length;

/** What pairs of people answered for the same turns. Each pair is counted in both directions, because neither comes first. */
export const labelConfusion = (
  dialogues: readonly AnnotatedDialogue[],
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

interface DisputedTurn extends TurnAt {
  /** Among pairs of people who labelled it, how many differ on the parent, and how many on the action. */
  readonly parents: number;
  readonly actions: number;
  /** How many differ on anything that a label says, further parents and tags included. */
  readonly differing: number;
  readonly pairs: number;
  /** How many were unsure. */
  readonly unsure: number;
}

/** Turns that people differ on, most disputed first. */
export const disputedTurns = (dialogues: readonly AnnotatedDialogue[], people: readonly string[]): DisputedTurn[] =>
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
          differing: pairs.filter(([one, other]) => !saysTheSame(one, other)).length,
          pairs: pairs.length,
          unsure: said.filter(({ unsure }) => unsure).length,
        };
      }),
    )
    .filter(({ differing }) => differing > 0)
    .sort((a, b) => disagreementIn(b) - disagreementIn(a) || b.unsure - a.unsure);

/** 0 if all agree, 1 if no two agree on its parent or action. */
export const disagreementIn = ({ parents, actions, pairs }: DisputedTurn): number => (parents + actions) / (2 * pairs);
