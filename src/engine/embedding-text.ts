/** What of a turn is embedded. */
export interface EmbeddableTurn {
  readonly message: string;
  readonly reply: string;
}

/** The text that stands for a turn when it is compared with a message; a message is compared as it is. */
export const embeddingText = ({ message }: EmbeddableTurn): string => message;
