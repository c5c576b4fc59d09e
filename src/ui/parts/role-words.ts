import type { Role } from '../../domain/decision.ts';

export const ROLES: readonly Role[] = ['chat', 'decide', 'summarise', 'embed'];

/** What a role does, in a word, where people read it. */
export const ROLE_WORDS: Readonly<Record<Role, string>> = {
  chat: 'Replies',
  decide: 'Decides',
  summarise: 'Summarises',
  embed: 'Compares',
};
