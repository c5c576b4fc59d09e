import { randomFrom } from '../src/domain/numbers.ts';
import {
  grouped,
  type LabelledDialogue,
  type LabelledTurn,
  topicsOf,
} from '../src/features/evaluate/datasets/dialogues.ts';

/** Turns at which a recut conversation is long enough. */
const LONG_ENOUGH = 12;
/** Probability that only one topic of a conversation is taken, with everything said about it. */
const STAYS = 0.3;
/** Probability that each further topic is taken otherwise. */
const TAKEN = 0.6;
/** Probability that one more turn of a visit is taken, as long as it lasts. */
const GOES_ON = 0.6;
const SEED = 1;

/**
 * Cuts the same conversations differently. Authors of conversations fall into habits of when they change topics, and a model
 * trained on them learns the habit. Here topics are left out, visits to them end early, and another conversation follows: a change
 * may come with the second message or not in twelve. Joined conversations share a language and a part of the cross-validation.
 */
export const recut = (
  dialogues: readonly LabelledDialogue[],
  foldOf: (dialogue: LabelledDialogue) => number,
): LabelledDialogue[] => {
  const random = randomFrom(SEED);
  return [...grouped(dialogues, (dialogue) => `${dialogue.language} ${foldOf(dialogue)}`).values()].flatMap((alike) =>
    alike.map((_, at) => recutFrom(alike, at, random)),
  );
};

const recutFrom = (alike: readonly LabelledDialogue[], at: number, random: () => number): LabelledDialogue => {
  const first = alike[at] as LabelledDialogue;
  const turns: LabelledTurn[] = [];
  const groups = new Set<string>();
  for (let next = 0; turns.length < LONG_ENOUGH && next < alike.length; next++) {
    const dialogue = alike[(at + next) % alike.length] as LabelledDialogue;
    groups.add(dialogue.group);
    takeFrom(dialogue, random, turns);
  }
  return { ...first, set: `${first.set}-recut`, id: `${first.id}#recut`, groups: [...groups], turns };
};

/** Adds some turns of a dialogue. A turn whose parent was left out gets the nearest ancestor that was not. */
const takeFrom = ({ turns }: LabelledDialogue, random: () => number, to: LabelledTurn[]): void => {
  const topics = topicsOf(turns);
  const all = [...new Set(topics)];
  const stays = random() < STAYS;
  const one = all[Math.floor(random() * all.length)];
  const taken = new Set(all.filter((topic) => topic === one || (!stays && random() < TAKEN)));
  /** New index of each turn that was taken. */
  const places = new Map<number, number>();
  const placeOf = (turn: number | null): number | null => {
    if (turn === null) return null;
    return places.get(turn) ?? placeOf(turns[turn]?.parent ?? null);
  };
  let ended = false;
  for (const [at, turn] of turns.entries()) {
    if (topics[at] !== topics[at - 1]) ended = false;
    else ended ||= !stays && random() >= GOES_ON;
    if (ended || !taken.has(topics[at] ?? -1)) continue;
    // Other labels refer to turns by their old indices.
    const { message, reply, disputed } = turn;
    places.set(at, to.push({ message, reply, disputed, parent: placeOf(turn.parent) }) - 1);
  }
};
