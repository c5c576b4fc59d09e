import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import * as z from 'zod/mini';
import { withoutMarkup } from '../../app/search-words.ts';
import { randomFrom } from '../../domain/numbers.ts';
import { oneLine } from '../../engine/text/words.ts';

/** How a turn relates to what was said before. In the order of keys 1–5. */
export const placements = [
  'continue-branch',
  'create-branch',
  'switch-branch',
  'switch-topic',
  'create-topic',
] as const;

const Index = z.int().check(z.nonnegative());
const StudyPlacement = z.enum(placements);

/** What a turn continues from: a turn of the dialogue (its index from 0), nothing (a new topic), or something outside the dialogue. */
const Parent = z.union([Index, z.literal('new-topic'), z.literal('elsewhere')]);

export const LabelSchema = z.object({
  placement: StudyPlacement,
  parent: Parent,
  /** Indices of additional parents. */
  furtherParents: z.array(Index),
  /** From the study author's own tags. */
  tags: z.array(z.string()),
  unsure: z.boolean(),
});

/** The label that a decider or a policy gives a turn. */
export const EngineLabelSchema = z.object({
  /** The name of the decider or policy. */
  by: z.string(),
  placement: StudyPlacement,
  parent: Parent,
  /** 0–1; null if it gave none. */
  confidence: z.nullable(z.number()),
});

export const StudyTurnSchema = z.object({
  user: z.string(),
  /** Empty if nobody answers, as in chats with many speakers. */
  assistant: z.string(),
  speaker: z.optional(z.string()),
});

const StudyDialogueSchema = z.object({
  id: z.string().check(z.regex(/^[\w.-]{1,80}$/)),
  name: z.string(),
  turns: z.array(StudyTurnSchema).check(z.minLength(1)),
  /** Training dialogues are labelled first, with feedback. */
  part: z.enum(['work', 'training']),
  /** One per turn. An annotator's package has it only for training dialogues; the coordinator's also has the hidden gold. */
  gold: z.optional(z.array(z.nullable(LabelSchema))),
  /** One per turn; only in assisted mode. */
  engine: z.optional(z.array(z.nullable(EngineLabelSchema))),
});

export const StudySchema = z.object({
  format: z.literal('coppice-study'),
  version: z.literal(1),
  id: z.string().check(z.minLength(1)),
  name: z.string().check(z.minLength(1)),
  /** Markdown. */
  guidelines: z.string(),
  mode: z.enum(['blind', 'assisted']),
  tags: z.array(z.string()),
  /** Number of codes given out: P1, P2 and so on. */
  people: z.int().check(z.positive()),
  peoplePerDialogue: z.int().check(z.positive()),
  seed: z.int(),
  dialogues: z.array(StudyDialogueSchema),
});

export type StudyPlacement = z.infer<typeof StudyPlacement>;
export type Parent = z.infer<typeof Parent>;
export type EngineLabel = z.infer<typeof EngineLabelSchema>;
export type StudyLabel = z.infer<typeof LabelSchema>;
export type StudyTurn = z.infer<typeof StudyTurnSchema>;
export type StudyDialogue = z.infer<typeof StudyDialogueSchema>;
export type Study = z.infer<typeof StudySchema>;

/** The message, preceded by its speaker if there are several. */
export const messageWithSpeaker = ({ speaker, user }: StudyTurn): string =>
  speaker === undefined ? user : `${speaker}: ${user}`;

/** What a turn's reply says, without the marks of Markdown; empty if it has none. */
export const plainReply = ({ assistant }: StudyTurn): string => withoutMarkup(assistant).trim();

export const hashOfText = (text: string): string => bytesToHex(sha256(utf8ToBytes(text)));

/** The labelled content of a dialogue, as its file in a package stores it: the same in every package. */
export const itemText = ({ id, turns }: Pick<StudyDialogue, 'id' | 'turns'>): string =>
  JSON.stringify({
    id,
    turns: turns.map(({ user, assistant, speaker }) => ({
      user,
      assistant,
      ...(speaker === undefined ? {} : { speaker }),
    })),
  });

/** Identifies what was labelled: if a dialogue has changed since, its labels refer to something else. */
export const itemHash = (dialogue: Pick<StudyDialogue, 'id' | 'turns'>): string => hashOfText(itemText(dialogue));

/*
 * Assignment of dialogues without a server: a function of the study and the person alone. The author gives out codes, P1 to
 * Pn. The seed orders the work dialogues; the one at position i goes to the k people from number i·k on, wrapping around. So
 * each dialogue has k people, and the numbers of dialogues of any two people differ by at most one. If everybody labels
 * everything, no code is needed and any name will do. Whoever tries the study goes by `Test` and has all dialogues. Each
 * person has their own order; training comes first, in the author's order.
 */

export const everybodyLabelsAll = ({ people, peoplePerDialogue }: Study): boolean => peoplePerDialogue >= people;

/** P1 to Pn. */
export const codesOf = ({ people }: Study): string[] => Array.from({ length: people }, (_, at) => `P${at + 1}`);

/** The name for trying a study with codes: those are its annotators' own. */
const TRIAL = 'Test';

/** The one of these names that is meant by a name: it may begin with a small letter this time. */
export const knownName = (names: readonly string[], name: string): string | undefined =>
  names.includes(name) ? name : names.find((one) => one.toLowerCase() === name.toLowerCase());

/** Normalises a typed name, which may be known, or a code of this study or `Test`; null if it is neither. */
export const personOf = (study: Study, typed: string, known: readonly string[] = []): string | null => {
  const name = oneLine(typed);
  if (everybodyLabelsAll(study)) return name === '' ? null : (knownName(known, name) ?? name);
  return knownName([...codesOf(study), TRIAL], name) ?? null;
};

