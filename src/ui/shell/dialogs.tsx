import { lazy, Suspense } from 'react';
import { useActions, useApp } from '../app-context.ts';
import { isEditDialog } from './edit-dialog-names.ts';

// Nobody needs a dialog for the first paint.
const ImportDialog = lazy(() =>
  import('../../features/exchange/import-dialog.tsx').then((module) => ({ default: module.ImportDialog })),
);
const ExportDialog = lazy(() =>
  import('../../features/exchange/export-dialog.tsx').then((module) => ({ default: module.ExportDialog })),
);
const EvaluateDialog = lazy(() =>
  import('../../features/evaluate/evaluate-dialog.tsx').then((module) => ({ default: module.EvaluateDialog })),
);
const ContextsDialog = lazy(() =>
  import('../../features/compare/contexts-dialog.tsx').then((module) => ({ default: module.ContextsDialog })),
);
const AnalysisDialog = lazy(() =>
  import('../../features/analysis/analysis-dialog.tsx').then((module) => ({ default: module.AnalysisDialog })),
);
const EngineDialog = lazy(() =>
  import('../../features/settings/engine-dialog.tsx').then((module) => ({ default: module.EngineDialog })),
);
const CompareDialog = lazy(() =>
  import('../../features/compare/compare-dialog.tsx').then((module) => ({ default: module.CompareDialog })),
);
const WhatIfDialog = lazy(() =>
  import('../../features/what-if/what-if-dialog.tsx').then((module) => ({ default: module.WhatIfDialog })),
);
const ModelsDialog = lazy(() =>
  import('../../features/models/models-dialog.tsx').then((module) => ({ default: module.ModelsDialog })),
);
const SettingsDialog = lazy(() =>
  import('../../features/settings/settings-dialog.tsx').then((module) => ({ default: module.SettingsDialog })),
);
const ShortcutsDialog = lazy(() =>
  import('../../features/shortcuts/shortcuts-dialog.tsx').then((module) => ({ default: module.ShortcutsDialog })),
);

const EditDialogs = lazy(() =>
  import('../../features/edits/edit-dialogs.tsx').then((module) => ({ default: module.EditDialogs })),
);
const Palette = lazy(() =>
  import('../../features/palette/palette.tsx').then((module) => ({ default: module.Palette })),
);
const SearchDialog = lazy(() =>
  import('../../features/search/search-dialog.tsx').then((module) => ({ default: module.SearchDialog })),
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
