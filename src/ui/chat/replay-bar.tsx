import { Pause, Play, StepForward, X } from 'lucide-react';
import { useActions, useApp } from '../app-context.ts';
import { IconButton } from '../parts/button.tsx';
import { Menu, MenuChoice } from '../parts/menu.tsx';
import { ProgressBar } from '../parts/progress.tsx';
import styles from './bar.module.css';

/** Pauses between turns, in milliseconds. */
const SPEEDS = [
  { pause: 2500, label: 'Slow' },
  { pause: 900, label: 'Normal' },
  { pause: 250, label: 'Fast' },
  { pause: 0, label: 'No pause' },
];

const nearest = (pause: number) =>
  SPEEDS.reduce((best, speed) => (Math.abs(speed.pause - pause) < Math.abs(best.pause - pause) ? speed : best));

/** A dialogue that is played: how far it is, and its controls. */
export const ReplayBar = () => {
  const actions = useActions();
  const replay = useApp((state) => state.replay);
  if (replay === null) return null;
  const { dialogue, played, running, pause } = replay;
  const turns = dialogue.turns.length;
  const speed = nearest(pause);
  return (
    <div role="group" aria-label="Replay" className={styles.bar}>
      <IconButton
        look="primary"
        className={styles.play ?? ''}
        label={running ? 'Pause' : 'Play'}
        icon={running ? Pause : Play}
        onClick={running ? actions.pauseReplay : actions.resumeReplay}
      />
      <div className={styles.progress}>
        <p className={styles.words}>
          <b>{dialogue.title}</b>
          <span>
            {played} of {turns}
          </span>
        </p>
        <ProgressBar label="Turns played" max={turns} value={played} />
      </div>
      <IconButton label="Play one turn" icon={StepForward} disabled={running} onClick={actions.stepReplay} />
      <Menu
        align="end"
        side="top"
        trigger={
          <button type="button" className={styles.speed} aria-label={`Speed: ${speed.label}`}>
            {speed.label}
          </button>
        }
      >
        {SPEEDS.map((one) => (
          <MenuChoice key={one.pause} chosen={one === speed} onChoose={() => actions.setReplayPause(one.pause)}>
            {one.label}
          </MenuChoice>
        ))}
      </Menu>
      <IconButton label="End the replay and keep what is there" icon={X} onClick={actions.stopReplay} />
    </div>
  );
};
