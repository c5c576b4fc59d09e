import { ChartSpline } from 'lucide-react';
import { type Feature, opens } from '../../ui/feature.ts';

export const analysis: Feature<'analysis', 'analysis'> = {
  dialogs: { analysis: async () => (await import('./analysis-dialog.tsx')).AnalysisDialog },
  commands: {
    analysis: opens('analysis', {
      group: 'Coppice',
      words: 'Analysis…',
      also: 'decisions charts tokens confidence table csv jsonl traces',
      button: { label: 'Analysis', place: 'studies', icon: ChartSpline },
    }),
  },
};
