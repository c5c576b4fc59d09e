import { type Feature, opens } from '../../ui/feature.ts';

/** Shows a newcomer around. It never begins by itself: the welcome offers it once, to whoever has an empty page before them. */
export const tour: Feature<'tour', 'tour'> = {
  dialogs: { tour: async () => (await import('./tour.tsx')).Tour },
  commands: {
    tour: opens('tour', {
      group: 'Coppice',
      words: 'Take the tour',
      also: 'help introduction first steps guide onboarding',
      button: { label: 'Tour', place: 'menu' },
    }),
  },
};
