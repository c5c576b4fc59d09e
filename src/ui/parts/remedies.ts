import type { RoleState } from '../../app/model-control.ts';
import type { ModelsPage } from '../../app/state.ts';
import type { Role } from '../../domain/decision.ts';
import { type Remedy, remediesOf } from '../../engine/model-failure.ts';

/** What can be done about a role's failure, the likeliest help first; for what ships, only to try again. */
export const remediesFor = ({ choice, failure }: RoleState): readonly Remedy[] => {
  if (failure === null) return [];
  return choice.kind === 'embedded' ? ['retry'] : remediesOf(failure.kind);
};

export const REMEDY_WORDS: Readonly<Record<Remedy, string>> = {
  retry: 'Try again',
  'smaller-model': 'Choose a smaller model',
  embedded: 'Use what ships with the page',
  'free-space': 'Free space',
  settings: 'Check the settings',
};

/** Where in Models a remedy is found; null where it is no place but done at once. */
export const remedyPage = (remedy: Remedy, role: Role, { choice }: RoleState): ModelsPage | null => {
  switch (remedy) {
    case 'retry':
    case 'embedded':
      return null;
    case 'smaller-model':
      return role;
    case 'free-space':
      return 'kept';
    case 'settings':
      return choice.kind === 'model' && choice.key.startsWith('server:') ? 'server' : 'add';
  }
};
