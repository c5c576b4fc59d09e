/* Labelled dialogues in the public formats of their data sets, written for the tests. */

const said = (speaker: 'USER' | 'SYSTEM', utterance: string, service: string) => ({
  speaker,
  utterance,
  frames: [{ service, actions: [{ act: 'INFORM' }] }],
});

/** Two services: the second is left to return to the first. */
const services = (id: string, place: string) => ({
  dialogue_id: id,
  turns: [
    said('USER', `I need a table for two in ${place} tonight.`, 'Restaurants'),
    said('SYSTEM', 'At what time?', 'Restaurants'),
    said('USER', 'At eight, please.', 'Restaurants'),
    said('SYSTEM', 'It is booked.', 'Restaurants'),
    said('USER', `Which train goes to ${place} this afternoon?`, 'Trains'),
    said('SYSTEM', 'One at three and one at five.', 'Trains'),
    said('USER', 'Take the one at three.', 'Trains'),
    said('SYSTEM', 'Done.', 'Trains'),
    said('USER', 'Back to the table in the restaurant: make it three people.', 'Restaurants'),
  ],
});

const PLACES = ['Graz', 'Linz', 'Bregenz'];

export const sgdFile = JSON.stringify(PLACES.map((place, at) => services(`made-${at}`, place)));

/** Long enough to cancel a run. */
export const longSgdFile = JSON.stringify(
  Array.from({ length: 200 }, (_, at) => services(`long-${at}`, `town number ${at}`)),
);

export const tiageFile = JSON.stringify({
  1: [
    ['I keep bees behind the house.', '-1'],
    ['How many hives of bees do you have?', '0'],
    ['By the way, do you like opera?', '1'],
  ],
});

/** Its second line has an unknown label. */
export const brokenTiageFile = '{"1": [["Hi there.", "-1"],\n["Hello.", "2"]]}';

const rewritten = (id: string, message: string, reply: string, next: string, rewrite: string) =>
  JSON.stringify({
    id,
    source: 'made',
    turns: [
      { message, rewrite: message, reply },
      { message: next, rewrite, reply: null },
    ],
  });

/** Messages rewritten to stand alone, in the format of the CAsT and iKAT rewrites. */
export const rewritesFile = [
  rewritten(
    'a',
    'Who designed the Forth bridge?',
    'Fowler and Baker did.',
    'When?',
    'When was the Forth bridge designed?',
  ),
  rewritten('b', 'How do I prune an apple tree?', 'In winter.', 'And a cherry?', 'How do I prune a cherry tree?'),
  rewritten('c', 'What is a rondo?', 'A form whose theme returns.', 'Who wrote any?', 'Who wrote any rondo?'),
].join('\n');
