import { useMemo } from 'react';
import type { Reply } from '../../domain/forest.ts';
import type { ShownContext } from '../../engine/context/shown-context.ts';
import { useActions, useApp } from '../app-context.ts';

/** What a reply was sent, byte for byte, with the forest as it was then; null where nothing was, or it is not known. */
export const useShownContext = (reply: Reply | null): ShownContext | null => {
  const { shownContext } = useActions();
  // A log only grows, but for a purge, which writes it anew: the first entry stands for all of it.
  const log = useApp((state) => state.entries[0]);
  const replyId = reply === null || reply.context === null ? null : reply.id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another log, another context
  return useMemo(() => (replyId === null ? null : shownContext(replyId)), [replyId, log, shownContext]);
};
