/** A file as a user would provide it. */
export const given = (path: string, content: unknown) => {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  return { path, size: text.length, text: async () => text };
};

export const monitor = (signal: AbortSignal = new AbortController().signal) => {
  const seen: { done: number; of: number; what: string }[] = [];
  return { seen, signal, progress: (done: number, of: number, what: string) => void seen.push({ done, of, what }) };
};

const jsonl = (...lines: object[]) => lines.map((line) => JSON.stringify(line)).join('\n');

const sgdTurn = (speaker: string, utterance: string, service: string) => ({
  speaker,
  utterance,
  frames: [{ service, actions: [{ act: 'INFORM' }] }],
});

/** Small talk about two services, written for the tests in SGD's published format. */
export const sgdFile = [
  {
    dialogue_id: 'one',
    turns: [
      sgdTurn('USER', 'I need a table for two tonight.', 'Restaurants'),
      sgdTurn('SYSTEM', 'Which city?', 'Restaurants'),
      sgdTurn('USER', 'In Graz, please.', 'Restaurants'),
      sgdTurn('SYSTEM', 'Done.', 'Restaurants'),
      sgdTurn('USER', 'Now find me a train from Vienna to Graz.', 'Trains'),
      sgdTurn('SYSTEM', 'At what time?', 'Trains'),
      sgdTurn('USER', 'Back to the table: can we make it three people?', 'Restaurants'),
    ],
  },
  {
    dialogue_id: 'one',
    turns: [
      sgdTurn('USER', 'Play some jazz.', 'Music'),
      sgdTurn('SYSTEM', 'Playing.', 'Music'),
      sgdTurn('USER', 'Louder.', 'Music'),
    ],
  },
];

export const tiageFile = {
  1: [
    ['I keep bees.', '-1'],
    ['How many hives?', '0'],
    ['Do you like opera?', '1'],
  ],
};

export const ntmLines = jsonl({
  conversation_id: 'trip',
  user_turns: [{ content: 'Plan a trip.' }, { content: 'Add a day.' }, { content: 'Who wrote Faust?' }],
});
export const ntmLabels = [{ conversation_id: 'trip', parent: [0, 1, 0], disputed: [] }];

/** Two everyday conversations in the format of `everyday/*.json`. */
export const everydayFile = [
  {
    id: 'soup',
    lang: 'en',
    turns: [
      { message: 'soup for six pls', reply: 'Lentil soup: …', parent: 0, needs: [] },
      { message: 'my bike squeaks', reply: 'Oil the chain.', parent: 0, needs: [] },
      { message: 'without cream', reply: 'Then oat milk.', parent: 1, needs: [{ turn: 1, part: 'reply' }] },
    ],
  },
  {
    id: 'rad',
    lang: 'de',
    turns: [
      { message: 'mein rad quietscht', reply: 'Öle die Kette.', parent: 0 },
      { message: 'und die bremsen', reply: 'Reinige die Felgen.', parent: 1 },
    ],
  },
];

/** Three conversations of two turns, written for the tests; each second message is rewritten to stand alone. */
export const rewriteLines = jsonl(
  ...[
    [
      'Who designed the Forth bridge?',
      'Fowler and Baker did.',
      'When was it finished?',
      'When was the Forth bridge finished?',
    ],
    ['How do I prune an apple tree?', 'In winter, to an open cup.', 'And a cherry?', 'How do I prune a cherry tree?'],
    ['What is a rondo?', 'A form whose theme returns.', 'Who wrote any?', 'Who wrote any rondo?'],
  ].map(([message, reply, next, rewrite], at) => ({
    id: `made-${at}`,
    source: 'made',
    turns: [
      { message, rewrite: message, reply },
      { message: next, rewrite, reply: null },
    ],
  })),
);
