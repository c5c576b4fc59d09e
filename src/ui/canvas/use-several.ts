import { useCallback, useEffect, useState } from 'react';
import { useApp } from '../app-context.ts';

/** Whether clicks and taps select one turn more, and what begins and ends that. Another conversation ends it, too. */
export const useSeveral = (): { readonly several: boolean; readonly toggle: () => void } => {
  const [several, setSeveral] = useState(false);
  const conversationId = useApp((state) => state.conversationId);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another conversation, another start
  useEffect(() => setSeveral(false), [conversationId]);
  const toggle = useCallback(() => setSeveral((now) => !now), []);
  return { several, toggle };
};
