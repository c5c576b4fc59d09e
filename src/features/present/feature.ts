import { shownForest } from '../../app/state.ts';
import { sizeOf } from '../../domain/table.ts';
import { defineFeature } from '../../ui/commands/feature.ts';

export const present = defineFeature({
  dialogs: { present: async () => (await import('./present-dialog.tsx')).PresentDialog },
  commands: {
    present: {
      opens: 'present',
      group: 'View',
      words: 'Present…',
      also: 'full screen slides demonstrate story scenes talk beamer',
      unless: (state) => (sizeOf(shownForest(state).nodes) === 0 ? 'There is no turn yet.' : null),
      button: { label: 'Present', place: 'menu' },
    },
  },
});
