import { contextAgent } from '../../../engine/context/policies/context-agent.ts';
import type { Decider } from '../../../engine/ports.ts';
import type { SubjectChoice, SubjectNames } from '../evaluation-port.ts';
import type { Placing } from '../measurement/placements.ts';
import { byPaths, type Subjects, subjectsNamed } from '../measurement/subjects.ts';

const ABOUT: Readonly<Record<string, string>> = {
  learned: 'the decider that ships, with weights that were not fitted to the dialogue',
  calibrated: 'the paper’s rule: similarity and the gate',
  threshold: 'one cosine threshold for topics, no branches',
  'always-continue': 'never leaves the branch',
  'context-agent': 'path in full, the rest as summaries',
  'full-history': 'every turn',
  truncation: 'the last turns',
  'flat-rag': 'the turns found by words and vectors, no tree',
  'vector-rag': 'the turns found by vectors alone, no tree',
  'context-agent-without-rag': 'forks by heuristics, nothing looked up',
  'context-agent-code': 'topics by a yes or no to each path, forks from the nearest turn above 0.6',
  'truncation-equal-tokens': 'the last turns, as many tokens as context-agent',
  'flat-rag-equal-tokens': 'the turns found by words and vectors, as many tokens as context-agent',
};

const chosen = (name: string): SubjectChoice => ({ name, about: ABOUT[name] ?? '' });
const all = (): Subjects => subjectsNamed([], []);
/** A policy that finds fork points in its own way is measured for placement, too, under its own name. */
const isDecider = ({ policy }: Placing) => policy === contextAgent;

/** `own`: the decider chosen in Models, where it is not the embedded one. */
export const deciderChoices = (own: Decider | null): SubjectChoice[] => {
  const names = all()
    .placings.filter(isDecider)
    .map(({ subject }) => subject);
  return [
    ...names.map(chosen),
    ...(own === null
      ? []
      : [{ name: own.name, about: 'chosen in Models; asked once a decision, which takes its time' }]),
  ];
};

export const policyChoices = (): SubjectChoice[] => all().contexts.map(({ subject }) => chosen(subject));

/**
 * The chosen subjects; none where none are chosen. Every decision waits for `breathe`, so that the page need not
 * wait for a whole dialogue; calls of the person's own decider end with the signal.
 */
export const subjectsOf = (
  { deciders, policies }: SubjectNames,
  own: Decider | null,
  signal: AbortSignal,
  breathe: () => Promise<void>,
): Subjects => {
  const { placings, contexts } = all();
  const breathing = ({ path, ...decider }: Decider): Decider => ({
    ...decider,
    ...(path && {
      path: async (question) => {
        await breathe();
        return path(question, signal);
      },
    }),
    topic: async (question) => {
      await breathe();
      return decider.topic(question, signal);
    },
    branch: (question) => decider.branch(question, signal),
  });
  const breathingIn = (placing: Placing): Placing => ({
    ...placing,
    deciderFor: (dialogue) => breathing(placing.deciderFor(dialogue)),
  });
  const wanted = contexts.filter(({ subject }) => policies.includes(subject));
  const asked: Placing[] =
    own !== null && deciders.includes(own.name)
      ? [{ subject: own.name, deciderFor: () => breathing(own), policy: contextAgent }]
      : [];
  return {
    placings: [
      ...placings
        .filter((placing) => (isDecider(placing) ? deciders : policies).includes(placing.subject))
        .map(breathingIn),
      ...asked,
      ...asked.flatMap((one) => byPaths(one, wanted)),
    ],
    contexts: wanted,
  };
};
