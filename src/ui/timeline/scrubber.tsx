import { type CSSProperties, useMemo, useRef } from 'react';
import { useWidth } from '../parts/hooks.ts';
import type { Frame } from './film.ts';
import { barsOf, stripWidth } from './strip.ts';
import { StripCanvas } from './strip-canvas.tsx';
import styles from './timeline.module.css';

interface Props {
  readonly frames: readonly Frame[];
  readonly position: number;
  readonly words: string;
  readonly onScrub: (position: number) => void;
}

/** The film strip, with a range input over it that does what pointers, keys and screen readers ask. */
export const Scrubber = ({ frames, position, words, onScrub }: Props) => {
  const room = useRef<HTMLDivElement>(null);
  const available = useWidth(room);
  const turns = frames.length;
  const width = stripWidth(turns, available);
  const bars = useMemo(() => barsOf(frames, width), [frames, width]);
  const style = {
    width: turns === 0 ? '100%' : width,
    // As wide as a turn's bar, so that the input's idea of a place is the bar under the pointer.
    '--thumb': `${width / Math.max(1, turns)}px`,
    '--head': `${(position / Math.max(1, turns)) * width}px`,
  } as CSSProperties;

  return (
    <div ref={room} className={styles.room}>
      <div className={styles.film} style={style}>
        {turns > 0 && <StripCanvas bars={bars} width={width} position={position} />}
        <input
          type="range"
          className={styles.range}
          aria-label="Timeline"
          aria-valuetext={words}
          min={Math.min(1, turns)}
          max={turns}
          step={1}
          value={position}
          disabled={turns === 0}
          onChange={(event) => onScrub(event.target.valueAsNumber)}
        />
        {turns > 0 && <span className={styles.head} aria-hidden="true" />}
      </div>
    </div>
  );
};
