import { useEffect, useState } from 'react';
import type { MovePreview } from '../../app/actions.ts';
import type { NodeId, Target } from '../../domain/forest.ts';
import { useActions } from '../../ui/app-context.ts';

/** How long a row is looked at before its preview is worked out; milliseconds. */
const PAUSE = 120;

/** What moving turns to a place would do to the context; null while it is not known, or there is no such place. */
export const usePreview = (nodeIds: readonly NodeId[], to: Target | null): MovePreview | null => {
  const { previewMove } = useActions();
  const [known, setKnown] = useState<{ key: string; preview: MovePreview } | null>(null);
  const key = JSON.stringify([nodeIds, to]);

  useEffect(() => {
    const [ids, target] = JSON.parse(key) as [NodeId[], Target | null];
    if (target === null) return;
    let wanted = true;
    const timer = setTimeout(() => {
      // A preview that cannot be worked out is none; the move itself says what is wrong.
      previewMove(ids, target).then(
        (preview) => wanted && setKnown({ key, preview }),
        () => wanted && setKnown(null),
      );
    }, PAUSE);
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, [key, previewMove]);

  return known?.key === key ? known.preview : null;
};
