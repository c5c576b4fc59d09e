/** Milliseconds that count: long enough to be calm, short enough to notice a slower line. */
const WINDOW = 5000;
/** Before so many milliseconds have passed, nothing is said. */
const SETTLES = 500;

export interface Pace {
  /** Bytes a second over the last seconds; null while it is not known. */
  readonly speed: number | null;
  /** Seconds; null while it is not known. */
  readonly timeLeft: number | null;
}

/** How fast a download goes. `at` is in milliseconds of any clock; bytes that were there before the first call do not count. */
export const speedMeter = (): ((loaded: number, total: number | null, at: number) => Pace) => {
  let samples: { loaded: number; at: number }[] = [];
  return (loaded, total, at) => {
    // Started over: what was counted is not there any more.
    if (loaded < (samples.at(-1)?.loaded ?? 0)) samples = [];
    samples.push({ loaded, at });
    // One sample from before the window stays, so that the window is full.
    while (samples[1] !== undefined && at - samples[1].at >= WINDOW) samples.shift();
    const first = samples[0];
    if (first === undefined || at - first.at < SETTLES) return { speed: null, timeLeft: null };
    const speed = (1000 * (loaded - first.loaded)) / (at - first.at);
    const timeLeft = total === null || speed === 0 ? null : Math.max(0, total - loaded) / speed;
    return { speed, timeLeft };
  };
};
