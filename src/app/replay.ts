import type { Dialogue } from '../engine/ports.ts';
import type { DialogName } from './features.ts';
import { type Kernel, notify, reportingErrors, setSession } from './kernel.ts';
import type { Turns } from './turns.ts';

/** Initial pause between turns, in milliseconds: long enough to see where each one goes. */
const PAUSE = 400;

interface ReplayOptions {
  readonly running?: boolean;
  /** The dialog that stays open over it; null for none. */
  readonly dialog?: DialogName | null;
}

export type Player = ReturnType<typeof createPlayer>;

/** Plays a dialogue through the engine, turn by turn, into the open conversation. */
export const createPlayer = (kernel: Kernel, turns: Turns) => {
  const { store } = kernel;
  /** Identifies the current run, since the previous one may still be waiting for its turn to finish. */
  let run = 0;
  let wake: () => void = () => undefined;
  /** The turn being played, also once paused. */
  let playing: Promise<unknown> = Promise.resolve();
  /** Whether it is the one that runs. */
  let isOwn = false;

  const change = (part: { played?: number; running?: boolean; pause?: number }) =>
    store.setState(({ replay }) => ({ replay: replay && { ...replay, ...part } }));

  const playOne = (): Promise<boolean> => {
    const played = playNext();
    playing = played.catch(() => undefined);
    return played;
  };

  const playNext = async (): Promise<boolean> => {
    const { replay } = store.getState();
    const turn = replay?.dialogue.turns[replay.played];
    if (replay === null || turn === undefined) return false;
    const before = store.getState().forest.turnCount;
    const begins = () => {
      isOwn = store.getState().replay?.dialogue === replay.dialogue;
      return isOwn;
    };
    await turns.replay(turn.message, turn.reply, begins).finally(() => {
      isOwn = false;
    });
    // Not sent, or stopped before it was placed: it is played again when the replay resumes.
    if (store.getState().forest.turnCount === before) return false;
    if (store.getState().replay?.dialogue !== replay.dialogue) return false;
    change({ played: replay.played + 1 });
    return true;
  };

  const finished = () => {
    const { replay } = store.getState();
    return replay !== null && replay.played >= replay.dialogue.turns.length;
  };

  const ended = () => {
    store.setState({ replay: null });
    if (store.getState().session.dialog === 'compare') return;
    notify(kernel, 'Played to its end. What would other memories have sent?', {
      label: 'Compare',
      run: () => setSession(kernel, { dialog: 'compare' }),
      passes: true,
    });
  };

  const go = async () => {
    const own = ++run;
    change({ running: true });
    await playing;
    while (own === run && store.getState().replay?.running) {
      const played = await playOne();
      if (own !== run) return;
      if (finished()) return ended();
      if (!played) return change({ running: false });
      await new Promise<void>((resolve) => {
        wake = resolve;
        setTimeout(resolve, store.getState().replay?.pause ?? 0);
      });
    }
  };

  const halt = () => {
    run++;
    wake();
  };

  return {
    play: async (dialogue: Dialogue, { running = true, dialog = null }: ReplayOptions): Promise<void> => {
      halt();
      playing = Promise.resolve();
      setSession(kernel, { dialog, pane: 'chat' });
      store.setState({ replay: { dialogue, played: 0, running, pause: PAUSE } });
      if (running) await go();
    },
    pause: (): void => {
      halt();
      change({ running: false });
    },
    resume: async (): Promise<void> => {
      if (store.getState().replay?.running === false) await go();
    },
    step: async (): Promise<void> => {
      if (store.getState().replay?.running !== false || turns.busy) return;
      await playOne();
      if (finished()) ended();
    },
    stop: (): void => {
      halt();
      if (store.getState().replay === null) return;
      if (isOwn) turns.stop();
      store.setState({ replay: null });
    },
    wait: (ms: number): void => {
      change({ pause: ms });
      wake();
    },
  };
};

/** Replay actions. `empty` switches to an empty conversation. */
export const replayActions = (kernel: Kernel, player: Player, empty: () => Promise<void>) => ({
  /** Replays a dialogue through the engine into a new conversation. */
  replay: reportingErrors(kernel, 'The replay', async (dialogue: Dialogue, options: ReplayOptions = {}) => {
    player.stop();
    await empty();
    await player.play(dialogue, options);
  }),
  pauseReplay: player.pause,
  resumeReplay: reportingErrors(kernel, 'The replay', player.resume),
  /** Plays one turn of a paused replay. */
  stepReplay: reportingErrors(kernel, 'The replay', player.step),
  /** Ends the replay; what was played stays. */
  stopReplay: player.stop,
  /** Milliseconds between two turns. */
  setReplayPause: player.wait,
});
