import { sizeOf } from '../../domain/table.ts';
import { defineFeature } from '../../ui/commands/feature.ts';
import { followSharedLinks } from './shared-address.ts';

export const share = defineFeature({
  dialogs: {
    share: async () => (await import('./share-dialog.tsx')).ShareDialog,
    shared: async () => (await import('./shared-dialog.tsx')).SharedDialog,
  },
  commands: {
    share: {
      opens: 'share',
      group: 'Conversations',
      words: 'Share…',
      also: 'link html file embed iframe send show others read only',
      unless: ({ forest }) => (sizeOf(forest.nodes) === 0 ? 'There is no turn yet.' : null),
      button: { label: 'Share', place: 'menu' },
    },
  },
  start: ({ actions }) => followSharedLinks(actions),
});
