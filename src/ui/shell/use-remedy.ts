import type { Role } from '../../domain/decision.ts';
import type { Remedy } from '../../engine/model-failure.ts';
import { useActions, useAppState } from '../app-context.ts';
import { remedyPage } from '../parts/model-words.ts';

/** Carries a remedy out for a role, or goes to where it is found. If it fails again, the role's state says so. */
export const useRemedy = (role: Role): ((remedy: Remedy) => void) => {
  const { models, session, reportModelFailure } = useActions();
  const state = useAppState();
  return (remedy) => {
    const page = remedyPage(remedy, role, state().models[role]);
    if (page !== null) return session({ dialog: 'models', modelsPage: page });
    const done = remedy === 'retry' ? models.retry(role) : models.choose(role, { kind: 'embedded' });
    done.catch((error: unknown) => {
      if (state().models[role].state !== 'failed') reportModelFailure('Loading the model', error);
    });
  };
};
