import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import * as z from 'zod/mini';
import { randomFrom } from '../../engine/figures/estimate.ts';

/** How a turn joins what was said before. In the order of the keys 1–5. */
export const placements = [
  'continue-branch',
  'create-branch',
  'switch-branch',
  'switch-topic',
  'create-topic',
] as const;

const Index = z.int().check(z.nonnegative());
const Placement = z.enum(placements);

/** What a turn goes on from: a turn of the dialogue (its index from 0), nothing (a new topic), or something that is not here. */
const Parent = z.union([Index, z.literal('new-topic'), z.literal('elsewhere')]);

export const LabelSchema = z.object({
  placement: Placement,
  parent: Parent,
  /** Indices of other turns that it goes on from, too. */
  furtherParents: z.array(Index),
  /** Of the author's own, those of the study. */
  tags: z.array(z.string()),
  unsure: z.boolean(),
});

/** What a decider or a policy says of a turn. */
export const EngineLabelSchema = z.object({
  /** Its name. */
  by: z.string(),
  placement: Placement,
  parent: Parent,
  /** 0–1; null where it gave none. */
  confidence: z.nullable(z.number()),
});

export const StudyTurnSchema = z.object({
  user: z.string(),
  /** Empty where nobody answers, as in chats of many speakers. */
  assistant: z.string(),
  speaker: z.optional(z.string()),
});

const StudyDialogueSchema = z.object({
  id: z.string().check(z.regex(/^[\w.-]{1,80}$/)),
  name: z.string(),
  turns: z.array(StudyTurnSchema).check(z.minLength(1)),
  /** Training dialogues are labelled first, with feedback. */
  part: z.enum(['work', 'training']),
  /** One a turn. In an annotator's package only of training dialogues; in the coordinator's the silent gold, too. */
  gold: z.optional(z.array(z.nullable(LabelSchema))),
  /** Of each turn; only in assisted mode. */
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
  /** How many codes were given out: P1, P2 and so on. */
  people: z.int().check(z.positive()),
  peoplePerDialogue: z.int().check(z.positive()),
  seed: z.int(),
  dialogues: z.array(StudyDialogueSchema),
});

export type Placement = z.infer<typeof Placement>;
export type Parent = z.infer<typeof Parent>;
export type EngineLabel = z.infer<typeof EngineLabelSchema>;
export type Label = z.infer<typeof LabelSchema>;
export type StudyTurn = z.infer<typeof StudyTurnSchema>;
export type StudyDialogue = z.infer<typeof StudyDialogueSchema>;
export type Study = z.infer<typeof StudySchema>;

/** What is said, after who says it where there are several. */
export const spoken = ({ speaker, user }: StudyTurn): string => (speaker === undefined ? user : `${speaker}: ${user}`);

export const hashOfText = (text: string): string => bytesToHex(sha256(utf8ToBytes(text)));

/** What of a dialogue is labelled, as its file in a package has it: the same whoever's package it is. */
export const itemText = ({ id, turns }: Pick<StudyDialogue, 'id' | 'turns'>): string =>
  JSON.stringify({
    id,
    turns: turns.map(({ user, assistant, speaker }) => ({
      user,
      assistant,
      ...(speaker === undefined ? {} : { speaker }),
    })),
  });

/** Names what was labelled: where a dialogue has changed since, its labels are of something else. */
export const itemHash = (dialogue: Pick<StudyDialogue, 'id' | 'turns'>): string => hashOfText(itemText(dialogue));

/*
 * Who labels what, without a server: a function of the study and the person alone. The author gives out codes, P1 to Pn. The dialogues to
 * label are put in an order by the seed; the one at place i goes to the k people from number i·k on, round and round. So each has k people,
 * and of two people neither has more than one dialogue more. Where all label all, no code is needed and any name will do.
 * Each person has an order of their own; the training comes first and in the author's order.
 */

export const everybodyLabelsAll = ({ people, peoplePerDialogue }: Study): boolean => peoplePerDialogue >= people;

