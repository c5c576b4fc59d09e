import { useEffect } from 'react';
import type { EditDialogName } from '../../app/state.ts';
import { useApp } from '../../ui/app-context.ts';
import { HistoryDialog } from './history-dialog.tsx';
import { MoveDialog } from './move-dialog.tsx';
import { PurgeDialog } from './purge-dialog.tsx';
import { ReferDialog } from './refer-dialog.tsx';
import { BranchTitleDialog, NoteDialog, SummaryDialog, TopicTitleDialog } from './text-dialogs.tsx';
import { useSelected } from './use-selected.ts';

interface Props {
  readonly open: EditDialogName;
  readonly onClose: () => void;
}

/** The dialog that edits what is selected, or shows what was done. */
export const EditDialogs = ({ open, onClose }: Props) =>
  open === 'history' ? <HistoryDialog onClose={onClose} /> : <AboutTurns open={open} onClose={onClose} />;

const AboutTurns = ({ open, onClose }: { open: Exclude<EditDialogName, 'history'>; onClose: () => void }) => {
  const nodes = useSelected();
  const primary = useApp((state) => state.session.selectedId);
  const first = nodes.find(({ id }) => id === primary) ?? nodes[0];
  const gone = first === undefined;
  // Another tab may have taken the turn away.
  useEffect(() => {
    if (gone) onClose();
  }, [gone, onClose]);
  if (gone) return null;
  switch (open) {
    case 'move':
      return <MoveDialog nodes={nodes} onClose={onClose} />;
    case 'purge':
      return <PurgeDialog nodes={nodes} onClose={onClose} />;
    case 'refer':
      return <ReferDialog node={first} onClose={onClose} />;
    case 'note':
      return <NoteDialog node={first} onClose={onClose} />;
    case 'summary':
      return <SummaryDialog node={first} onClose={onClose} />;
    case 'topic-title':
      return <TopicTitleDialog node={first} onClose={onClose} />;
    case 'branch-title':
      return <BranchTitleDialog node={first} onClose={onClose} />;
    default:
      return open satisfies never;
  }
};
