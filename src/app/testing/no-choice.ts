import { ModelFailure } from '../../engine/model-failure.ts';
import type { ModelControl, RoleState } from '../model-control.ts';
import type { AppState } from '../state.ts';

const ready: RoleState = { choice: { kind: 'embedded' }, name: 'x', state: 'ready', progress: null, failure: null };

/** Every role has its embedded model, ready. */
export const readyRoles: AppState['models'] = { chat: ready, decide: ready, summarise: ready, embed: ready };

const refuse = () => Promise.reject(new ModelFailure('unsupported', 'There is nothing to choose here.'));

/** For where nobody chooses a model: there are none, and every request is refused. */
export const noChoice: ModelControl = {
  probe: refuse,
  offers: async () => [],
  recommended: async () => null,
  choose: refuse,
  chooseAll: refuse,
  cancel: () => undefined,
  retry: refuse,
  stored: async () => [],
  remove: refuse,
  addOwn: refuse,
  removeOwn: refuse,
  connect: refuse,
  disconnect: refuse,
  settings: refuse,
  set: refuse,
};
