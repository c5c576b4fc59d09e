import { ChartSpline } from 'lucide-react';
import { defineFeature } from '../../ui/commands/feature.ts';

export const analysis = defineFeature({
  dialogs: { analysis: async () => (await import('./analysis-dialog.tsx')).AnalysisDialog },
  commands: {
    analysis: {
      opens: 'analysis',
      group: 'Coppice',
      words: 'Analysis…',
      also: 'decisions charts tokens confidence table csv jsonl traces',
      button: { label: 'Analysis', place: 'studies', icon: ChartSpline },
    },
  },
});
