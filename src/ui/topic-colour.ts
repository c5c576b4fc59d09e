/** Number of topic colours in theme.css: `--topic-0` … `--topic-7`. */
export const TOPIC_COLOURS = 8;

/** The colour of topic number `order` (from 0, in creation order), as a CSS value; repeats after the last. */
export const topicColour = (order: number): string => `var(--topic-${order % TOPIC_COLOURS})`;

/** The same colours as literals, for files that are opened without the theme. */
export const TOPIC_PALETTES: Readonly<Record<'light' | 'dark', readonly string[]>> = {
  light: ['#5d81e4', '#3f9871', '#a85104', '#7c3d70', '#1d81a4', '#ae7e03', '#6b4cb6', '#9a1c2e'],
  dark: ['#86a7fd', '#8dd59a', '#e2915c', '#da93bb', '#57d7f8', '#e8bf51', '#a07cc7', '#d66775'],
};
