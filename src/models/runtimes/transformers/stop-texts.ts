/** Passes text on until one of `stops` comes; then calls `stopped`, once. What might be the beginning of one is held back. */
export const untilStop = (
  stops: readonly string[],
  piece: (text: string) => void,
  stopped: () => void,
): { push(text: string): void /** Returns whether a stop came. */; end(): boolean } => {
  let held = '';
  let over = false;
  const tell = (text: string): void => {
    if (text !== '') piece(text);
  };
  return {
    push: (text) => {
      if (over) return;
      held += text;
      const found = stops.map((stop) => held.indexOf(stop)).filter((at) => at >= 0);
      if (found.length > 0) {
        over = true;
        tell(held.slice(0, Math.min(...found)));
        stopped();
        return;
      }
      const keep = Math.max(0, ...stops.map((stop) => overlap(held, stop)));
      tell(held.slice(0, held.length - keep));
      held = held.slice(held.length - keep);
    },
    end: () => {
      if (!over) tell(held);
      held = '';
      return over;
    },
  };
};

/** Letters at the end of `text` that `stop` begins with. */
const overlap = (text: string, stop: string): number => {
  for (let length = Math.min(text.length, stop.length - 1); length > 0; length -= 1) {
    if (stop.startsWith(text.slice(-length))) return length;
  }
  return 0;
};
