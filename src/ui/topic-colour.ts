/** Number of topic colours in theme.css: `--topic-0` … `--topic-7`. */
export const TOPIC_COLOURS = 8;

/** The colour of topic number `order` (from 0, in creation order), as a CSS value; repeats after the last. */
export const topicColour = (order: number): string => `var(--topic-${order % TOPIC_COLOURS})`;

/** The same colours as literals, for files that are opened without the theme. */
export const TOPIC_PALETTES: Readonly<Record<'light' | 'dark', readonly string[]>> = {
  light: ['#4f7be8', '#1f9c6c', '#b2560f', '#7a3a78', '#0f7fa3', '#b07a00', '#7a4fd0', '#9c1f2e'],
  dark: ['#8fb0ff', '#86d6a4', '#eb9c66', '#e59fcb', '#63d2f0', '#e6bf4a', '#a98ad2', '#d97a83'],
};
