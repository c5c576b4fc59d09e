import { Ellipsis, History, Pause, Play, Redo2, Rewind, Split, Undo2 } from 'lucide-react';
import { useMemo } from 'react';
import type { Entry } from '../../domain/entry.ts';
import { useActions, useApp } from '../app-context.ts';
import { IconButton } from '../parts/button.tsx';
import { counted } from '../parts/format.ts';
import { Menu, MenuItem } from '../parts/menu.tsx';
import { useKeys } from '../shell/commands/keymap.ts';
import { type Frame, film, positionAt } from './film.ts';
import { changesBetween, usePlayer } from './player.ts';
import { Scrubber, useScrub } from './scrubber.tsx';
import styles from './timeline.module.css';

/** The life of the conversation: a film strip of its turns, to scrub, play, undo and redo. */
export const Timeline = () => {
  const keys = useKeys();
  const { undo, redo, travel, session } = useActions();
  const forest = useApp((state) => state.forest);
  const entries = useApp((state) => state.entries);
  const count = useApp((state) => state.past?.count ?? null);
  const travelling = useApp((state) => state.past !== null);
  const frames = useMemo(() => film(forest, entries), [forest, entries]);
  const { asked, scrub } = useScrub(frames);
  const { playing, toggle, pause } = usePlayer();

  const turns = frames.length;
  const position = Math.min(asked ?? positionAt(frames, count), turns);
  const later = asked === null && count !== null ? changesSince(frames, position, entries, count) : 0;
  const turn = `turn ${position} of ${turns}`;
  const words = turns === 0 ? 'no turns yet' : later === 0 ? turn : `${turn}, ${counted(later, 'change')} later`;
  const scrubTo = (to: number) => {
    pause();
    scrub(to);
  };

  return (
    <div className={styles.timeline} role="group" aria-label="History">
      <div className={styles.buttons}>
        <IconButton
          label={playing ? 'Timeline: pause' : 'Timeline: play'}
          icon={playing ? Pause : Play}
          disabled={turns === 0}
          onClick={toggle}
        />
        <IconButton
          label="Undo"
          icon={Undo2}
          keys={keys('undo')}
          disabled={travelling || forest.history.past.length === 0}
          onClick={() => void undo()}
        />
        <IconButton
          label="Redo"
          icon={Redo2}
          keys={keys('redo')}
          disabled={travelling || forest.history.future.length === 0}
          onClick={() => void redo()}
        />
        <IconButton
          label="History"
          icon={History}
          keys={keys('history')}
          onClick={() => session({ dialog: 'history' })}
        />
      </div>
      <Scrubber frames={frames} position={position} words={words} onScrub={scrubTo} />
      <div className={styles.place}>
        <span className={styles.words}>{words}</span>
        {count !== null && (
          <span className={styles.moment}>
            <button
              type="button"
              className={styles.now}
              onClick={() => {
                pause();
                travel(null);
              }}
            >
              Now
            </button>
            <MomentMenu count={count} onChoose={pause} />
          </span>
        )}
      </div>
    </div>
  );
};

/** What was done after a turn had been handled, up to a moment: it lies between two turns of the strip. */
const changesSince = (frames: readonly Frame[], position: number, entries: readonly Entry[], count: number): number =>
  changesBetween(entries, frames[position - 1]?.count ?? count, count);

/** What can be done with the moment that is shown, where the chat with its bar may be folded away. */
const MomentMenu = ({ count, onChoose }: { count: number; onChoose: () => void }) => {
  const { branchOff, restore } = useActions();
  const choose = (run: () => Promise<void>) => () => {
    onChoose();
    void run();
  };
  return (
    <Menu
      align="end"
      side="top"
      label="This moment"
      trigger={<IconButton size="small" label="With this moment" icon={Ellipsis} />}
    >
      <MenuItem icon={<Split size={14} aria-hidden />} onSelect={choose(() => branchOff(count))}>
        Start a new conversation from here
      </MenuItem>
      <MenuItem icon={<Rewind size={14} aria-hidden />} onSelect={choose(() => restore(count))}>
        Restore this
      </MenuItem>
    </Menu>
  );
};