/** The dialogues that a person labels, in their order. Two people with one code, as in `P1 (2)`, have the same. */
export const dialoguesFor = (study: Study, person: string): StudyDialogue[] => {
  const training = study.dialogues.filter(({ part }) => part === 'training');
  const work = study.dialogues.filter(({ part }) => part === 'work');
  const code = person.replace(/ \(\d+\)$/, '');
  const number = codesOf(study).indexOf(code);
  const hasAll = everybodyLabelsAll(study) || code === TRIAL;
  const theirs = hasAll ? work : shuffled(work, study.seed).filter((_, at) => isOneOf(study, at, number));
  return [...training, ...shuffled(theirs, study.seed ^ seedOf(person))];
};

const isOneOf = ({ people, peoplePerDialogue }: Study, at: number, number: number): boolean =>
  number >= 0 && (((number - at * peoplePerDialogue) % people) + people) % people < peoplePerDialogue;

const seedOf = (person: string): number => Number.parseInt(hashOfText(person).slice(0, 8), 16);

/** Shuffles deterministically by seed (Fisher–Yates). */
const shuffled = <T>(items: readonly T[], seed: number): T[] => {
  const random = randomFrom(seed);
  const order = [...items];
  for (let at = order.length - 1; at > 0; at--) {
    const to = Math.floor(random() * (at + 1));
    [order[at], order[to]] = [order[to] as T, order[at] as T];
  }
  return order;
};

/* The structure that labels give a dialogue: topics, and branches in them. Turns without a label are unattached. */

type LabelledParent = Pick<StudyLabel, 'parent'> | null | undefined;

/** The turn that opens a turn's topic. */
const rootOf = (labels: readonly LabelledParent[], turn: number): number => {
  let at = turn;
  // A parent precedes its turn, so this terminates.
  for (let parent = labels[at]?.parent; typeof parent === 'number' && parent < at; parent = labels[at]?.parent) {
    at = parent;
  }
  return at;
};

const hasChildren = (labels: readonly LabelledParent[], turn: number): boolean =>
  labels.some((label) => label?.parent === turn);

/**
 * The placement implied by a parent. `labels`: of the turns before it. Continuing from the previous turn continues its
 * branch; from another tip of the same topic, it switches to that branch; from a turn that already has a child, it opens a
 * branch.
 */
export const placementFor = (labels: readonly LabelledParent[], parent: Parent): StudyPlacement => {
  if (parent === 'new-topic') return 'create-topic';
  const last = labels.length - 1;
  if (parent === 'elsewhere' || rootOf(labels, parent) !== rootOf(labels, last)) return 'switch-topic';
  if (parent === last) return 'continue-branch';
  return hasChildren(labels, parent) ? 'create-branch' : 'switch-branch';
};

/** Whether a label can have both: what creates a topic continues nothing. */
export const areCompatible = (parent: Parent, placement: StudyPlacement): boolean =>
  (parent === 'new-topic') === (placement === 'create-topic');

/** A label that may still lack its parent or its placement. */
export type PartialLabel = Omit<StudyLabel, 'parent' | 'placement'> & {
  readonly parent: Parent | null;
  readonly placement: StudyPlacement | null;
};

/** Gives a label another parent. A placement that cannot go with it becomes the plain one that can. */
export const withParent = (label: PartialLabel, parent: Parent): PartialLabel => {
  const opens = parent === 'new-topic';
  const furtherParents = opens ? [] : label.furtherParents.filter((one) => one !== parent);
  if (label.placement !== null && areCompatible(parent, label.placement)) return { ...label, parent, furtherParents };
  const plain = opens ? 'create-topic' : parent === 'elsewhere' ? 'switch-topic' : 'continue-branch';
  return { ...label, parent, furtherParents, placement: opens || label.placement !== null ? plain : null };
};

/** Gives a label another placement. The parent stays if it can go with it. */
export const withPlacement = (label: PartialLabel, placement: StudyPlacement): PartialLabel => {
  if (placement === 'create-topic') return { ...label, placement, parent: 'new-topic', furtherParents: [] };
  const fits = label.parent !== null && areCompatible(label.parent, placement);
  return { ...label, placement, parent: fits ? label.parent : null };
};

/** The parents that fit a placement, most likely first: ends of branches before turns that already have a child, newer before older. */
export const parentsFor = (labels: readonly LabelledParent[], placement: StudyPlacement): Parent[] => {
  if (placement === 'create-topic') return ['new-topic'];
  const found = [...labels.keys()].reverse().filter((turn) => placementFor(labels, turn) === placement);
  const isEnd = (turn: number) => !hasChildren(labels, turn);
  return [...found.filter(isEnd), ...found.filter((turn) => !isEnd(turn))];
};

/** A turn's place in the drawing: its lane, counted from the left, and its topic, in order of creation. */
export interface LanePosition {
  readonly lane: number;
  readonly topic: number;
}

/** Assigns lanes to branches: the first child of a turn stays in its lane, others open a new one. Turns without a label have no place. */
export const placesOf = (labels: readonly LabelledParent[]): (LanePosition | null)[] => {
  const places: (LanePosition | null)[] = [];
  const wentOn = new Set<number>();
  let [lanes, topics] = [0, 0];
  for (const label of labels) {
    const parent = label?.parent;
    const from = typeof parent === 'number' ? places[parent] : undefined;
    if (label == null) places.push(null);
    else if (from == null || typeof parent !== 'number') places.push({ lane: lanes++, topic: topics++ });
    else if (wentOn.has(parent)) places.push({ lane: lanes++, topic: from.topic });
    else places.push(from);
    if (typeof parent === 'number') wentOn.add(parent);
  }
  return places;
};
