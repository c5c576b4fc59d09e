import { FlaskConical } from 'lucide-react';
import { NO_TURN, turnsMeant, whyNotRerun } from '../../ui/commands/command.ts';
import { defineFeature } from '../../ui/commands/feature.ts';

export const whatIf = defineFeature({
  dialogs: { 'what-if': async () => (await import('./what-if-dialog.tsx')).WhatIfDialog },
  commands: {
    'what-if': {
      opens: 'what-if',
      group: 'Coppice',
      words: 'What if…',
      also: 'run again rerun compare sweep threshold theta decider',
      button: { label: 'What if', place: 'studies', icon: FlaskConical },
    },
    'what-if-from': {
      group: 'Turn',
      words: 'What if from this turn…',
      also: 'run again rerun decide otherwise',
      unless: (state) => {
        const [from] = turnsMeant(state);
        return from === undefined ? NO_TURN : whyNotRerun(state, from);
      },
      run: ({ actions, state }) => actions.session({ dialog: 'what-if', with: turnsMeant(state())[0] ?? null }),
    },
  },
});
