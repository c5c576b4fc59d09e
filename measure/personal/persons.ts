import { randomFrom } from '../../src/domain/numbers.ts';
import { contentWords } from '../../src/engine/text/words.ts';
import { type LabelledDialogue, type LabelledTurn, topicsOf } from '../../src/features/evaluate/datasets/dialogues.ts';

/** A person with a habit that the decider does not know; rewrites a dialogue as they would have written and labelled it. */
export interface Person {
  readonly name: string;
  /** The question whose answers the habit changes. */
  readonly question: 'topic' | 'branch';
  rewrite(dialogue: LabelledDialogue): LabelledDialogue;
}

/** Words from which on a message counts as self-contained. */
const FULL_MESSAGE = 5;
/** Probability per turn that the forker tries an alternative, and how many turns above. */
const FORK_RATE = 0.35;
const FORK_REACH = 3;
/** Probability per turn that the insider asks how the world is. */
const ASIDE_RATE = 0.3;

/** Maps the turns of a dialogue, to reword them or put them under other turns. */
const turnByTurn = (
  dialogue: LabelledDialogue,
  change: (turn: LabelledTurn, at: number) => LabelledTurn,
): LabelledDialogue => ({ ...dialogue, turns: dialogue.turns.map(change) });

/** Inserts turns after some turns of a dialogue; later turns continue from them. Parents are given by their old indices. */
const inserting = (dialogue: LabelledDialogue, after: (at: number) => LabelledTurn | null): LabelledDialogue => {
  const turns: LabelledTurn[] = [];
  const places: number[] = [];
  const add = (turn: LabelledTurn) =>
    turns.push({ ...turn, parent: turn.parent === null ? null : (places[turn.parent] ?? null) }) - 1;
  for (const [at, turn] of dialogue.turns.entries()) {
    places[at] = add(turn);
    const inserted = after(at);
    if (inserted !== null) places[at] = add(inserted);
  }
  return { ...dialogue, turns };
};

const seedOf = (text: string): number => [...text].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7);

const lower = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

/** Picks one of some phrases, the same for the same turn of the same dialogue. */
const phraseFor = (phrases: readonly string[], { id }: LabelledDialogue, at: number): string => {
  const random = randomFrom(seedOf(`${id}${at}`));
  return phrases[Math.floor(random() * phrases.length)] ?? '';
};

/** Opens topics with phrases of their own. */
const opener: Person = {
  name: 'opens topics in words of their own',
  question: 'topic',
  rewrite: (dialogue) =>
    turnByTurn(dialogue, (turn, at) => {
      if (at === 0 || turn.parent !== null) return turn;
      const phrase = phraseFor(['Fresh page:', 'Fresh page, please.', 'Next drawer:'], dialogue, at);
      return { ...turn, message: `${phrase} ${lower(turn.message)}` };
    }),
};

/** Goes back to a topic with phrases of their own. */
const returner: Person = {
  name: 'returns in words of their own',
  question: 'topic',
  rewrite: (dialogue) => {
    const topics = topicsOf(dialogue.turns);
    return turnByTurn(dialogue, (turn, at) => {
      if (at === 0 || turn.parent === null || topics[at] === topics[at - 1]) return turn;
      const phrase = phraseFor(['Rewind:', 'Rewind a bit,', 'Bookmark two:'], dialogue, at);
      return { ...turn, message: `${phrase} ${lower(turn.message)}` };
    });
  },
};

/** Occasionally asks how the world is, and keeps that in the current thread. */
const insider: Person = {
  name: 'keeps questions for knowledge in the running thread',
  question: 'topic',
  rewrite: (dialogue) => {
    const random = randomFrom(seedOf(dialogue.id));
    return inserting(dialogue, (at) => {
      if (random() > ASIDE_RATE) return null;
      return { message: knowledgeQuestion(random), reply: null, parent: at, disputed: false };
    });
  },
};

/** Opens a topic for any full message of only new words. */
const splitter: Person = {
  name: 'splits topics finer',
  question: 'topic',
  rewrite: (dialogue) => {
    const own: (number | null)[] = [];
    const words = dialogue.turns.map(({ message }) => contentWords(message));
    for (const [at, turn] of dialogue.turns.entries()) {
      const heard = new Set<string>();
      for (let up = turn.parent; up !== null && up !== undefined; up = own[up] ?? null) {
        for (const word of words[up] ?? []) heard.add(word);
      }
      const full = turn.message.split(/\s+/).length >= FULL_MESSAGE;
      const apart = full && ![...(words[at] ?? [])].some((word) => heard.has(word));
      own.push(apart ? null : turn.parent);
    }
    return turnByTurn(dialogue, (turn, at) => ({ ...turn, parent: own[at] ?? null }));
  },
};

/** Repeats an earlier message of the path in another way, meaning a branch from there. */
const forker: Person = {
  name: 'wants alternatives as forks',
  question: 'branch',
  rewrite: (dialogue) => {
    const random = randomFrom(seedOf(dialogue.id));
    return inserting(dialogue, (at) => {
      let back: number | null = at;
      for (let step = 0; step < FORK_REACH && back !== null; step++) back = dialogue.turns[back]?.parent ?? null;
      const revisited = back === null ? undefined : dialogue.turns[back];
      if (revisited === undefined || random() > FORK_RATE) return null;
      const phrase = phraseFor(['Other road:', 'Other road then,', 'Plan B for this one:'], dialogue, at);
      return { ...revisited, message: `${phrase} ${lower(revisited.message)}`, parent: back };
    });
  },
};

export const persons: readonly Person[] = [opener, returner, insider, splitter, forker];

const FORMS: readonly ((thing: string) => string)[] = [
  (thing) => `What is ${thing}?`,
  (thing) => `Who invented ${thing}?`,
  (thing) => `How does ${thing} work?`,
  (thing) => `Why is ${thing} so famous?`,
  (thing) => `When was ${thing} first used?`,
  (thing) => `Explain ${thing} in one sentence.`,
  (thing) => `Is it true that nobody understands ${thing}?`,
];

const THINGS: readonly string[] = [
  'a sextant',
  'the doppler effect',
  'a lathe',
  'photosynthesis',
  'the abacus',
  'a heat pump',
  'the printing press',
  'a black hole',
  'sonar',
  'the gold standard',
  'vulcanised rubber',
  'a suspension bridge',
  'the rosetta stone',
  'plate tectonics',
  'a carburettor',
  'braille',
  'the steam turbine',
  'pasteurisation',
  'a gyroscope',
  'the metric system',
  'aspirin',
  'a pendulum clock',
  'the morse code',
  'concrete',
  'a periscope',
  'the barometer',
  'quinine',
  'a fresnel lens',
  'the zip fastener',
  'gunpowder',
];

/** A question unrelated to anything at hand. `random`: uniform in [0, 1). */
const knowledgeQuestion = (random: () => number): string => {
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  return pick(FORMS)(pick(THINGS));
};
