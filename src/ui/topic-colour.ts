/** Number of topic colours in theme.css: `--topic-0` … `--topic-7`. */
export const TOPIC_COLOURS = 8;

/** The colour of topic number `order` (from 0, in creation order), as a CSS value; repeats after the last. */
export const topicColour = (order: number): string => `var(--topic-${order % TOPIC_COLOURS})`;
