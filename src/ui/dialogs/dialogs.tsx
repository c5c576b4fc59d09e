import { lazy, Suspense } from 'react';
import { useActions, useApp } from '../app-context.ts';
import { isEditDialog } from '../edits/edit-dialog-names.ts';

// Nobody needs a dialog for the first paint.
const ImportDialog = lazy(() => import('./import-dialog.tsx').then((module) => ({ default: module.ImportDialog })));
const ExportDialog = lazy(() => import('./export-dialog.tsx').then((module) => ({ default: module.ExportDialog })));
const EvaluateDialog = lazy(() =>
  import('../evaluate/evaluate-dialog.tsx').then((module) => ({ default: module.EvaluateDialog })),
);
const ContextsDialog = lazy(() =>
  import('../inspector/contexts-dialog.tsx').then((module) => ({ default: module.ContextsDialog })),
);
const AnalysisDialog = lazy(() =>
  import('../analysis/analysis-dialog.tsx').then((module) => ({ default: module.AnalysisDialog })),
);
const EngineDialog = lazy(() =>
  import('../settings/engine-dialog.tsx').then((module) => ({ default: module.EngineDialog })),
);
const CompareDialog = lazy(() =>
  import('../compare/compare-dialog.tsx').then((module) => ({ default: module.CompareDialog })),
);
const WhatIfDialog = lazy(() =>
  import('../what-if/what-if-dialog.tsx').then((module) => ({ default: module.WhatIfDialog })),
);
const ModelsDialog = lazy(() =>
  import('../models/models-dialog.tsx').then((module) => ({ default: module.ModelsDialog })),
);
const SettingsDialog = lazy(() =>
  import('./settings-dialog.tsx').then((module) => ({ default: module.SettingsDialog })),
);
const ShortcutsDialog = lazy(() =>
  import('./shortcuts-dialog.tsx').then((module) => ({ default: module.ShortcutsDialog })),
);

const EditDialogs = lazy(() => import('../edits/edit-dialogs.tsx').then((module) => ({ default: module.EditDialogs })));
const Palette = lazy(() => import('../commands/palette.tsx').then((module) => ({ default: module.Palette })));
const SearchDialog = lazy(() =>
  import('../search/search-dialog.tsx').then((module) => ({ default: module.SearchDialog })),
);

/** The dialog that is open, if any. The list of conversations is part of the shell. */
export const Dialogs = () => {
  const { session } = useActions();
  const open = useApp((state) => state.session.dialog);
  const backTo = useApp((state) => state.session.backTo);
  const conversationId = useApp((state) => state.conversationId);
  const close = () => session({ dialog: null });
  const back = () => session({ dialog: backTo, backTo: null });
  return (
    <Suspense fallback={null}>
      {open === 'import' && <ImportDialog onClose={back} />}
      {open === 'export' && <ExportDialog key={conversationId} onClose={close} />}
      {open === 'evaluate' && <EvaluateDialog onClose={close} />}
      {open === 'compare' && <CompareDialog onClose={close} />}
      {open === 'what-if' && <WhatIfDialog onClose={close} />}
      {open === 'contexts' && <ContextsDialog onClose={close} />}
      {open === 'analysis' && <AnalysisDialog onClose={close} />}
      {open === 'engine-settings' && <EngineDialog onClose={close} />}
      {open === 'models' && <ModelsDialog onClose={close} />}
      {open === 'settings' && <SettingsDialog onClose={close} />}
      {open === 'shortcuts' && <ShortcutsDialog onClose={close} />}
      {open === 'palette' && <Palette onClose={close} />}
      {open === 'search' && <SearchDialog onClose={close} />}
      {isEditDialog(open) && <EditDialogs open={open} onClose={close} />}
    </Suspense>
  );
};
