import { defineFeature } from '../../ui/commands/feature.ts';

/** Conversations that were deleted and can still be restored. */
export const deleted = defineFeature({
  dialogs: { deleted: async () => (await import('./deleted-dialog.tsx')).DeletedDialog },
  commands: {
    deleted: {
      opens: 'deleted',
      group: 'Conversations',
      words: 'Recently deleted…',
      also: 'trash bin restore recover undelete conversation',
    },
  },
});
