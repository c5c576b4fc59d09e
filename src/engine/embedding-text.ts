import type { Reply } from '../domain/forest.ts';

/** What of a turn is embedded. */
export interface EmbeddableTurn {
  readonly message: string;
  readonly reply: string;
}

/** The text that stands for a turn when it is compared with a message; a message is compared as it is. */
export const embeddingText = ({ message }: EmbeddableTurn): string => message;

/** Name of the embedded chat role. Its replies quote what was said before, and so say nothing of their own. */
export const RECALL = 'recall';

/** How much of a reply is embedded, in UTF-16 units: what it is about is said at its start. */
const START_OF_REPLY = 300;

/** The text that stands for a reply when it is compared with a message; empty where there is nothing to compare. */
export const replyEmbeddingText = (reply: Pick<Reply, 'model' | 'text'> | null): string =>
  reply === null || reply.model === RECALL ? '' : reply.text.slice(0, START_OF_REPLY).trim();
