import { shownForest } from '../../app/state.ts';
import { sizeOf } from '../../domain/table.ts';
import { dialogCommand, type Feature } from '../../ui/commands/feature.ts';

export const present: Feature<'present', 'present'> = {
  dialogs: { present: async () => (await import('./present-dialog.tsx')).PresentDialog },
  commands: {
    present: dialogCommand('present', {
      group: 'View',
      words: 'Present…',
      also: 'full screen slides demonstrate story scenes talk beamer',
      unless: (state) => (sizeOf(shownForest(state).nodes) === 0 ? 'There is no turn yet.' : null),
      button: { label: 'Present', place: 'menu' },
    }),
  },
};
