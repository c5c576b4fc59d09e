import { useCallback } from 'react';
import { useApp, useFeatures } from '../../app-context.ts';
import { ofFeatures } from '../../feature.ts';
import { useSingleKeys } from '../single-keys.ts';
import type { CommandId } from './default-keys.ts';
import { Keymap } from './keymap.ts';
import { inWords, isCharacter, onMac } from './keystroke.ts';

const keymapOf = ofFeatures((features) => new Keymap(features));

/** The keymap of the page. */
export const useKeymap = (): Keymap => keymapOf(useFeatures());

/**
 * The keys of any command as they are now, for a tooltip or a menu; undefined where it has none.
 *
 *     const keys = useKeys();
 *     <IconButton label="Undo" keys={keys('undo')} … />
 */
export const useKeys = (): ((id: CommandId) => string | undefined) => {
  const own = useApp((state) => state.keys);
  const keymap = useKeymap();
  const single = useSingleKeys();
  return useCallback(
    (id) => {
      const stroke = keymap.keysOf(id, own).find((one) => single || !isCharacter(one));
      return stroke === undefined ? undefined : inWords(stroke, onMac());
    },
    [keymap, own, single],
  );
};
