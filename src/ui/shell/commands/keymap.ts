import type { Keys } from '../../../app/settings.ts';
import { COMMAND_IDS, type CommandId, DEFAULT_KEYS } from './default-keys.ts';
import { whyNotKey } from './keystroke.ts';

/** The keys of a command: the person's own, or those it comes with. What nobody could press is left out. */
export const keysOf = (id: CommandId, own: Keys): readonly string[] =>
  own[id]?.filter((stroke) => stroke !== '' && whyNotKey(stroke) === null) ?? DEFAULT_KEYS[id];

const maps = new WeakMap<Keys, ReadonlyMap<string, CommandId>>();

/** The command that a keystroke means; null if it means none. Of two with the same keys, the person's own speaks. */
export const commandWith = (stroke: string, own: Keys): CommandId | null => {
  let map = maps.get(own);
  if (map === undefined) {
    // Those set by the person come last, over any default.
    const ordered = [...COMMAND_IDS].sort((a, b) => Number(own[a] !== undefined) - Number(own[b] !== undefined));
    map = new Map(ordered.flatMap((id) => keysOf(id, own).map((key) => [key, id] as const)));
    maps.set(own, map);
  }
  return map.get(stroke) ?? null;
};

/** Gives a command this one keystroke, and takes it from whoever had it. */
export const withKey = (own: Keys, id: CommandId, stroke: string): Keys => {
  const holder = commandWith(stroke, own);
  const left = holder === null || holder === id ? own : without(own, holder, stroke);
  return tidy({ ...left, [id]: [stroke] });
};

const without = (own: Keys, id: CommandId, stroke: string): Keys => ({
  ...own,
  [id]: keysOf(id, own).filter((key) => key !== stroke),
});

export const withNoKey = (own: Keys, id: CommandId): Keys => tidy({ ...own, [id]: [] });

/** As it came; whoever has one of its keys by now gives it back. */
export const withDefault = (own: Keys, id: CommandId): Keys => {
  let next: Keys = Object.fromEntries(Object.entries(own).filter(([name]) => name !== id));
  for (const stroke of DEFAULT_KEYS[id]) {
    for (const other of COMMAND_IDS) {
      if (other !== id && keysOf(other, next).includes(stroke)) next = without(next, other, stroke);
    }
  }
  return tidy(next);
};

export const isOwn = (own: Keys, id: CommandId): boolean => own[id] !== undefined;

/** Without what is as it came anyway. */
const tidy = (own: Keys): Keys =>
  Object.fromEntries(
    Object.entries(own).filter(([id, keys]) => {
      const defaults: readonly string[] | undefined = DEFAULT_KEYS[id as CommandId];
      return defaults === undefined || defaults.join(' ') !== keys.join(' ');
    }),
  );
