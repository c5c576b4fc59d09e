import { ChartSpline } from 'lucide-react';
import { dialogCommand, type Feature } from '../../ui/commands/feature.ts';

export const analysis: Feature<'analysis', 'analysis'> = {
  dialogs: { analysis: async () => (await import('./analysis-dialog.tsx')).AnalysisDialog },
  commands: {
    analysis: dialogCommand('analysis', {
      group: 'Coppice',
      words: 'Analysis…',
      also: 'decisions charts tokens confidence table csv jsonl traces',
      button: { label: 'Analysis', place: 'studies', icon: ChartSpline },
    }),
  },
};
