import { contextAgent } from '../../../engine/context/policies/context-agent.ts';
import type { Decider } from '../../../engine/ports.ts';
import { ABOUT_POLICY, aboutDecider, subjectName } from '../../../ui/parts/policies.tsx';
import type { SubjectChoice, SubjectNames } from '../evaluation-port.ts';
import type { Placing } from '../measurement/placements.ts';
import { byPaths, CONTEXT_NAMES, MEMORY_NAMES, type Subjects, subjectsNamed } from '../measurement/subjects.ts';

const EQUAL = /-equal-tokens$/;

/** What a subject is, in a few words. */
const about = (name: string): string => {
  if (EQUAL.test(name)) return `${name.replace(EQUAL, '')} with as many tokens as context-agent`;
  return ABOUT_POLICY[name] ?? aboutDecider(name);
};

const chosen = (name: string): SubjectChoice => ({ name, title: subjectName(name), about: about(name) });
/** All there are, memories included. */
const all = (): Subjects => subjectsNamed([], [...CONTEXT_NAMES, ...MEMORY_NAMES]);
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
      : [
          {
            name: own.name,
            title: own.name,
            about: 'chosen in Models; asked once a decision, which takes its time',
          },
        ]),
  ];
};

export const policyChoices = (): SubjectChoice[] => CONTEXT_NAMES.map(chosen);

/** They embed and condense at every turn, and are measured where they are asked for. */
export const memoryChoices = (): SubjectChoice[] => MEMORY_NAMES.map(chosen);

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
