import type { Labelled } from './fit-lessons.ts';
import { COMMON_WORDINGS, GENERAL_QUESTIONS } from './general-questions-data.ts';

/** Questions as other people put them, which what one person teaches must not spoil. */
export interface General {
  readonly questions: readonly Labelled[];
  /** Wording facts that are nobody's own. */
  readonly wordings: ReadonlySet<string>;
}

/** A question on a line: facts of the message; of each choice its action, log-odds and facts; the right choice. */
type Packed = readonly [
  message: Labelled['message'],
  choices: readonly (readonly [action: number, base: number, facts?: Labelled['message']])[],
  right: number,
];

const ACTIONS = [
  'continue-topic',
  'create-topic',
  'switch-topic',
  'continue-branch',
  'create-branch',
  'switch-branch',
] as const satisfies Labelled['choices'][number]['action'][];

export const packed = ({ message, choices, right }: Labelled): string =>
  JSON.stringify([
    message,
    choices.map(({ action, base, facts }) => [
      ACTIONS.indexOf(action),
      base,
      ...(Object.keys(facts).length === 0 ? [] : [facts]),
    ]),
    right,
  ]);

const unpacked = (line: string): Labelled => {
  const [message, choices, right] = JSON.parse(line) as Packed;
  return {
    message,
    choices: choices.map(([action, base, facts = {}]) => ({ action: ACTIONS[action] ?? ACTIONS[0], base, facts })),
    right,
  };
};

/** Those that ship, in `general-questions-data.ts`. */
export const shippedGeneral = (): General => ({
  questions: GENERAL_QUESTIONS.map(unpacked),
  wordings: new Set(COMMON_WORDINGS),
});
