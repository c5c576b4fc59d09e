import * as z from 'zod/mini';
import { expectationOf, parsedJson } from '../../domain/expectation.ts';
import {
  EngineLabelSchema,
  itemHash,
  knownName,
  LabelSchema,
  type Study,
  type StudyDialogue,
  type StudyLabel,
} from './study.ts';

/*
 * The labels of a study are events: what somebody said of a turn, and when. The latest event of each person, dialogue and
 * turn holds, so files can be merged in any order and repeatedly.
 */

export const LabelEventSchema = z.object({
  id: z.string().check(z.minLength(1)),
  study: z.string(),
  person: z.string().check(z.minLength(1)),
  dialogue: z.string(),
  itemHash: z.string(),
  /** Index of the turn in its dialogue, from 0. */
  turn: z.int().check(z.nonnegative()),
  /** Milliseconds since 1970. */
  at: z.number(),
  /** Milliseconds of work since the person's last event; pauses are not counted. */
  worked: z.number().check(z.nonnegative()),
  /**
   * Milliseconds of work with this turn on screen since its last label or comment, whatever else was labelled in between.
   * Missing if it undoes or redoes something, and in labels from before this was counted.
   */
  onTurn: z.optional(z.number().check(z.nonnegative())),
  mode: z.enum(['blind', 'assisted']),
  /** null: the label was removed, or there is none yet. */
  label: z.nullable(LabelSchema),
  /** Set if the turn is flagged, with this comment. */
  comment: z.optional(z.string()),
  /** The engine's label as shown on screen. */
  shown: z.optional(EngineLabelSchema),
  /** `engine` marks a decider's labels and `gold` what was settled where people differ; the others are people's own. */
  phase: z.enum(['training', 'work', 'norming', 'engine', 'gold']),
  /** Why people differed, if it was settled. */
  reason: z.optional(z.enum(['guideline-unclear', 'ambiguous', 'slip'])),
  /** The event that this one undoes or redoes. */
  of: z.optional(z.string()),
});
export type LabelEvent = z.infer<typeof LabelEventSchema>;

/** Merges events without duplicates, in chronological order. The result does not depend on the order or repetition of the inputs. */
export const unionOf = (...lists: readonly (readonly LabelEvent[])[]): LabelEvent[] => {
  const byId = new Map<string, LabelEvent>();
  for (const event of lists.flat()) byId.set(event.id, event);
  return [...byId.values()].sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
};

/** The events of these dialogues as they are: what was said of another text, before a new version of the study, is left out. */
export const currentEvents = (dialogues: readonly StudyDialogue[], events: readonly LabelEvent[]): LabelEvent[] => {
  const hashes = new Map(dialogues.map((dialogue) => [dialogue.id, itemHash(dialogue)]));
  return events.filter((event) => hashes.get(event.dialogue) === event.itemHash);
};

/** The time of an event that has to come after these: a clock may have been set back, and another person's may be ahead. */
export const timeAfter = (events: readonly LabelEvent[], now: number): number =>
  events.reduce((time, { at }) => Math.max(time, at + 1), now);

/** The latest event of each person, dialogue and turn. */
export const labelsOf = (events: readonly LabelEvent[]): LabelEvent[] => {
  const newest = new Map<string, LabelEvent>();
  for (const event of unionOf(events)) newest.set(turnKey(event), event);
  return [...newest.values()];
};

/** A person's own work: neither their norming nor an engine's labels under the same name. */
export const workOf = (person: string, events: readonly LabelEvent[]): LabelEvent[] =>
  unionOf(events.filter((one) => one.person === person && isWork(one)));

const isWork = ({ phase }: LabelEvent): boolean => phase === 'training' || phase === 'work';

/**
 * The name under which a person's file is taken in: the one its events are known by, or else its own. It is in doubt if only
 * other events are known by it: two people may have used it, since what one browser saves contains what it saved before.
 */
export const nameForFile = (
  known: readonly LabelEvent[],
  { person, events }: { readonly person: string; readonly events: readonly LabelEvent[] },
): { readonly name: string; readonly isDoubtful: boolean } => {
  const ids = new Set(events.map(({ id }) => id));
  const same = known.find(({ id }) => ids.has(id));
  if (same !== undefined) return { name: same.person, isDoubtful: false };
  const taken = knownName([...new Set(known.filter(isWork).map((one) => one.person))], person);
  return { name: taken ?? person, isDoubtful: events.length > 0 && taken !== undefined };
};

const turnKey = ({ person, dialogue, turn }: LabelEvent): string => JSON.stringify([person, dialogue, turn]);

