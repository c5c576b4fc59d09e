import type { Feature } from '../../ui/feature.ts';
import { update, updateWaits } from './updates.ts';

/** The page as an installed app: kept for use without a network, updated when the person wants it, opened with files. */
export const installed: Feature<never, 'update'> = {
  dialogs: {},
  commands: {
    update: {
      group: 'Coppice',
      words: 'Update to the new version',
      also: 'reload offline service worker',
      unless: () => (updateWaits() ? null : 'No newer version is known.'),
      run: update,
    },
  },
};
