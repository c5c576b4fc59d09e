import { type ComponentType, lazy, Suspense } from 'react';
import type { DialogName, EditDialogName } from '../../app/state.ts';
import { useActions, useApp } from '../app-context.ts';
import { isEditDialog } from './edit-dialog-names.ts';

interface DialogComponentProps {
  readonly onClose: () => void;
}

/** Those that are no part of the shell, and not about the selected turns. */
type PageDialogName = Exclude<DialogName, EditDialogName | 'new-conversation' | 'conversations'>;

const dialog = (load: () => Promise<ComponentType<DialogComponentProps>>) =>
  lazy(async () => ({ default: await load() }));

// Nobody needs a dialog for the first paint. One that is not listed does not compile.
const DIALOGS = {
  import: dialog(async () => (await import('../../features/exchange/import-dialog.tsx')).ImportDialog),
  export: dialog(async () => (await import('../../features/exchange/export-dialog.tsx')).ExportDialog),
  evaluate: dialog(async () => (await import('../../features/evaluate/evaluate-dialog.tsx')).EvaluateDialog),
  compare: dialog(async () => (await import('../../features/compare/compare-dialog.tsx')).CompareDialog),
  'what-if': dialog(async () => (await import('../../features/what-if/what-if-dialog.tsx')).WhatIfDialog),
  contexts: dialog(async () => (await import('../../features/compare/contexts-dialog.tsx')).ContextsDialog),
  analysis: dialog(async () => (await import('../../features/analysis/analysis-dialog.tsx')).AnalysisDialog),
  'engine-settings': dialog(async () => (await import('../../features/settings/engine-dialog.tsx')).EngineDialog),
  models: dialog(async () => (await import('../../features/models/models-dialog.tsx')).ModelsDialog),
  settings: dialog(async () => (await import('../../features/settings/settings-dialog.tsx')).SettingsDialog),
  shortcuts: dialog(async () => (await import('../../features/shortcuts/shortcuts-dialog.tsx')).ShortcutsDialog),
  palette: dialog(async () => (await import('../../features/palette/palette.tsx')).Palette),
  search: dialog(async () => (await import('../../features/search/search-dialog.tsx')).SearchDialog),
} satisfies Record<PageDialogName, ComponentType<DialogComponentProps>>;

const EditDialogs = lazy(async () => ({
  default: (await import('../../features/edits/edit-dialogs.tsx')).EditDialogs,
}));

const isPageDialog = (name: DialogName | null): name is PageDialogName => name !== null && name in DIALOGS;

/** The dialog that is open, if any. The list of conversations is part of the shell. */
export const Dialogs = () => {
  const { session } = useActions();
  const open = useApp((state) => state.session.dialog);
  const backTo = useApp((state) => state.session.backTo);
  const conversationId = useApp((state) => state.conversationId);
  const close = () => session({ dialog: null });
  const Open = isPageDialog(open) ? DIALOGS[open] : null;
  return (
    <Suspense fallback={null}>
      {Open !== null && (
        // What is exported is the conversation that is open.
        <Open
          key={open === 'export' ? conversationId : open}
          // Who asked for an import comes back after it.
          onClose={open === 'import' ? () => session({ dialog: backTo, backTo: null }) : close}
        />
      )}
      {isEditDialog(open) && <EditDialogs open={open} onClose={close} />}
    </Suspense>
  );
};
