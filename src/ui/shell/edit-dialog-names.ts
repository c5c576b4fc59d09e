import type { DialogName, EditDialogName } from '../../app/state.ts';

const NAMES: Readonly<Record<EditDialogName, true>> = {
  move: true,
  refer: true,
  note: true,
  summary: true,
  'topic-title': true,
  'branch-title': true,
  purge: true,
  history: true,
};

/** Whether a dialog is one of those about the selected turns, or the history. */
export const isEditDialog = (name: DialogName | null): name is EditDialogName => name !== null && name in NAMES;
