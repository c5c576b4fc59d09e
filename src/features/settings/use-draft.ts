import { useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { contentOf, type SettingsContent } from '../../app/saved-settings.ts';
import type { Prompts } from '../../engine/settings.ts';
import { SHIPPED_SETTINGS } from '../../engine/settings.ts';
import { useActions, useApp } from '../../ui/app-context.ts';
import { allShipped, type Draft, emptyDraft, type ReadDraft, readDraft } from './draft.ts';

/** Waits while the dialog is closed: what was typed is not lost. */
const drafts = createStore<Draft>(() => emptyDraft);

export interface Drafting extends ReadDraft {
  readonly draft: Draft;
  /** The settings in use. */
  readonly now: SettingsContent;
  /** null while they load. */
  readonly shipped: Prompts | null;
  /** Why they could not be loaded; null if they could, or may yet. */
  readonly failure: string | null;
  readonly change: ReadDraft['change'];
  readonly edit: (change: Partial<Draft>) => void;
  readonly resetAll: () => void;
  readonly discard: () => void;
}

export const useDraft = (): Drafting => {
  const { shippedPrompts } = useActions();
  const settings = useApp((state) => state.settings);
  const draft = useStore(drafts);
  const [shipped, setShipped] = useState<Prompts | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  useEffect(() => {
    shippedPrompts().then(setShipped, (error: unknown) =>
      setFailure(error instanceof Error ? error.message : String(error)),
    );
  }, [shippedPrompts]);
  const now = contentOf(settings, settings.current);
  const read = useMemo(() => readDraft(draft, now, shipped), [draft, now, shipped]);
  return {
    draft,
    now,
    shipped,
    failure,
    ...read,
    edit: (change) => drafts.setState(change),
    resetAll: () => drafts.setState(allShipped(now, SHIPPED_SETTINGS.policy.name, shipped), true),
    discard: () => drafts.setState(emptyDraft, true),
  };
};
