const format = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });

/** `Mar 2, 2026, 9:00 AM`, in the person's own time zone. */
export const dateTime = (at: number): string => format.format(at);
