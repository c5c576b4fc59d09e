import type { RoleState } from '../../app/model-control.ts';
import type { AppState } from '../../app/state.ts';
import { ROLE_WORDS, ROLES, shareOf, stateWords } from '../parts/model-words.ts';

/** A download is told of this often: at every quarter. */
const STEPS = 4;

/**
 * What a screen reader should hear of the models after a change; null if nothing. Sparse: when a model begins, at every
 * quarter, when it is ready, when it fails. What ships loads unsaid.
 */
export const modelNews = (before: AppState['models'], now: AppState['models']): string | null => {
  const said = ROLES.flatMap((role) => {
    const words = newsOf(before[role], now[role]);
    return words === null ? [] : [now[role].state === 'failed' ? `${ROLE_WORDS[role]}: ${words}` : words];
  });
  return said.length === 0 ? null : [...new Set(said)].join(' ');
};

const newsOf = (before: RoleState, now: RoleState): string | null => {
  if (now.state === 'failed') {
    return before.state === 'failed' && before.failure?.message === now.failure?.message
      ? null
      : `${now.name} failed. ${now.failure?.message ?? ''}`.trim();
  }
  if (now.choice.kind === 'embedded') return null;
  const was = before.name === now.name ? stepOf(before) : null;
  const is = stepOf(now);
  if (is !== null) {
    if (is === was) return null;
    return is > 0 ? `${now.name}: ${is * (100 / STEPS)} %.` : `${now.name}: ${stateWords({ ...now, progress: null })}.`;
  }
  return was === null || now.state === 'idle' ? null : `${now.name} is ready.`;
};

/** Whole quarters that are done; null while nothing is under way. */
const stepOf = ({ state, progress }: RoleState): number | null => {
  if (progress === null) return state === 'loading' ? 0 : null;
  return Math.min(STEPS - 1, Math.floor((shareOf(progress) ?? 0) * STEPS));
};
