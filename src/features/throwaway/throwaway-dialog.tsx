import { useApp } from '../../ui/app-context.ts';
import type { FeatureDialogProps } from '../../ui/commands/feature.ts';
import { Dialog } from '../../ui/parts/dialog.tsx';

export const ThrowawayDialog = ({ onClose }: FeatureDialogProps) => {
  const turns = useApp(({ forest }) => forest.turnCount);
  return (
    <Dialog title="Throwaway" description="To show what a dialog takes." onClose={onClose}>
      <p>{turns} turns</p>
    </Dialog>
  );
};
