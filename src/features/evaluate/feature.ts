import { ChartNoAxesColumn } from 'lucide-react';
import { dialogCommand, type Feature } from '../../ui/commands/feature.ts';

export const evaluate: Feature<'evaluate', 'evaluate'> = {
  dialogs: { evaluate: async () => (await import('./evaluate-dialog.tsx')).EvaluateDialog },
  commands: {
    evaluate: dialogCommand('evaluate', {
      group: 'Coppice',
      words: 'Evaluate…',
      also: 'measure benchmark',
      button: { label: 'Evaluate', place: 'studies', icon: ChartNoAxesColumn },
    }),
  },
};
