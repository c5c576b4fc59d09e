import { useCallback } from 'react';
import { useApp } from '../../app-context.ts';
import { useSingleKeys } from '../single-keys.ts';
import type { CommandId } from './default-keys.ts';
import { keysOf } from './keymap.ts';
import { inWords, isCharacter, onMac } from './keystroke.ts';

/**
 * The keys of any command as they are now, for a tooltip or a menu; undefined where it has none.
 *
 *     const keys = useKeys();
 *     <IconButton label="Undo" keys={keys('undo')} … />
 */
export const useKeys = (): ((id: CommandId) => string | undefined) => {
  const own = useApp((state) => state.keys);
  const single = useSingleKeys();
  return useCallback(
    (id) => {
      const stroke = keysOf(id, own).find((one) => single || !isCharacter(one));
      return stroke === undefined ? undefined : inWords(stroke, onMac());
    },
    [own, single],
  );
};
