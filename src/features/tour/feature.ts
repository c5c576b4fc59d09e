import { dialogCommand, type Feature } from '../../ui/commands/feature.ts';

/** Shows new users around. It never starts by itself: the welcome offers it once, on an empty page. */
export const tour: Feature<'tour', 'tour'> = {
  dialogs: { tour: async () => (await import('./tour.tsx')).Tour },
  commands: {
    tour: dialogCommand('tour', {
      group: 'Coppice',
      words: 'Take the tour',
      also: 'help introduction first steps guide onboarding',
      button: { label: 'Tour', place: 'menu' },
    }),
  },
};
