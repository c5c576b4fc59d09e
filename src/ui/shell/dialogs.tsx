import { lazy, Suspense } from 'react';
import type { DialogName } from '../../app/features.ts';
import { useActions, useApp, useFeatures } from '../app-context.ts';
import { ofFeatures } from '../feature.ts';

// Nobody needs a dialog for the first paint.
const dialogsOf = ofFeatures(
  (features) =>
    new Map(
      features
        .flatMap(({ dialogs }) => Object.entries(dialogs))
        .map(([name, load]) => [name as DialogName, lazy(async () => ({ default: await load() }))]),
    ),
);

/** The dialog that is open, if any. The list of conversations is part of the shell. */
export const Dialogs = () => {
  const { session } = useActions();
  const dialogs = dialogsOf(useFeatures());
  const open = useApp((state) => state.session.dialog);
  const backTo = useApp((state) => state.session.backTo);
  const Open = open === null ? undefined : dialogs.get(open);
  return (
    <Suspense fallback={null}>
      {Open !== undefined && <Open key={open} onClose={() => session({ dialog: backTo, backTo: null })} />}
    </Suspense>
  );
};
