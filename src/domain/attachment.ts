import * as z from 'zod/mini';

/** A file that came with a message. Its bytes lie beside the log; what was read from it is part of the log. */
export const Attachment = z.object({
  /** SHA-256 of its bytes, in hex; null where what was imported names the file and does not hold it. */
  id: z.nullable(z.string()),
  name: z.string(),
  /** As in a Content-Type; empty where nobody said. */
  mediaType: z.string(),
  /** Bytes; 0 where it is missing. */
  size: z.number(),
  /** What was read from it; left out where there is nothing to read, as in a picture. */
  text: z.optional(z.string()),
  /** The assistant made it: it belongs to a reply and is not sent. Left out otherwise. */
  made: z.optional(z.literal(true)),
});
export type Attachment = z.infer<typeof Attachment>;

/** Whether it can be shown as a picture. */
export const isPicture = ({ mediaType }: Pick<Attachment, 'mediaType'>): boolean => mediaType.startsWith('image/');
