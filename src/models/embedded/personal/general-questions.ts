import type { GeneralQuestions, LabelledQuestion } from './fit-lessons.ts';
import shipped from './general-questions.json';

/** A question as stored: facts of the message; action, log-odds and facts of each choice; the right choice. */
export type PackedQuestion = readonly [
  message: LabelledQuestion['message'],
  choices: readonly (readonly [action: number, base: number, facts?: LabelledQuestion['message']])[],
  right: number,
];

/** The actions by the number that stands for them. */
export const ACTIONS = [
  'continue-topic',
  'create-topic',
  'switch-topic',
  'continue-branch',
  'create-branch',
  'switch-branch',
] as const satisfies LabelledQuestion['choices'][number]['action'][];

const unpacked = ([message, choices, right]: PackedQuestion): LabelledQuestion => ({
  message,
  choices: choices.map(([action, base, facts = {}]) => ({ action: ACTIONS[action] ?? ACTIONS[0], base, facts })),
  right,
});

/** The shipped questions: `general-questions.json`, which `npm run compile-general` writes from measure/dialogues. */
export const shippedGeneral = (): GeneralQuestions => ({
  questions: shipped.questions.map(unpacked),
  wordings: new Set(shipped.wordings),
});