/** The events of one person that can be undone, and those that can be redone; the most recent last. */
export const undoable = (events: readonly LabelEvent[]): { past: LabelEvent[]; future: LabelEvent[] } => {
  const past: LabelEvent[] = [];
  const future: LabelEvent[] = [];
  for (const event of events) {
    if (event.of === undefined) {
      past.push(event);
      future.length = 0;
    } else if (past.at(-1)?.id === event.of) future.push(...past.splice(-1));
    else if (future.at(-1)?.id === event.of) past.push(...future.splice(-1));
  }
  return { past, future };
};

/** The same person's label and comment for the event's turn before the event. */
export const previousLabel = (
  events: readonly LabelEvent[],
  event: LabelEvent,
): Pick<LabelEvent, 'label' | 'comment'> => {
  const earlier = events.findLast(
    (one) => turnKey(one) === turnKey(event) && (one.at < event.at || (one.at === event.at && one.id < event.id)),
  );
  return { label: earlier?.label ?? null, ...(earlier?.comment === undefined ? {} : { comment: earlier.comment }) };
};

const VERSION = 1;

const Head = z.object({
  format: z.literal('coppice-labels'),
  version: z.int().check(z.positive()),
  study: z.string(),
  name: z.string(),
  person: z.string(),
});

/** Explains in whole sentences why a label file cannot be read. */
class LabelFileFailure extends Error {}

/** The file that a person sends back: a header, then one event per line. */
export const labelFile = (study: Study, person: string, events: readonly LabelEvent[]): string => {
  const head = { format: 'coppice-labels', version: VERSION, study: study.id, name: study.name, person };
  return `${[head, ...events].map((line) => JSON.stringify(line)).join('\n')}\n`;
};

/** Returns the events of a file, all valid and of this study. Throws a LabelFileFailure otherwise, without taking any. */
export const readLabelFile = (
  text: string,
  study: Study,
): { readonly person: string; readonly events: LabelEvent[] } => {
  const lines = text.split('\n').flatMap((line, at) => (line.trim() === '' ? [] : [{ line, number: at + 1 }]));
  const head = Head.safeParse(parsedJson(lines[0]?.line ?? ''));
  if (!head.success) {
    throw new LabelFileFailure('This is not a label file. Ask for the file that Studies saves for an annotator.');
  }
  const { version, study: of, name, person } = head.data;
  if (version > VERSION) {
    throw new LabelFileFailure(
      'It was written by a newer version of Coppice. Reload the page to update, then open it again.',
    );
  }
  if (of !== study.id) {
    throw new LabelFileFailure(`It belongs to another study, “${name}”. Open it there. This study is “${study.name}”.`);
  }
  const hashes = new Map(study.dialogues.map((dialogue) => [dialogue.id, itemHash(dialogue)]));
  const lengths = new Map(study.dialogues.map(({ id, turns }) => [id, turns.length]));
  const events = lines.slice(1).map(({ line, number }) => {
    const event = LabelEventSchema.safeParse(parsedJson(line));
    if (!event.success) {
      const { text: expected } = expectationOf(event.error);
      throw new LabelFileFailure(
        `It is damaged in line ${number} (expected ${expected}). Ask ${person} to save it again.`,
      );
    }
    const { dialogue, turn, label, itemHash: hash, study: eventOf, person: by, phase } = event.data;
    if (eventOf !== study.id || by !== person) {
      throw new LabelFileFailure(
        `Line ${number} belongs to a different person or study than the file’s header says. Ask ${person} to save it again.`,
      );
    }
    if (phase === 'engine' || phase === 'gold') {
      const what = phase === 'engine' ? 'a decider’s' : 'an adjudicator’s';
      throw new LabelFileFailure(
        `Line ${number} is not a person’s label but ${what}. Ask ${person} to save it again, in Studies.`,
      );
    }
    if (hashes.get(dialogue) !== hash) {
      throw new LabelFileFailure(
        `Line ${number} labels a dialogue (${dialogue}) that is not in this study, or has changed since. Give ${person} the package of this study.`,
      );
    }
    if (turn >= (lengths.get(dialogue) ?? 0) || !isPossible(label, turn)) {
      throw new LabelFileFailure(`Line ${number} links turns that cannot be linked. Ask ${person} to save it again.`);
    }
    return event.data;
  });
  return { person, events };
};

/** A turn can only continue from an earlier one. */
const isPossible = (label: StudyLabel | null, turn: number): boolean =>
  label === null ||
  [label.parent, ...label.furtherParents].every((parent) => typeof parent !== 'number' || parent < turn);
