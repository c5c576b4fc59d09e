import type { Choice } from '../../app/model-control.ts';
import type { Role } from '../../domain/decision.ts';
import { useActions, useAppState } from '../../ui/app-context.ts';

/** Chooses a role's model. Its state tells how that goes, a failure included; one that it does not tell is a problem. */
export const useChoose = (role: Role): ((choice: Choice) => void) => {
  const { models, reportModelFailure } = useActions();
  const state = useAppState();
  return (choice) => {
    models.choose(role, choice).catch((error: unknown) => {
      if (state().models[role].state !== 'failed') reportModelFailure('Choosing the model', error);
    });
  };
};
