const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const words = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const dates = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', year: 'numeric' });

/** `just now`, `5 minutes ago`, `yesterday`; a date after a week. Both in milliseconds since 1970. */
export const timeAgo = (at: number, now: number): string => {
  const past = now - at;
  if (past < MINUTE) return 'just now';
  if (past < HOUR) return words.format(-Math.floor(past / MINUTE), 'minute');
  if (past < DAY) return words.format(-Math.floor(past / HOUR), 'hour');
  if (past < 7 * DAY) return words.format(-Math.floor(past / DAY), 'day');
  return dates.format(at);
};
