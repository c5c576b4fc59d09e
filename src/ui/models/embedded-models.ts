import type { Role } from '../../domain/decision.ts';

/** What a person should know of a role and the model that ships for it. */
export interface RoleFacts {
  readonly role: Role;
  readonly does: string;
  /** What the embedded model is and is not, in honest words. */
  readonly about: string;
  readonly size: string;
  readonly licence: string;
}

export const roleFacts: readonly RoleFacts[] = [
  {
    role: 'chat',
    does: 'Writes replies',
    about:
      'No language model. It answers by quoting what the path and the nearest other turns already say, with links to them; it knows nothing else and makes nothing up.',
    size: 'part of the page',
    licence: 'MIT',
  },
  {
    role: 'decide',
    does: 'Chooses topic and branch',
    about:
      'Weighs likeness in meaning, how recent a topic is, and phrases such as “back to”. It says how sure it is, and it errs: correct it with “Change” under a message. English only.',
    size: 'part of the page',
    licence: 'MIT',
  },
  {
    role: 'summarise',
    does: 'Sums a turn up and names topics',
    about: 'Picks the sentence or clause that carries the turn. It extracts, and never words anything anew.',
    size: 'part of the page',
    licence: 'MIT',
  },
  {
    role: 'embed',
    does: 'Compares meanings',
    about:
      'Universal Sentence Encoder Lite, quantised to int8: turns a text into 512 numbers, on the processor, in a few milliseconds. English only.',
    size: '7.1 MB',
    licence: 'Apache-2.0',
  },
];
