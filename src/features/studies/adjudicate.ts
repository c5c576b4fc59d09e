import { eventsOf, type StudyMode, type TurnAt, withLatestLabels } from './coordinate-data.ts';
import { type LabelEvent, labelsOf } from './label-events.ts';
import { saysTheSame } from './label-words.ts';
import { hashOfText, type Study, type StudyDialogue, type StudyLabel, type StudyTurn } from './study.ts';

/* The final labels: what all annotators agree on, and what was decided where they differ. */

export type LabelReason = NonNullable<LabelEvent['reason']>;

/** The final label of a turn, and its basis. */
interface GoldTurn {
  /** null if nobody labelled it, or if annotators differ and the turn is unsettled. */
  readonly label: StudyLabel | null;
  readonly basis: 'agreed' | 'settled' | 'one-person' | 'open';
  /** Why annotators differed; null if they did not, or if it is unsettled. */
  readonly reason: LabelReason | null;
  /** Whether its annotators disagree. */
  readonly disputed: boolean;
  /** Whether they gave it different parents. */
  readonly parentsDiffer: boolean;
}

export interface GoldDialogue {
  readonly dialogue: StudyDialogue;
  readonly turns: readonly GoldTurn[];
}

/** The person id under which settled labels are stored. */
export const GOLD = 'gold';

/** The gold labels of the work dialogues, for one mode. */
export const goldOf = (study: Study, events: readonly LabelEvent[], mode: StudyMode): GoldDialogue[] => {
  const work = study.dialogues.filter(({ part }) => part === 'work');
  const settled = new Map(
    labelsOf(eventsOf(events, ['gold'], mode)).map((event) => [`${event.dialogue} ${event.turn}`, event]),
  );
  return withLatestLabels(work, eventsOf(events, ['work'], mode)).map(({ dialogue, labels }) => ({
    dialogue,
    turns: dialogue.turns.map((_, turn) => {
      const said = [...labels.values()].flatMap((own) => own[turn] ?? []);
      return goldTurn(said, settled.get(`${dialogue.id} ${turn}`));
    }),
  }));
};

const goldTurn = (said: readonly StudyLabel[], settled: LabelEvent | undefined): GoldTurn => {
  const [first, ...others] = said;
  const disputed = first !== undefined && others.some((other) => !saysTheSame(first, other));
  const parentsDiffer = first !== undefined && others.some(({ parent }) => parent !== first.parent);
  const about = { disputed, parentsDiffer, reason: null };
  if (settled?.label != null)
    return { ...about, label: settled.label, basis: 'settled', reason: settled.reason ?? null };
  if (first === undefined || disputed) return { ...about, label: null, basis: 'open' };
  return { ...about, label: { ...first, unsure: false }, basis: others.length > 0 ? 'agreed' : 'one-person' };
};

/**
 * Turns to settle, in dialogue order: those with disagreement, and those once settled. What was settled holds even after
 * people have come to agree, so it must remain possible to reopen it.
 */
export const turnsToSettle = (gold: readonly GoldDialogue[]): TurnAt[] =>
  gold.flatMap(({ dialogue, turns }) =>
    turns.flatMap(({ disputed, basis }, turn) =>
      disputed || basis === 'settled' ? [{ dialogue: dialogue.id, turn }] : [],
    ),
  );

/** A turn being settled, and its index among those to settle. */
export interface SettledPlace {
  readonly at: number;
  /** null as long as there is none. */
  readonly item: TurnAt | null;
}

/**
 * Where a turn is now: people's files that arrive late bring further turns before it. The index stays if it is no longer
 * among them.
 */
export const placeAmong = (items: readonly TurnAt[], { at, item }: SettledPlace): SettledPlace => {
  const found = items.findIndex((one) => one.dialogue === item?.dialogue && one.turn === item.turn);
  const now = found === -1 ? Math.min(at, Math.max(0, items.length - 1)) : found;
  return { at: now, item: items[now] ?? null };
};

/** A dialogue as its annotators saw it at a turn: without what comes after, the turn's own reply included. */
export const turnsUntil = ({ turns }: StudyDialogue, last: number): StudyTurn[] =>
  turns.slice(0, last + 1).map((turn, at) => (at === last ? { ...turn, assistant: '' } : turn));

/** One of the answers given for a turn. */
export interface Answer {
  /** A, B and so on, which is its key, in an order that does not reveal who gave it. */
  readonly letter: string;
  readonly label: StudyLabel;
  readonly people: number;
  readonly unsure: number;
  readonly comments: readonly string[];
}

/** Without J and K, which are the keys for the next turn and the previous one. */
const LETTERS = 'ABCDEFGHILMNOPQRSTUVWXYZ';

/** After the last letter, `A2` and so on. */
const letterOf = (at: number): string => {
  const round = Math.floor(at / LETTERS.length);
  return `${LETTERS[at % LETTERS.length]}${round === 0 ? '' : round + 1}`;
};

/** The answers given for a turn, without names. */
export const answersTo = (events: readonly LabelEvent[], { dialogue, turn }: TurnAt, mode: StudyMode): Answer[] => {
  const newest = labelsOf(
    eventsOf(events, ['work'], mode).filter((event) => event.dialogue === dialogue && event.turn === turn),
  );
  const groups: { readonly label: StudyLabel; readonly events: LabelEvent[] }[] = [];
  // Ordered by a hash of their ids, which reveals nothing about the person.
  const order = (event: LabelEvent) => hashOfText(`${dialogue} ${turn} ${event.id}`);
  for (const event of newest.toSorted((a, b) => (order(a) < order(b) ? -1 : 1))) {
    const { label } = event;
    if (label === null) continue;
    const group = groups.find((one) => saysTheSame(one.label, label));
    if (group === undefined) groups.push({ label, events: [event] });
    else group.events.push(event);
  }
  return groups.map(({ label, events: own }, at) => ({
    letter: letterOf(at),
    label: { ...label, unsure: false },
    people: own.length,
    unsure: own.filter((event) => event.label?.unsure).length,
    comments: own.flatMap(({ comment }) => (comment === undefined || comment.trim() === '' ? [] : [comment])),
  }));
};