/** P1 to Pn. */
export const codesOf = ({ people }: Study): string[] => Array.from({ length: people }, (_, at) => `P${at + 1}`);

/** The person as they are kept: a name, or a code of this study; null where it is neither. */
export const personOf = (study: Study, typed: string): string | null => {
  const name = typed.trim().replace(/\s+/g, ' ');
  if (everybodyLabelsAll(study)) return name === '' ? null : name;
  return codesOf(study).find((code) => code.toLowerCase() === name.toLowerCase()) ?? null;
};

/** The dialogues that a person labels, in their order. */
export const dialoguesFor = (study: Study, person: string): StudyDialogue[] => {
  const training = study.dialogues.filter(({ part }) => part === 'training');
  const work = study.dialogues.filter(({ part }) => part === 'work');
  const number = codesOf(study).indexOf(person);
  const theirs = everybodyLabelsAll(study)
    ? work
    : shuffled(work, study.seed).filter((_, at) => isOneOf(study, at, number));
  return [...training, ...shuffled(theirs, study.seed ^ seedOf(person))];
};

const isOneOf = ({ people, peoplePerDialogue }: Study, at: number, number: number): boolean =>
  number >= 0 && (((number - at * peoplePerDialogue) % people) + people) % people < peoplePerDialogue;

const seedOf = (person: string): number => Number.parseInt(hashOfText(person).slice(0, 8), 16);

/** In an order that is the same for the same seed (Fisher and Yates). */
const shuffled = <T>(items: readonly T[], seed: number): T[] => {
  const random = randomFrom(seed);
  const order = [...items];
  for (let at = order.length - 1; at > 0; at--) {
    const to = Math.floor(random() * (at + 1));
    [order[at], order[to]] = [order[to] as T, order[at] as T];
  }
  return order;
};

/*
 * What labels make of a dialogue: topics, and branches in them. Turns without a label hang nowhere.
 */

type LabelledParent = Pick<Label, 'parent'> | null | undefined;

/** The turn that opens the topic of a turn. */
const rootOf = (labels: readonly LabelledParent[], turn: number): number => {
  let at = turn;
  // A parent comes before its turn, so this ends.
  for (let parent = labels[at]?.parent; typeof parent === 'number' && parent < at; parent = labels[at]?.parent) {
    at = parent;
  }
  return at;
};

const hasChildren = (labels: readonly LabelledParent[], turn: number): boolean =>
  labels.some((label) => label?.parent === turn);

/**
 * The placement that follows from what a turn goes on from. `labels`: of the turns before it. Going on from the turn just before continues its
 * branch; from another tip of the topic switches to that branch; from a turn that something goes on from already opens one.
 */
export const placementFor = (labels: readonly LabelledParent[], parent: Parent): Placement => {
  if (parent === 'new-topic') return 'create-topic';
  const last = labels.length - 1;
  if (parent === 'elsewhere' || rootOf(labels, parent) !== rootOf(labels, last)) return 'switch-topic';
  if (parent === last) return 'continue-branch';
  return hasChildren(labels, parent) ? 'create-branch' : 'switch-branch';
};

/** What a placement can mean, the likeliest first: ends of branches before turns that something goes on from, the newest before older ones. */
export const parentsFor = (labels: readonly LabelledParent[], placement: Placement): Parent[] => {
  if (placement === 'create-topic') return ['new-topic'];
  const found = [...labels.keys()].reverse().filter((turn) => placementFor(labels, turn) === placement);
  const isEnd = (turn: number) => !hasChildren(labels, turn);
  return [...found.filter(isEnd), ...found.filter((turn) => !isEnd(turn))];
};

/** A turn as it stands in the drawing: how far to the right, and which topic it is in, by order of creation. */
export interface Place {
  readonly lane: number;
  readonly topic: number;
}

/** Branches side by side: the first that goes on from a turn stays in its lane, others open one. Turns without a label have none. */
export const placesOf = (labels: readonly LabelledParent[]): (Place | null)[] => {
  const places: (Place | null)[] = [];
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
