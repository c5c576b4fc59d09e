import { randomFrom } from '../src/engine/figures/estimate.ts';
import { type LabelledDialogue, type LabelledTurn, topicsOf } from '../src/features/evaluate/datasets/dialogues.ts';
import { grouped } from '../src/features/evaluate/measurement/metric.ts';

/** A conversation is put together until it has so many turns. */
const LONG_ENOUGH = 12;
/** How often only one topic of a conversation is taken, and all that is said about it. */
const STAYS = 0.3;
/** How often a topic is taken where several are. */
const TAKEN = 0.6;
/** How often one more turn of a visit is taken, as far as it goes. */
const GOES_ON = 0.6;
const SEED = 1;

/**
 * The same conversations cut otherwise. Who writes conversations falls into a habit of when they change topics, and who learns from them
 * learns the habit. Here topics are left out, visits to them end early, and another conversation follows: a change may come with
 * the second message or not in twelve. What is put together is of one language and one part of the cross-validation.
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

/** Adds some turns of a dialogue. The parent of one whose own was left out is the nearest before that. */
const takeFrom = ({ turns }: LabelledDialogue, random: () => number, to: LabelledTurn[]): void => {
  const topics = topicsOf(turns);
  const all = [...new Set(topics)];
  const stays = random() < STAYS;
  const one = all[Math.floor(random() * all.length)];
  const taken = new Set(all.filter((topic) => topic === one || (!stays && random() < TAKEN)));
  /** Where each turn that was taken came to stand. */
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
    // What else is labelled names turns by their old places.
    const { message, reply, disputed } = turn;
    places.set(at, to.push({ message, reply, disputed, parent: placeOf(turn.parent) }) - 1);
  }
};
