import { Ellipsis, History, Pause, Play, Redo2, Rewind, Split, Undo2 } from 'lucide-react';
import {
  type CSSProperties,
  memo,
  type RefObject,
  useCallback,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import type { Entry } from '../../domain/entry.ts';
import { clamp } from '../../domain/numbers.ts';
import { turnsIn } from '../../domain/queries.ts';
import { useActions, useApp } from '../app-context.ts';
import { useKeys } from '../commands/keymap.ts';
import { IconButton } from '../parts/button.tsx';
import { counted, count as figure } from '../parts/format.ts';
import { useWidth } from '../parts/hooks.ts';
import { afterMenu, Menu, MenuItem } from '../parts/menu.tsx';
import { TOPIC_COLOURS } from '../topic-colour.ts';
import { countAt, drawnAs, filmStrip, positionAt, type TurnFrame, type Weight } from './film-strip.ts';
import { changesBetween, usePlayer } from './player.ts';
import styles from './timeline.module.css';

/** The history of the conversation: a film strip of its turns, to scrub, play, undo and redo. */
export const Timeline = () => {
  const { travel } = useActions();
  const forest = useApp((state) => state.forest);
  const logged = useApp((state) => state.entries);
  const count = useApp((state) => state.past?.count ?? null);
  const reaching = useApp((state) => state.reaching);
  const travelling = useApp((state) => state.past !== null);
  const handled = useApp((state) => state.handled);
  // Deferred, so that the chat is drawn first.
  const strip = useDeferredValue(useMemo(() => ({ forest, entries: logged, handled }), [forest, logged, handled]));
  const { entries } = strip;
  const frames = useMemo(() => filmStrip(strip), [strip]);
  const { asked, scrub } = useScrub(frames);
  const { playing, toggle, pause } = usePlayer(frames);
  const slider = useRef<HTMLInputElement>(null);

  const turns = frames.length;
  const position = Math.min(asked ?? positionAt(frames, reaching ?? count), turns);
  const later =
    asked === null && reaching === null && count !== null ? changesSince(frames, position, entries, count) : 0;
  const turn = turnInWords(frames, position);
  const none = forest.turnCount === 0 ? 'no turns yet' : counted(turnsIn(forest), 'turn');
  const more = reaching !== null ? 'loading…' : later === 0 ? '' : `${counted(later, 'change')} later`;
  const words = turns === 0 ? none : more === '' ? turn : `${turn}, ${more}`;
  const scrubTo = useCallback(
    (to: number) => {
      pause();
      scrub(to);
    },
    [pause, scrub],
  );

  const leave = () => {
    pause();
    // What was chosen to leave the past is about to go.
    slider.current?.focus();
  };

  return (
    <div className={styles.timeline} role="group" aria-label="History">
      <Buttons
        playing={playing}
        onToggle={toggle}
        empty={turns === 0}
        undoable={!travelling && forest.history.past.length > 0}
        redoable={!travelling && forest.history.future.length > 0}
      />
      <Scrubber slider={slider} frames={frames} position={position} words={words} onScrub={scrubTo} />
      <div className={styles.place}>
        {/* Constant width, so that the strip next to it stays put under the pointer. */}
        <span className={styles.words} data-widest={turnInWords(frames, turns)}>
          {turns === 0 ? none : turn}
          {more !== '' && <small>{more}</small>}
        </span>
        {turns > 0 && (
          <span className={styles.moment}>
            {count === null ? (
              <span className={styles.now}>Now</span>
            ) : (
              <button
                type="button"
                className={styles.now}
                onClick={() => {
                  leave();
                  travel(null);
                }}
              >
                Now
              </button>
            )}
            <span className={styles.menu}>{count !== null && <MomentMenu count={count} onChoose={leave} />}</span>
          </span>
        )}
      </div>
    </div>
  );
};

/** The turn at a position on the strip, by the number that it has everywhere: others may have been deleted. */
export const turnInWords = (frames: readonly TurnFrame[], position: number): string =>
  `turn ${figure(frames[position - 1]?.number ?? 0)} of ${figure(frames.at(-1)?.number ?? 0)}`;

interface ButtonsProps {
  readonly playing: boolean;
  readonly onToggle: () => void;
  readonly empty: boolean;
  readonly undoable: boolean;
  readonly redoable: boolean;
}

const Buttons = memo(({ playing, onToggle, empty, undoable, redoable }: ButtonsProps) => {
  const keys = useKeys();
  const { undo, redo, session } = useActions();
  return (
    <div className={styles.buttons}>
      <IconButton
        label={playing ? 'Timeline: pause' : 'Timeline: play'}
        icon={playing ? Pause : Play}
        disabled={empty}
        onClick={onToggle}
      />
      <IconButton label="Undo" icon={Undo2} keys={keys('undo')} idle={!undoable} onClick={() => void undo()} />
      <IconButton label="Redo" icon={Redo2} keys={keys('redo')} idle={!redoable} onClick={() => void redo()} />
      <IconButton
        label="History"
        icon={History}
        keys={keys('history')}
        onClick={() => session({ dialog: 'history' })}
      />
    </div>
  );
});

/** The number of changes after a turn was handled, up to a given moment: it lies between two turns of the strip. */
const changesSince = (
  frames: readonly TurnFrame[],
  position: number,
  entries: readonly Entry[],
  count: number,
): number => changesBetween(entries, frames[position - 1]?.count ?? count, count);

/** Actions for the moment shown, available even if the chat with its bar is folded away. */
const MomentMenu = ({ count, onChoose }: { count: number; onChoose: () => void }) => {
  const { branchOff, restore } = useActions();
  const choose = (run: () => Promise<void>) => () =>
    afterMenu(() => {
      onChoose();
      void run();
    });
  return (
    <Menu
      align="end"
      side="top"
      label="This moment"
      trigger={<IconButton size="small" label="Actions for this moment" icon={Ellipsis} />}
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

interface Props {
  readonly slider: RefObject<HTMLInputElement | null>;
  readonly frames: readonly TurnFrame[];
  readonly position: number;
  readonly words: string;
  readonly onScrub: (position: number) => void;
}

/** The film strip, with a range input over it that handles pointer, keys and screen readers. */
const Scrubber = memo(({ slider, frames, position, words, onScrub }: Props) => {
  const room = useRef<HTMLDivElement>(null);
  const available = useWidth(room);
  const turns = frames.length;
  const width = stripWidth(turns, available);
  const drawn = drawnAs(frames);
  const bars = useMemo(() => barsOf(drawn, width), [drawn, width]);
  const style = {
    width: turns === 0 ? '100%' : width,
    // As wide as a turn's bar, so that the input's value matches the bar under the pointer.
    '--thumb': `${width / Math.max(1, turns)}px`,
    '--head': `${(position / Math.max(1, turns)) * width}px`,
  } as CSSProperties;

  return (
    <div ref={room} className={styles.room}>
      <div className={styles.film} style={style}>
        {turns > 0 && <StripCanvas bars={bars} width={width} position={position} />}
        <input
          ref={slider}
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
});

/** A bar of the strip, in pixels from the left. */
interface Bar {
  readonly x: number;
  readonly width: number;
  readonly topic: number;
  /** How much its turns changed the forest, on average: 0 (continued) to 1 (new topics). */
  readonly weight: number;
  /** Position (from 1) of the last turn it stands for. */
  readonly position: number;
}

/** Maximum width of a turn's bar, and the minimum that still reads as a bar, gap included; pixels. */
const WIDEST = 72;
const NARROWEST = 2;
const GAP = 2;
const WEIGHT: Record<Weight, number> = { continue: 0, branch: 0.5, topic: 1 };

/** The drawn width of the strip: all the available width, unless there are only a few turns. */
const stripWidth = (turns: number, room: number): number => Math.min(room, turns * WIDEST);

/**
 * The bars for a width in pixels. If there are more turns than fit, each bar stands for several, in the colour of the
 * topic that most of them belong to.
 */
export const barsOf = (frames: readonly TurnFrame[], width: number): Bar[] => {
  if (frames.length === 0 || width <= 0) return [];
  const count = clamp(Math.floor(width / NARROWEST), 1, frames.length);
  const pitch = width / count;
  const gap = pitch > 2 * GAP ? GAP : 0;
  return Array.from({ length: count }, (_, index) => {
    const first = Math.floor((index * frames.length) / count);
    const end = Math.floor(((index + 1) * frames.length) / count);
    // A plain loop: this visits each of up to a hundred thousand turns whenever one is added.
    const turnsOf = new Map<number, number>();
    let weights = 0;
    for (let at = first; at < end; at++) {
      const frame = frames[at] as TurnFrame;
      weights += WEIGHT[frame.weight];
      turnsOf.set(frame.topic, (turnsOf.get(frame.topic) ?? 0) + 1);
    }
    const [topic] = [...turnsOf].reduce((a, b) => (b[1] > a[1] ? b : a));
    return { x: index * pitch, width: pitch - gap, topic, weight: weights / (end - first), position: end };
  });
};

/** Height of the strip, and of its shortest and tallest bar; pixels. */
const STRIP_HEIGHT = 30;
const BAR = { lowest: 12, tallest: 28 };
const ALPHA = { past: 0.9, future: 0.25 };

interface StripProps {
  readonly bars: readonly Bar[];
  readonly width: number;
  /** Bars that end after this position are in the future. */
  readonly position: number;
}

/** The bars, drawn on a canvas so that thousands cost no more than a few. */
const StripCanvas = memo(({ bars, width, position }: StripProps) => {
  const ref = useRef<HTMLCanvasElement>(null);
  const theme = useThemeName();
  const known = useRef<{ theme: string; colours: readonly string[] } | null>(null);

  useEffect(() => {
    const canvas = ref.current;
    const context = canvas?.getContext('2d');
    if (!canvas || !context) return;
    const scale = window.devicePixelRatio || 1;
    canvas.width = Math.round(width * scale);
    canvas.height = STRIP_HEIGHT * scale;
    context.scale(scale, scale);
    // Reading the colours forces a style recalculation, in the middle of a scrub.
    if (known.current?.theme !== theme) known.current = { theme, colours: topicColours(canvas) };
    const { colours } = known.current;
    for (const bar of bars) {
      context.globalAlpha = bar.position <= position ? ALPHA.past : ALPHA.future;
      context.fillStyle = colours[bar.topic % TOPIC_COLOURS] ?? 'gray';
      const height = BAR.lowest + (BAR.tallest - BAR.lowest) * bar.weight;
      context.beginPath();
      context.roundRect(bar.x, STRIP_HEIGHT - height, bar.width, height, bar.width > 4 ? 2 : 0);
      context.fill();
    }
  }, [bars, width, position, theme]);

  return <canvas ref={ref} className={styles.canvas} style={{ width, height: STRIP_HEIGHT }} />;
});

const topicColours = (element: Element): string[] => {
  const computed = getComputedStyle(element);
  return Array.from({ length: TOPIC_COLOURS }, (_, index) => computed.getPropertyValue(`--topic-${index}`).trim());
};

const subscribe = (changed: () => void): (() => void) => {
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
  return () => observer.disconnect();
};

/** The current theme, for what is painted by script and cannot follow the style sheet. */
const useThemeName = (): string =>
  useSyncExternalStore(subscribe, () => document.documentElement.dataset.theme ?? 'light');

/**
 * Travels to a position on the strip, at most once per animation frame, because travelling folds the log. `asked` is
 * the position on its way there, so that the head stays under the pointer.
 */
const useScrub = (
  frames: readonly TurnFrame[],
): { readonly asked: number | null; readonly scrub: (position: number) => void } => {
  const { travel } = useActions();
  const [asked, setAsked] = useState<number | null>(null);

  useEffect(() => {
    if (asked === null) return;
    const frameId = requestAnimationFrame(() => {
      travel(countAt(frames, asked));
      setAsked(null);
    });
    return () => cancelAnimationFrame(frameId);
  }, [asked, frames, travel]);

  return { asked, scrub: setAsked };
};
