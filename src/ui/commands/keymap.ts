import { useCallback } from 'react';
import type { Keys } from '../../app/state.ts';
import { useApp } from '../app-context.ts';
import { createStored } from '../parts/hooks.ts';
import { type CommandId, SHELL_KEYS } from './default-keys.ts';
import { type Feature, memoByFeatures, useFeatures } from './feature.ts';
import { isCharacter, keystrokeLabel, onMac, whyNotKey } from './keystroke.ts';

/** The default keys of commands, combined with the user's own. */
export class Keymap {
  readonly #defaults: ReadonlyMap<CommandId, readonly string[]>;
  readonly #maps = new WeakMap<Keys, ReadonlyMap<string, CommandId>>();
  readonly #whileTyping: ReadonlySet<CommandId>;

  constructor(features: readonly Feature[]) {
    const brought = features.flatMap(({ commands }) => Object.entries(commands));
    const all = [...Object.entries(SHELL_KEYS), ...brought.map(([id, { keys = [] }]) => [id, keys] as const)];
    this.#defaults = new Map(all as [CommandId, readonly string[]][]);
    const leading = brought.flatMap(([id, { whileTyping }]) => (whileTyping ? [id as CommandId] : []));
    this.#whileTyping = new Set([...LEADING_AWAY, ...leading]);
  }

  get ids(): readonly CommandId[] {
    return [...this.#defaults.keys()];
  }

  /** Whether its keys work while typing. */
  holdsWhileTyping(id: CommandId): boolean {
    return this.#whileTyping.has(id);
  }

  /** A command's default keys. */
  defaultsOf(id: CommandId): readonly string[] {
    return this.#defaults.get(id) ?? [];
  }

  /** The keys of a command: the user's own, or the defaults. Keys that nobody could press are left out. */
  keysOf(id: CommandId, own: Keys): readonly string[] {
    return own[id]?.filter((stroke) => stroke !== '' && whyNotKey(stroke) === null) ?? this.defaultsOf(id);
  }

  /** The command for a keystroke; null if there is none. Of two with the same keys, the user's own wins. */
  commandWith(stroke: string, own: Keys): CommandId | null {
    let map = this.#maps.get(own);
    if (map === undefined) {
      // The user's own come last, overriding any default.
      const ordered = [...this.ids].sort((a, b) => Number(own[a] !== undefined) - Number(own[b] !== undefined));
      map = new Map(ordered.flatMap((id) => this.keysOf(id, own).map((key) => [key, id] as const)));
      this.#maps.set(own, map);
    }
    return map.get(stroke) ?? null;
  }

  /** Gives a command this one keystroke, and takes it from the command that had it. */
  withKey(own: Keys, id: CommandId, stroke: string): Keys {
    const holder = this.commandWith(stroke, own);
    const left = holder === null || holder === id ? own : this.#without(own, holder, stroke);
    return this.#tidy({ ...left, [id]: [stroke] });
  }

  withNoKey(own: Keys, id: CommandId): Keys {
    return this.#tidy({ ...own, [id]: [] });
  }

  /** Restores the defaults, taking those keys back from any other command. */
  withDefault(own: Keys, id: CommandId): Keys {
    let next: Keys = Object.fromEntries(Object.entries(own).filter(([name]) => name !== id));
    for (const stroke of this.defaultsOf(id)) {
      for (const other of this.ids) {
        if (other !== id && this.keysOf(other, next).includes(stroke)) next = this.#without(next, other, stroke);
      }
    }
    return this.#tidy(next);
  }

  #without(own: Keys, id: CommandId, stroke: string): Keys {
    return { ...own, [id]: this.keysOf(id, own).filter((key) => key !== stroke) };
  }

  /** Drops entries that equal the defaults. */
  #tidy(own: Keys): Keys {
    return Object.fromEntries(
      Object.entries(own).filter(([id, keys]) => {
        const defaults = this.#defaults.get(id as CommandId);
        return defaults === undefined || defaults.join(' ') !== keys.join(' ');
      }),
    );
  }
}

/** These lead away from a field or end a reply, and have no meaning for its text, so they work while typing. */
const LEADING_AWAY: readonly CommandId[] = ['choose-place', 'next-pane', 'previous-pane', 'stop'];

const keymapOf = memoByFeatures((features) => new Keymap(features));

/** The page's keymap. */
export const useKeymap = (): Keymap => keymapOf(useFeatures());

/**
 * Looks up the current keys of any command, for a tooltip or a menu; undefined if it has none.
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
      return stroke === undefined ? undefined : keystrokeLabel(stroke, onMac());
    },
    [keymap, own, single],
  );
};

/** Whether shortcuts without a modifier are on: users of speech input need them off (WCAG 2.1.4). */
const single = createStored(
  'coppice-single-keys',
  (text) => text !== 'off',
  (on) => (on ? 'on' : 'off'),
);
export const singleKeys = single.get;
export const setSingleKeys = single.set;
export const useSingleKeys = single.use;
