/** Ten messages over three topics, with returns that name what they return to. */
export const threeTopics = [
  'I want to spend a week in Lisbon in May. Which neighbourhood should we stay in?',
  'Is Alfama in Lisbon quiet at night?',
  'Something else: my Python script crashes when it reads a CSV file with pandas.',
  'The pandas error says that a column is missing from the CSV file.',
  'On another subject, how long do I soak chickpeas before I cook them?',
  'Can I freeze the cooked chickpeas?',
  'Back to Lisbon: which day trips from Lisbon can we do in a week?',
  'And how do we get to Sintra from Lisbon by train?',
  'Back to the Python script: how do I skip broken lines when pandas reads the CSV file?',
  'Going back to the chickpeas: which spices go with cooked chickpeas?',
] as const;

/** The same, with one turn that similarity alone would misplace. */
export const terseTopics = [
  ...(threeTopics.slice(0, 7) as [string, string, string, string, string, string, string]),
  'Thanks, and what does that cost?',
  threeTopics[8],
  threeTopics[9],
] as const;

/** A short dialogue with replies, as chat API messages. */
export const gardenMessages = [
  { role: 'user', content: 'When should I plant tomatoes in the garden?' },
  { role: 'assistant', content: 'After the last frost, when nights stay above ten degrees.' },
  { role: 'user', content: 'How deep do I plant the tomato seedlings?' },
  { role: 'assistant', content: 'Bury two thirds of the stem, so that it grows more roots.' },
  { role: 'user', content: 'Which train goes from Prague to Vienna in the morning?' },
  { role: 'assistant', content: 'The first Railjet leaves shortly before six.' },
];

/** Two dialogues without replies, in the format of the NTM data: one per line. */
export const ntmLines = [
  {
    conversation_id: 'bicycle',
    metadata: { rounds: '2' },
    user_turns: [
      { turn_id: 1, content: 'My bicycle chain keeps slipping off.' },
      { turn_id: 2, content: 'How do I measure whether the bicycle chain is worn?' },
    ],
    checkpoint_question: 'What was wrong with the bicycle?',
  },
  {
    conversation_id: 'violin',
    metadata: { rounds: '1' },
    user_turns: [{ turn_id: 1, content: 'How often should I change the strings of a violin?' }],
    checkpoint_question: 'Which instrument was it?',
  },
]
  .map((line) => JSON.stringify(line))
  .join('\n');
