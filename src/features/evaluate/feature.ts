import { ChartNoAxesColumn } from 'lucide-react';
import { defineFeature } from '../../ui/commands/feature.ts';

export const evaluate = defineFeature({
  dialogs: { evaluate: async () => (await import('./evaluate-dialog.tsx')).EvaluateDialog },
  commands: {
    evaluate: {
      opens: 'evaluate',
      group: 'Coppice',
      words: 'Evaluate…',
      also: 'measure benchmark',
      button: { label: 'Evaluate', place: 'studies', icon: ChartNoAxesColumn },
    },
  },
});
