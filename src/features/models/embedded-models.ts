import type { Role } from '../../domain/decision.ts';

/** What a person should know of a role and the model that ships for it. */
interface RoleFacts {
  readonly does: string;
  /** Name of the embedded model. */
  readonly name: string;
  /** What the embedded model is and is not, in honest words. */
  readonly about: string;
  /** What of the page's weight is its own; null where that is next to nothing. */
  readonly size: string | null;
  readonly licence: string;
}

export const ROLE_FACTS: Readonly<Record<Role, RoleFacts>> = {
  chat: {
    does: 'Writes what the assistant says.',
    name: 'recall',
    about:
      'No language model. It answers by quoting what the path and the nearest other turns already say, with links to them; it knows nothing else and makes nothing up.',
    size: null,
    licence: 'MIT',
  },
  decide: {
    does: 'Chooses the topic and the branch that a message belongs to.',
    name: 'embedded decider',
    about:
      'Weighs likeness in meaning, how recent a topic is, and phrases such as “back to”. It says how sure it is, and it errs: correct it with “Change” under a message. The phrases that it knows are English.',
    size: null,
    licence: 'MIT',
  },
  summarise: {
    does: 'Sums a turn up in one sentence and names topics.',
    name: 'extractive',
    about: 'Picks the sentence or clause that carries the turn. It extracts, and never words anything anew.',
    size: null,
    licence: 'MIT',
  },
  embed: {
    does: 'Compares what texts mean, to find the turns near a message.',
    name: 'use-lite-en int8',
    about:
      'Universal Sentence Encoder Lite, quantised to int8: turns a text into 512 numbers, on the processor, in a few milliseconds.',
    size: '7.1 MB',
    licence: 'Apache-2.0',
  },
};

/** What the embedded model costs, and its licence. */
export const embeddedFacts = (role: Role): readonly string[] => {
  const { size, licence } = ROLE_FACTS[role];
  return ['ships with the page', ...(size === null ? [] : [size]), licence];
};
