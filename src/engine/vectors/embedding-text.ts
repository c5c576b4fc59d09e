import type { Node } from '../../domain/forest.ts';
import { replyText } from '../context/context-text.ts';

/** What of a turn is embedded. */
export interface EmbeddableTurn {
  readonly message: string;
  readonly reply: string;
}

/** The text that stands for a turn when it is compared with a message; a message is compared as it is. */
export const embeddingText = ({ message }: EmbeddableTurn): string => message;

/** How much of a reply is compared with a message, in UTF-16 units: what it answers stands at its beginning. */
const START_OF_REPLY = 500;

/** How a turn's reply begins, where it says something of its own and does not only quote; else empty. */
export const replyStart = (node: Node): string => startOf(replyText(node));

export const startOf = (reply: string): string => reply.slice(0, START_OF_REPLY).trim();
