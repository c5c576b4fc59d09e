import { defineFeature } from '../../ui/commands/feature.ts';

/** Shows new users around. It never starts by itself: the welcome offers it once, on an empty page. */
export const tour = defineFeature({
  dialogs: { tour: async () => (await import('./tour.tsx')).Tour },
  commands: {
    tour: {
      opens: 'tour',
      group: 'Coppice',
      words: 'Take the tour',
      also: 'help introduction first steps guide onboarding',
      button: { label: 'Tour', place: 'menu' },
    },
  },
});
