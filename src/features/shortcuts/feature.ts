import { Keyboard } from 'lucide-react';
import { defineFeature } from '../../ui/commands/feature.ts';
import { setSingleKeys, singleKeys } from '../../ui/commands/keymap.ts';

export const shortcuts = defineFeature({
  dialogs: { shortcuts: async () => (await import('./shortcuts-dialog.tsx')).ShortcutsDialog },
  commands: {
    shortcuts: {
      opens: 'shortcuts',
      group: 'Coppice',
      words: 'Shortcuts…',
      also: 'keys keyboard rebind',
      keys: ['?'],
      button: { label: 'Shortcuts', place: 'help', icon: Keyboard },
    },
    'single-keys': {
      group: 'Coppice',
      words: 'Turn single keys on or off',
      also: 'accessibility speech shortcuts',
      run: ({ actions }) => {
        setSingleKeys(!singleKeys());
        actions.announce(singleKeys() ? 'Single keys work.' : 'Single keys are off.');
      },
    },
  },
});
