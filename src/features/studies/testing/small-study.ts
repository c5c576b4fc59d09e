import type { LabelEvent } from '../label-events.ts';
import { itemHash, type Study, type StudyDialogue, type StudyLabel, type StudyPlacement } from '../study.ts';

/*
 * Two dialogues to label and one for training, with people's labels. A label is written as `parent letter`: parents from 1,
 * 0 for a new topic, ? for something outside the dialogue; K continues, B opens a branch, R returns to one, S returns to a
 * topic, C opens a topic.
 */

const LETTERS: Readonly<Record<string, StudyPlacement>> = {
  K: 'continue-branch',
  B: 'create-branch',
  R: 'switch-branch',
  S: 'switch-topic',
  C: 'create-topic',
};

export const labelled = (words: string): StudyLabel[] =>
  words.split(' ').map((word) => {
    const [letter = 'K', parent = '', ...further] = [word.slice(-1), ...word.slice(0, -1).split('+')];
    return {
      placement: LETTERS[letter] ?? 'continue-branch',
      parent: parent === '?' ? 'elsewhere' : parent === '0' ? 'new-topic' : Number(parent) - 1,
      furtherParents: further.map((one) => Number(one) - 1),
      tags: [],
      unsure: false,
    };
  });

const dialogue = (
  id: string,
  part: StudyDialogue['part'],
  said: readonly (readonly [string, string])[],
): StudyDialogue => ({
  id,
  name: id.replace(/^./, (first) => first.toUpperCase()),
  part,
  turns: said.map(([user, assistant]) => ({ user, assistant })),
});

const TRIP = [
  ['Two days in Lisbon in May, what should I not miss?', 'Alfama, Belém and a tram ride.'],
  ['And where would you eat?', 'Cervejaria Ramiro for seafood.'],
  ['My sourdough does not rise, any idea?', 'The starter may be too young.'],
  ['It is nine days old', 'Feed it twice a day for a week.'],
  ['Back to Lisbon: is the tram worth the queue?', 'Early in the morning, yes.'],
  ['Instead of Ramiro, something without meat or fish?', 'Ao 26 is vegan and good.'],
  ['How warm should the kitchen be for the dough?', 'About 24 degrees.'],
  ['And for the trip, do I need a jacket?', 'For the evenings, yes.'],
] as const;

const DESK = [
  ['Which desk would fit in 120 cm?', 'One of 110 cm, with round corners.'],
  ['Can it be raised?', 'Some can, from 300 euros.'],
  ['What about the chair?', 'One with a short back.'],
  ['Is the desk heavy?', 'About 30 kilos.'],
] as const;

const TRAIN = [
  ['Name a good book on birds', 'The Genius of Birds.'],
  ['One for children?', 'Birds, by Kevin Henkes.'],
  ['What is the capital of Peru?', 'Lima.'],
] as const;

export const smallStudy = (): Study => ({
  format: 'coppice-study',
  version: 1,
  id: 'small',
  name: 'Small talk',
  guidelines: '# What goes on from what',
  mode: 'blind',
  tags: [],
  people: 3,
  peoplePerDialogue: 3,
  seed: 7,
  dialogues: [
    { ...dialogue('birds', 'training', TRAIN), gold: labelled('0C 1B 0C') },
    { ...dialogue('trip', 'work', TRIP), gold: [null, null, null, null, ...labelled('1S'), null, null, null] },
    dialogue('desk', 'work', DESK),
  ],
});

/** Each person's labels, by dialogue; `pace` is their median time per label, in seconds. */
export const PEOPLE: Readonly<
  Record<string, { readonly pace: number; readonly said: Readonly<Record<string, string>> }>
> = {
  Ann: { pace: 8, said: { birds: '0C 1B 0C', trip: '0C 1K 0C 3K 1S 2B 4S 5S', desk: '0C 1K 1B 1R' } },
  Ben: { pace: 9, said: { birds: '0C 1K 0C', trip: '0C 1K 0C 3K 2S 2B 4S 5S', desk: '0C 1K 0C 1S' } },
  Cem: { pace: 3, said: { birds: '0C 0C 0C', trip: '0C 1K 0C 3K 1S 5+2B 4S 1S', desk: '0C 1K 1B 1R' } },
};

/** The events of one of these people, in order. */
export const eventsBy = (study: Study, person: keyof typeof PEOPLE): LabelEvent[] => {
  const { pace = 8, said = {} } = PEOPLE[person] ?? {};
  let at = 1_790_000_000_000;
  return study.dialogues.flatMap((one) =>
    labelled(said[one.id] ?? '').map((label, turn): LabelEvent => {
      const worked = pace * 1000 + ((turn * 700) % 2000) - 800;
      at += worked;
      return {
        id: `${person}-${one.id}-${turn}`,
        study: study.id,
        person: String(person),
        dialogue: one.id,
        itemHash: itemHash(one),
        turn,
        at,
        worked: person === 'Cem' && turn === 3 ? 900 : worked,
        mode: study.mode,
        label: person === 'Ben' && one.id === 'trip' && turn === 4 ? { ...label, unsure: true } : label,
        ...(person === 'Ben' && one.id === 'trip' && turn === 4 ? { comment: 'Ramiro or the whole trip?' } : {}),
        phase: one.part,
      };
    }),
  );
};
